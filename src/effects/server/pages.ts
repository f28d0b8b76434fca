import { Effect, Option } from "effect"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import { ServerStore, type StoredPage, StoreUnavailable } from "../../services/server/ServerStore.ts"
import type { RepoId } from "../../services/sync/SyncApi.ts"
import { authorise } from "./authorise.ts"
import { commitOf } from "./commits.ts"
import { NotFound, Purged } from "./errors.ts"
import { requirePagePath } from "./pagePath.ts"

/** The living pages of a repository by path, each with the commit that last touched it. */
export const listPages = Effect.fn("server.listPages")(function* (repo: string) {
  const id = yield* authorise(repo, "read")
  return yield* (yield* ServerStore).pages(id)
})

/**
 * One page, byte for byte, and its sha: as it lives, or as it was at a commit.
 *
 * Errors: `NotFound`, `Purged`, and those of `authorise`.
 */
export const readPage = Effect.fn("server.readPage")(function* (
  repo: string,
  path: string,
  commit?: string | undefined
) {
  const id = yield* authorise(repo, "read")
  const at = yield* requirePagePath(path)
  if (commit !== undefined) return yield* pageAt(id, at, commit)
  const page = yield* (yield* ServerStore).page(id, at)
  return yield* Effect.mapError(page, () => new NotFound({ what: `page ${at}` }))
})

/** A page in the version in force at a commit. */
export const pageAt = Effect.fnUntraced(function* (repo: RepoId, path: PagePath, commit: string) {
  const found = yield* (yield* ServerStore).versionAt(repo, path, yield* commitOf(repo, "at", commit))
  if (Option.isNone(found)) return yield* new NotFound({ what: `page ${path} at ${commit}` })
  const { content, purged, sha } = found.value.version
  if (purged) return yield* new Purged({ path, sha })
  if (Option.isNone(content)) return yield* new NotFound({ what: `page ${path} at ${commit}` })
  return { path, sha, content: content.value } satisfies StoredPage
})

/** The newest commits of a repository first. */
export const timeline = Effect.fn("server.timeline")(function* (repo: string, limit: number) {
  const id = yield* authorise(repo, "read")
  return yield* (yield* ServerStore).commits(id, limit)
})

/** The text of stored content. Only what is UTF-8 is ever stored. */
export const textOf = (content: Uint8Array): Effect.Effect<string, StoreUnavailable> =>
  Option.match(decodeUtf8(content), {
    onNone: () => new StoreUnavailable({ reason: "stored content is not UTF-8" }),
    onSome: Effect.succeed
  })
