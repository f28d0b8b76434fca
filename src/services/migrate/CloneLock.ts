import { Duration, Effect, Schema } from "effect"
import * as FileLock from "../project/FileLock.ts"

/** Somebody else makes a clone in this project, or chooses from one. */
export class CloneInUse extends Schema.TaggedError<CloneInUse>()("CloneInUse", { contexo: Schema.String }) {
  override get message() {
    return `${this.contexo}: another 'ctx migrate' is at work with a clone here. Finish that one, and try again.`
  }
}

/**
 * Held while a clone is made and until something refers to it, by one at a time: who sweeps the cache meanwhile leaves it
 * alone. The operating system frees it when its holder dies.
 *
 * @param wait Zero: fails at once where somebody holds it.
 */
export const holdCloneLock = Effect.fnUntraced(
  function* (contexo: string, wait: Duration.DurationInput) {
    const lock = yield* FileLock.make(contexo, "clones.db", Duration.decode(wait))
    yield* Effect.acquireRelease(lock.acquire, () => lock.release)
  },
  (effect, contexo) => Effect.catchTag(effect, "SqliteFailure", () => new CloneInUse({ contexo }))
)
