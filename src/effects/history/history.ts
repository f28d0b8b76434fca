import { Effect } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import { type ListQuery, SyncClient } from "../../services/sync/SyncClient.ts"

/** The commits that touched a page, newest first; none where the server never had it. Source: reference.md 2.5. */
export const history = Effect.fn("history")(function* (path: PagePath, query: ListQuery = {}) {
  return yield* (yield* SyncClient).history(path, query)
})
