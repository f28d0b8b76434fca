/** Driver for the one fact about the running user that the file system's service does not tell. */
import { Effect, Option } from "effect"

/** The effective user's number; None on Windows, which has none. */
export const currentUid: Effect.Effect<Option.Option<number>> = Effect.sync(() =>
  Option.fromNullable(process.geteuid?.())
)
