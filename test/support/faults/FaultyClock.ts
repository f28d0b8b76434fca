import { Clock, Duration, Effect, Layer } from "effect"

/** Tells a clock that something is under way that needs no time on it: the disk, a server in this process. */
export interface Activity {
  readonly during: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** For layers over a clock that runs by itself. */
export const unnoticed: Activity = { during: (effect) => effect }

/**
 * A clock on which time passes only when nothing else does: when all that runs waits for it, it is at once the time that
 * the first of them waits for. It can be set to another time, which wakes nobody, as on a real machine.
 */
export interface FaultyClock extends Activity {
  /** Sets it forth, or back (negative), by so many milliseconds. */
  readonly jump: (by: number) => void
  readonly clock: Clock.Clock
  readonly layer: Layer.Layer<never>
}

interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

/** @param start What it shows first, in milliseconds since 1970. */
export const make = (start: number): FaultyClock => {
  /** Time that passed, whatever the clock was set to, and how far it was set. Milliseconds. */
  let passed = 0
  let shift = 0
  let underWay = 0
  let looking = false
  const sleepers = new Set<Sleeper>()

  const now = () => start + shift + passed

  const next = () =>
    [...sleepers].reduce((one, other) => (other.until < one.until ? other : one), { until: Infinity, wake: () => {} })

  /** Two turns of the event loop without a call under way: everybody waits. */
  const look = () => {
    if (looking || underWay > 0 || sleepers.size === 0) return
    looking = true
    afterTurns(2, () => {
      looking = false
      const first = next()
      // The end of what is under way looks again.
      if (underWay > 0 || first.until === Infinity) return
      sleepers.delete(first)
      passed = Math.max(passed, first.until)
      first.wake()
      look()
    })
  }

  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: now,
    unsafeCurrentTimeNanos: () => BigInt(Math.round(now() * 1_000_000)),
    currentTimeMillis: Effect.sync(now),
    currentTimeNanos: Effect.sync(() => BigInt(Math.round(now() * 1_000_000))),
    sleep: (duration) =>
      Effect.async((resume) => {
        const sleeper = { until: passed + Duration.toMillis(duration), wake: () => resume(Effect.void) }
        sleepers.add(sleeper)
        look()
        return Effect.sync(() => void sleepers.delete(sleeper))
      })
  }
  return {
    clock,
    layer: Layer.setClock(clock),
    jump: (by) => {
      shift += by
    },
    during: (effect) =>
      Effect.acquireUseRelease(
        Effect.sync(() => void underWay++),
        () => effect,
        () =>
          Effect.sync(() => {
            underWay--
            look()
          })
      )
  }
}

const afterTurns = (turns: number, then: () => void): void => {
  setTimeout(() => (turns > 1 ? afterTurns(turns - 1, then) : then()), 0)
}
