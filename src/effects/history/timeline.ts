import { Effect } from "effect"
import { SyncClient } from "../../services/sync/SyncClient.ts"

/** The repository's newest commits, newest first. Source: reference.md 7 (`log`). */
export const timeline = Effect.fn("timeline")(function* (limit: number) {
  return yield* (yield* SyncClient).timeline(limit)
})
