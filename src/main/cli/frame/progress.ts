import { Effect } from "effect"
import { Stdio } from "./Stdio.ts"

/** Work over a second says on a terminal what it is at; the line goes when the work is done. */
export const withProgress =
  (what: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Stdio> =>
    Effect.gen(function* () {
      const stdio = yield* Stdio
      if (!stdio.stderrIsTty) return yield* effect
      const line = Effect.acquireRelease(stdio.err(`${what} ...`), () =>
        stdio.err(`\r${" ".repeat(what.length + 4)}\r`)
      )
      return yield* Effect.scoped(
        Effect.zipRight(Effect.forkScoped(Effect.delay(Effect.zipRight(line, Effect.never), "1 second")), effect)
      )
    })
