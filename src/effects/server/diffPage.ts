import { Effect, Option } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import { diffPages, type SectionDiff } from "../../model/merge/SectionDiff.ts"
import {
  type PageVersion,
  ServerStore,
  type StoreUnavailable,
  type VersionAt
} from "../../services/server/ServerStore.ts"
import type { RepoId } from "../../services/sync/SyncApi.ts"
import { authorise } from "./authorise.ts"
import { blamed, introductions } from "./blame.ts"
import { commitOf } from "./commits.ts"
import { InvalidRequest, NotFound } from "./errors.ts"
import { requirePagePath } from "./pagePath.ts"
import { textOf } from "./pages.ts"

export interface DiffQuery {
  /** Default: the page's version before the one in force at `to`. */
  readonly from?: string | undefined
  /** Default: the newest version of the page. */
  readonly to?: string | undefined
  /** `true`: say of each section which commit introduced it. */
  readonly blame?: string | undefined
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
  const versions = { from: older, to: newer } as const
  const there = ({ version }: VersionAt) => Option.isSome(version.content) || version.purged
  if (![older, newer].some(Option.exists(there))) return yield* new NotFound({ what: `page ${at}` })
  const purged = (["from", "to"] as const).filter((side) =>
    Option.exists(versions[side], ({ version }) => version.purged)
  )
  const toSha = Option.orElse(to, () => Option.map(newer, ({ version }) => version.sha))
  const diff: SectionDiff = {
    from_sha: fromSha.value,
    to_sha: Option.getOrElse(toSha, () => ""),
    ...diffPages(
      yield* sideText(Option.map(older, ({ version }) => version)),
      yield* sideText(Option.map(newer, ({ version }) => version))
    )
  }
  const shown = query.blame === "true" ? yield* withBlame(id, at, diff) : diff
  return purged.length === 0 ? shown : { ...shown, purged }
})

const withBlame = (repo: RepoId, path: PagePath, diff: SectionDiff) =>
  Effect.map(introductions(repo, path), (found) => blamed(diff, found))

const sideText = (version: Option.Option<PageVersion>): Effect.Effect<string, StoreUnavailable> =>
  Option.match(
    Option.flatMap(version, ({ content }) => content),
    { onNone: () => Effect.succeed(""), onSome: textOf }
  )
