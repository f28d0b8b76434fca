import { Deferred, Effect, Exit, Fiber, FiberId, Option, Scope } from "effect"

/**
 * One life of a simulated process. `kill -9` may come at any call that a layer guards: then no guarded call of this life
 * does anything any more, no finaliser of what it was doing runs, and only what the operating system frees is freed.
 */
export interface Life {
  /** What the system frees with a process: open files, and with them their locks. Close it when the life is over. */
  readonly scope: Scope.CloseableScope
  readonly isOver: () => boolean
  /** Ends the life here. Never resumes. */
  readonly crash: Effect.Effect<never>
  /** Does nothing, for ever, once the life is over; a call that was under way then does not come back. */
  readonly guard: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Runs to its end, or to the crash: then None, and the scope is closed. */
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<Option.Option<Exit.Exit<A, E>>, never, R>
  /** An orderly end. */
  readonly end: Effect.Effect<void>
}

/** Waits for nothing, and keeps no timer: what hangs here can be collected. */
const hang = Effect.async<never>(() => {})

export const begin: Effect.Effect<Life> = Effect.gen(function* () {
  const scope = yield* Scope.make()
  const crashed = Deferred.unsafeMake<void>(FiberId.none)
  let over = false
  const end = Effect.suspend(() => {
    over = true
    return Scope.close(scope, Exit.void)
  })
  const guard: Life["guard"] = (call) =>
    Effect.suspend(() =>
      over
        ? hang
        : Effect.zipLeft(
            call,
            Effect.suspend(() => (over ? hang : Effect.void))
          )
    )
  return {
    scope,
    isOver: () => over,
    crash: Effect.suspend(() => {
      over = true
      Deferred.unsafeDone(crashed, Effect.void)
      return hang
    }),
    guard,
    run: (effect) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkDaemon(effect)
        const died = Effect.as(Deferred.await(crashed), Option.none())
        const outcome = yield* Effect.raceFirst(Effect.map(Fiber.await(fiber), Option.some), died)
        if (Option.isNone(outcome)) yield* end
        return outcome
      }),
    end
  }
})
