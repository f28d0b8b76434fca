import { Effect } from "effect"
import { setImmediate } from "node:timers"

/** Lets whatever else the process has to do go first: for work that would keep a server's other callers waiting. */
export const breathe: Effect.Effect<void> = Effect.async((resume) => {
  setImmediate(() => resume(Effect.void))
})
