import { Effect } from "effect"
import { short8 } from "../../model/page/Sha.ts"
import type { RevertBody } from "../../services/sync/SyncApi.ts"
import { authorise } from "./authorise.ts"
import { requirePagePath } from "./pagePath.ts"
import { pageAt, textOf } from "./pages.ts"
import { push } from "./push.ts"

/**
 * Puts a page's version at a commit in force again, as a push of that content would: compare-and-swap on the page's sha, one
 * new commit, nothing where the page says that already.
 *
 * Errors: `NotFound` and `Purged` (the version), `InvalidRequest`, and those of `push`.
 */
export const revert = Effect.fn("server.revert")(function* (repo: string, path: string, body: RevertBody) {
  const id = yield* authorise(repo, "write")
  const at = yield* requirePagePath(path)
  const { content, sha } = yield* pageAt(id, at, body.to)
  return yield* push(repo, {
    ...(body.push_id === undefined ? {} : { push_id: body.push_id }),
    message: body.message ?? `revert ${at} to ${short8(sha)}`,
    files: [{ path: at, content: yield* textOf(content), parent_sha: body.parent_sha ?? "" }]
  })
})
