import { Deferred, type Duration, Effect } from "effect"

/** One place, and a queue for it. */
export interface Turn {
  /** Waits for the place. A waiter that gives up or is interrupted, at whatever moment, does not take it along. */
  readonly take: Effect.Effect<void, Stalled>
  readonly release: Effect.Effect<void>
}

/** Nobody left the place for as long as one is ready to wait. A queue that moves is waited in for longer. */
export interface Stalled {
  readonly _tag: "Stalled"
}

interface Waiter {
  granted: boolean
  readonly signal: Deferred.Deferred<void>
}

/** First come, first served. Call `take` where it is not interruptible: it opens the wait itself. */
export const make = (patience: Duration.DurationInput): Effect.Effect<Turn> =>
  Effect.sync(() => {
    const queue: Array<Waiter> = []
    let taken = false
    let releases = 0

    const release = Effect.sync(() => {
      releases++
      const next = queue.shift()
      taken = next !== undefined
      if (next === undefined) return
      next.granted = true
      Deferred.unsafeDone(next.signal, Effect.void)
    })

    const stalled: Effect.Effect<never, Stalled> = Effect.suspend(() => {
      const before = releases
      return Effect.zipRight(
        Effect.sleep(patience),
        Effect.suspend(() => (releases === before ? Effect.fail({ _tag: "Stalled" } as const) : stalled))
      )
    })

    const giveUp = (waiter: Waiter) =>
      Effect.suspend(() => {
        if (waiter.granted) return release
        queue.splice(queue.indexOf(waiter), 1)
        return Effect.void
      })

    const take = Effect.flatMap(Deferred.make<void>(), (signal) => {
      if (!taken) {
        taken = true
        return Effect.void
      }
      const waiter: Waiter = { granted: false, signal }
      queue.push(waiter)
      return Effect.raceFirst(Deferred.await(signal), stalled).pipe(
        Effect.interruptible,
        Effect.onError(() => giveUp(waiter))
      )
    })
    return { take, release }
  })
