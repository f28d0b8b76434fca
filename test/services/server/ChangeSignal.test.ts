import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { ChangeSignal } from "../../../src/services/server/ChangeSignal.ts"
import { RepoId } from "../../../src/services/sync/SyncApi.ts"

const team = RepoId.make("team")
const other = RepoId.make("other")

describe("ChangeSignal in one process", () => {
  it.effect("wakes whoever listens to the repository, also when told before it waits, and nobody else", () =>
    Effect.gen(function* () {
      const signal = yield* ChangeSignal
      yield* signal.notify(team)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const [first, second, third] = [
            yield* signal.listen(team),
            yield* signal.listen(team),
            yield* signal.listen(other)
          ]
          const stranger = yield* Effect.fork(third)
          const waiting = yield* Effect.fork(first)
          yield* Effect.yieldNow()
          yield* Effect.replicateEffect(signal.notify(team), 3)
          expect([yield* Fiber.join(waiting), yield* second]).toEqual(["changed", "changed"])
          // Three signals are one to who did not wait.
          const again = yield* Effect.fork(second)
          yield* Effect.yieldNow()
          expect([yield* Fiber.poll(again), yield* Fiber.poll(stranger)].map(({ _tag }) => _tag)).toEqual([
            "None",
            "None"
          ])
          expect(yield* signal.listening).toBe(3)
        })
      )
      expect(yield* signal.listening).toBe(0)
    }).pipe(Effect.provide(ChangeSignal.layer))
  )

  it.scoped("close ends every waiting, and every later one at once", () =>
    Effect.gen(function* () {
      const signal = yield* ChangeSignal
      const waiting = yield* Effect.fork(yield* signal.listen(team))
      yield* Effect.yieldNow()
      yield* signal.close
      const late = yield* signal.listen(other)
      expect([yield* Fiber.join(waiting), yield* late, yield* late]).toEqual(["closed", "closed", "closed"])
    }).pipe(Effect.provide(ChangeSignal.layer))
  )
})
