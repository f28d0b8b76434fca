import { Effect, Either, Option } from "effect"
import { sha256 } from "../../model/text/Hash.ts"
import { type PagePath, parsePagePath } from "../../model/page/PagePath.ts"
import { removeUnsafeKeepingBom } from "../../model/text/Sanitise.ts"
import type { Catalog } from "../../services/page/PageStore.ts"
import { Project } from "../../services/project/Project.ts"
import { readBytes } from "../../services/page/StoreFile.ts"
import { SyncClient } from "../../services/sync/SyncClient.ts"
import { type Snapshot, SyncState } from "../../services/sync/SyncState.ts"
import { type Finding, note, ok, problem, warning } from "./Finding.ts"

/**
 * Reads every page file and every base again and compares hashes, then, with a server that answers, its text of every
 * page with what this clone received under the same sha.
 */
export const dataFindings = (catalog: Option.Option<Catalog>, snapshot: Option.Option<Snapshot>) =>
  Effect.gen(function* () {
    return [
      ...(Option.isSome(catalog) ? yield* fileFindings(catalog.value) : []),
      ...(Option.isSome(snapshot)
        ? [...(yield* baseFindings(snapshot.value)), ...(yield* contentFindings(snapshot.value))]
        : [])
    ]
  })

/** What the listing believes of a file, against its bytes. */
const fileFindings = Effect.fnUntraced(function* (catalog: Catalog) {
  const { contexo } = yield* Project
  const differ: Array<Finding> = []
  for (const [path, { hash }] of catalog.entries) {
    const bytes = yield* Effect.either(readBytes(contexo, path))
    if (Either.isLeft(bytes)) differ.push(problem("page-data", bytes.left.message, { path }))
    else if (!Option.exists(bytes.right, (content) => sha256(content) === hash)) {
      differ.push(
        warning("page-data", "the file is not what the listing remembers, though its time and size did not change", {
          path,
          fix: "'ctx doctor --fix' reads every page anew; look at the page: a failing disk changes bytes too"
        })
      )
    }
  }
  return [...differ, ok("page-data", `${catalog.entries.size} page file(s) read, ${differ.length} not as remembered`)]
})

/** Every base against the hash that was stored with it. */
const baseFindings = Effect.fnUntraced(function* ({ bases, recorded }: Snapshot) {
  const state = yield* SyncState
  const differ: Array<Finding> = []
  for (const [path, { sha }] of bases) {
    if (recorded.get(path) !== sha) continue
    const base = yield* Effect.either(state.base(path))
    if (Either.isRight(base) && Option.isSome(base.right)) continue
    const message = Either.isLeft(base)
      ? base.left.message
      : "the stored base does not fit its hash; it counts as unknown"
    differ.push(problem("base-data", message, { path, fix: "'ctx pull' compares the page with the server" }))
  }
  return [...differ, ok("base-data", `${bases.size} base(s) read, ${differ.length} broken`)]
})

/** The server's texts against the bases of the same sha; where there is no base, against the file. */
const contentFindings = Effect.fnUntraced(function* ({ recorded }: Snapshot) {
  const answer = yield* Effect.option((yield* SyncClient).pull({}))
  if (Option.isNone(answer)) return []
  const state = yield* SyncState
  const { contexo } = yield* Project
  const differ: Array<Finding> = []
  let compared = 0
  for (const { content, path: name, sha } of answer.value.files ?? []) {
    const path = Option.getOrUndefined(parsePagePath(name))
    if (path === undefined || recorded.get(path) !== sha) continue
    compared++
    const theirs = removeUnsafeKeepingBom(content)
    const base = Option.flatten(yield* Effect.option(state.base(path)))
    const found = Option.isSome(base)
      ? baseVerdict(path, removeUnsafeKeepingBom(base.value.text) === theirs)
      : yield* fileVerdict(contexo, path, theirs)
    if (found !== undefined) differ.push(found)
  }
  return [...differ, ok("server-content", `${compared} page(s) compared with the server, ${differ.length} different`)]
})

const baseVerdict = (path: PagePath, same: boolean): Finding | undefined =>
  same
    ? undefined
    : problem("server-content", "the server's text differs from what this clone received under the same sha", {
        path,
        fix: "'ctx pull --full', and on the server 'ctx doctor --read-data --data DIR'"
      })

const fileVerdict = (contexo: string, path: PagePath, theirs: string) =>
  Effect.map(Effect.option(readBytes(contexo, path)), (bytes) => {
    const same = Option.exists(Option.flatten(bytes), (content) => sha256(content) === sha256(theirs))
    return same
      ? undefined
      : note("server-content", "differs from the server's, and what it was based on is not known", {
          path,
          fix: "'ctx pull' compares the two, and keeps yours"
        })
  })
