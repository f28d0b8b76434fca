import { Effect } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import { type ListQuery, SyncClient } from "../../services/sync/SyncClient.ts"

export interface EvolutionOptions extends ListQuery {
  /** Say of each section which commit introduced it. */
  readonly blame?: boolean | undefined
  /** With the texts and line diffs of the sections. */
  readonly lines?: boolean | undefined
}

/** What each commit changed in a page, newest first; none where the server never had it. Source: reference.md 2.7. */
export const evolution = Effect.fn("evolution")(function* (path: PagePath, options: EvolutionOptions = {}) {
  return yield* (yield* SyncClient).evolution(path, options)
})
