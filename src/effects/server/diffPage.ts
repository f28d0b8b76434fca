import { Effect, Option } from "effect"
import { diffPages, type SectionDiff } from "../../model/SectionDiff.ts"
import { type PageVersion, ServerStore, type StoreUnavailable } from "../../services/server/ServerStore.ts"
import type { RepoId } from "../../services/SyncApi.ts"
import { authorise } from "./authorise.ts"
import { InvalidRequest, NotFound } from "./errors.ts"
import { requirePagePath } from "./pagePath.ts"
import { textOf } from "./pages.ts"
import { shaParameter } from "./pull.ts"

export interface DiffQuery {
  /** Default: the page's version before the one in force at `to`. */
  readonly from?: string | undefined
  /** Default: the newest version of the page. */
  readonly to?: string | undefined
}

/**
 * What changed in a page between two commits, by section. A commit may be given by its first digits. A side on which the
 * page is not there counts as empty.
 *
 * Errors: `InvalidRequest` (no such commit, or no version before), `NotFound` (on neither side), and those of `authorise`.
 * Source: reference.md 4.4 and section 8.
 */
export const diffPage = Effect.fn("server.diffPage")(function* (repo: string, path: string, query: DiffQuery) {
  const id = yield* authorise(repo, "read")
  const at = yield* requirePagePath(path)
  const store = yield* ServerStore
  const to = yield* commitOf(id, "to", query.to)
  const from = yield* commitOf(id, "from", query.from)
  const newer = yield* store.versionAt(id, at, to)
  if (Option.isNone(newer) && Option.isNone(from)) return yield* new NotFound({ what: `page ${at}` })

  const fromSha = Option.orElse(from, () => Option.flatMap(newer, ({ before }) => before))
  if (Option.isNone(fromSha)) {
    return yield* new InvalidRequest({ reason: "no parent commit for this path; pass ?from explicitly" })
  }
  const older = yield* store.versionAt(id, at, fromSha)
  const sides = [older, newer].map(Option.flatMap(({ version }) => version.content))
  if (sides.every(Option.isNone)) return yield* new NotFound({ what: `page ${at}` })
  const toSha = Option.orElse(to, () => Option.map(newer, ({ version }) => version.sha))
  const diff: SectionDiff = {
    from_sha: fromSha.value,
    to_sha: Option.getOrElse(toSha, () => ""),
    ...diffPages(
      yield* sideText(Option.map(older, ({ version }) => version)),
      yield* sideText(Option.map(newer, ({ version }) => version))
    )
  }
  return diff
})

const sideText = (version: Option.Option<PageVersion>): Effect.Effect<string, StoreUnavailable> =>
  Option.match(
    Option.flatMap(version, ({ content }) => content),
    { onNone: () => Effect.succeed(""), onSome: textOf }
  )

const commitOf = Effect.fnUntraced(function* (repo: RepoId, name: string, text: string | undefined) {
  const sha = yield* shaParameter(name, text)
  if (Option.isNone(sha)) return sha
  const found = yield* (yield* ServerStore).findCommits(repo, sha.value)
  const [only] = found
  if (only === undefined) return yield* new InvalidRequest({ reason: `unknown sha ${sha.value}` })
  return found.length === 1
    ? Option.some(only)
    : yield* new InvalidRequest({ reason: `${sha.value} begins several commits; give more digits` })
})
