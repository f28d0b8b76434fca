import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Option, TestClock } from "effect"
import { type Caller, RateLimit } from "../../../src/services/server/RateLimit.ts"

const limits = RateLimit.layer({
  requests: { perMinute: 60, burst: 5 },
  failures: { perMinute: 6, burst: 2 }
})
const caller = (address: string, token?: string): Caller => ({ address, token: Option.fromNullable(token) })
const somebody = caller("192.0.2.1")
const ana = caller("192.0.2.1", "hash of ana's token")
const guess = (n: number) => caller("192.0.2.1", `guess ${n}`)

/** Milliseconds to wait for each of some requests, one after the other; 0 is let through. */
const waits = (who: Caller, times: number) =>
  Effect.flatMap(RateLimit, (limit) =>
    Effect.replicateEffect(
      Effect.map(limit.admit(who), (wait) => Option.getOrElse(Option.map(wait, Duration.toMillis), () => 0)),
      times
    )
  )

describe("RateLimit", () => {
  it.effect("lets a burst through, then as many as grow again, for each address on its own", () =>
    Effect.gen(function* () {
      expect(yield* waits(somebody, 7)).toEqual([0, 0, 0, 0, 0, 1_000, 1_000])
      yield* TestClock.adjust("400 millis")
      expect(yield* waits(somebody, 1)).toEqual([600])
      expect(yield* waits(caller("192.0.2.2"), 1)).toEqual([0])
      yield* TestClock.adjust("600 millis")
      expect(yield* waits(somebody, 2)).toEqual([0, 1_000])
      // However long nobody asks, no more than a burst is saved up.
      yield* TestClock.adjust("1 days")
      expect(yield* waits(somebody, 6)).toEqual([0, 0, 0, 0, 0, 1_000])
    }).pipe(Effect.provide(limits))
  )

  it.effect("a clock that goes back neither stops nor feeds anybody", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      yield* waits(somebody, 5)
      yield* TestClock.setTime(1_000)
      expect(yield* waits(somebody, 1)).toEqual([1_000])
      yield* TestClock.adjust("1 seconds")
      expect(yield* waits(somebody, 2)).toEqual([0, 1_000])
    }).pipe(Effect.provide(limits))
  )

  it.effect("a token that was valid has its own allowance, which nobody behind the same address uses up", () =>
    Effect.gen(function* () {
      const limit = yield* RateLimit
      yield* limit.authenticated(ana, true)
      expect(yield* waits(somebody, 6)).toEqual([0, 0, 0, 0, 0, 1_000])
      expect(yield* waits(ana, 6)).toEqual([0, 0, 0, 0, 0, 1_000])
    }).pipe(Effect.provide(limits))
  )

  it.effect("an address that guessed too often is not listened to with tokens that nobody knows; known ones pass", () =>
    Effect.gen(function* () {
      const limit = yield* RateLimit
      yield* limit.authenticated(ana, true)
      for (const n of [1, 2]) {
        expect(yield* waits(guess(n), 1)).toEqual([0])
        yield* limit.authenticated(guess(n), false)
      }
      expect(yield* waits(guess(3), 2)).toEqual([10_000, 10_000])
      expect([yield* waits(ana, 1), yield* waits(somebody, 1)]).toEqual([[0], [0]])
      expect(yield* waits(caller("192.0.2.2", "guess 4"), 1)).toEqual([0])
      yield* TestClock.adjust("10 seconds")
      expect(yield* waits(guess(5), 1)).toEqual([0])
      // A token that was revoked is unknown from then on.
      yield* limit.authenticated(ana, false)
      expect(yield* waits(ana, 1)).toEqual([10_000])
    }).pipe(Effect.provide(limits))
  )

  it.effect("remembers a bounded number of callers, and forgets who did not come for ten minutes", () =>
    Effect.gen(function* () {
      const limit = yield* RateLimit
      for (let n = 0; n < 25_000; n++) yield* limit.admit(caller(`address ${n}`))
      expect(yield* limit.remembered).toBe(20_000)
      yield* TestClock.adjust("11 minutes")
      yield* limit.admit(somebody)
      expect(yield* limit.remembered).toBe(1)
    }).pipe(Effect.provide(limits))
  )

  it.effect("without limits, everybody is let through and nobody remembered", () =>
    Effect.gen(function* () {
      const limit = yield* RateLimit
      yield* limit.authenticated(guess(1), false)
      expect(yield* waits(guess(1), 1_000)).toEqual(Array.from({ length: 1_000 }, () => 0))
      expect(yield* limit.remembered).toBe(0)
    }).pipe(Effect.provide(RateLimit.none))
  )
})
