import { FileSystem, HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Clock, Duration, Effect, Either, Exit, Fiber, Layer, Option } from "effect"
import { errnoOf } from "../../../src/services/files/Errno.ts"
import { make as makeClock, unnoticed } from "./FaultyClock.ts"
import { make as makePlan } from "./FaultPlan.ts"
import { FileFault, layer as faultyFiles } from "./FaultyFileSystem.ts"
import { HttpFault, layer as faultyHttp } from "./FaultyHttp.ts"
import { begin } from "./Life.ts"

const errno = (outcome: Either.Either<unknown, unknown>) => (Either.isLeft(outcome) ? errnoOf(outcome.left) : "none")

describe("a faulty file system", () => {
  /** A file system with a plan, a life, and a file of nine bytes that the plan did not see being made. */
  const faulty = Effect.gen(function* () {
    const real = yield* FileSystem.FileSystem
    const file = `${yield* real.makeTempDirectoryScoped()}/page`
    yield* real.writeFileString(file, "old bytes")
    const plan = makePlan<FileFault>()
    const life = yield* begin
    const layer = faultyFiles({ plan, life, activity: unnoticed, sync: true })
    const fs = yield* Effect.provide(FileSystem.FileSystem, layer)
    return { real, file, plan, life, fs }
  })
  const scenario = <E>(name: string, body: Effect.Effect<void, E, Layer.Layer.Success<typeof NodeContext.layer>>) =>
    it.effect(name, () => Effect.provide(body, NodeContext.layer))
  const scoped = <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.scoped(body)

  scenario(
    "passes what the plan does not mention, and notes it",
    scoped(
      Effect.gen(function* () {
        const { file, fs, plan } = yield* faulty
        expect(yield* fs.readFileString(file)).toBe("old bytes")
        expect(plan.calls).toEqual([{ operation: "readFile", target: file, fault: undefined }])
      })
    )
  )

  scenario(
    "fails the next calls with the errno of the plan, and does nothing",
    scoped(
      Effect.gen(function* () {
        const { file, fs, plan, real } = yield* faulty
        plan.failNext(2, FileFault.Fail({ errno: "ENOSPC" }))
        expect(errno(yield* Effect.either(fs.writeFileString(file, "new")))).toBe("ENOSPC")
        expect(errno(yield* Effect.either(fs.remove(file)))).toBe("ENOSPC")
        expect(yield* real.readFileString(file)).toBe("old bytes")
        yield* fs.remove(file)
        expect(yield* real.exists(file)).toBe(false)
      })
    )
  )

  scenario(
    "fails what matches until it is calm, calls on open files too",
    scoped(
      Effect.gen(function* () {
        const { file, fs, plan } = yield* faulty
        plan.failWhere(({ operation }) => operation === "file.sync", FileFault.Fail({ errno: "EIO" }))
        const handle = yield* fs.open(file, { flag: "r+" })
        yield* handle.truncate(3)
        expect(errno(yield* Effect.either(handle.sync))).toBe("EIO")
        plan.calm()
        expect(errno(yield* Effect.either(handle.sync))).toBe("none")
      })
    )
  )

  scenario(
    "tears a write: part of the bytes is there, and the call fails",
    scoped(
      Effect.gen(function* () {
        const { file, fs, plan, real } = yield* faulty
        plan.failAfter(({ operation }) => operation === "open", 1, FileFault.Tear({ errno: "EIO", part: 0.5 }))
        const handle = yield* fs.open(file, { flag: "w" })
        expect(errno(yield* Effect.either(handle.writeAll(new TextEncoder().encode("12345678"))))).toBe("EIO")
        expect(yield* real.readFileString(file)).toBe("1234")
      })
    )
  )

  scenario(
    "kills: the call and all later ones do nothing, no finaliser runs, and the open file is the system's to close",
    scoped(
      Effect.gen(function* () {
        const { file, fs, life, plan, real } = yield* faulty
        const finalised: Array<string> = []
        plan.failAt(2, FileFault.Crash())
        const outcome = yield* life.run(
          Effect.scoped(
            Effect.gen(function* () {
              yield* Effect.addFinalizer(() => Effect.sync(() => finalised.push("finaliser")))
              const handle = yield* fs.open(file, { flag: "w" })
              yield* handle.writeAll(new TextEncoder().encode("never"))
            })
          ).pipe(Effect.ensuring(fs.remove(file).pipe(Effect.ignore)))
        )
        expect(outcome).toEqual(Option.none())
        expect(life.isOver()).toBe(true)
        expect(finalised).toEqual([])
        expect(yield* real.readFileString(file)).toBe("")
        const late = yield* Effect.fork(fs.remove(file))
        yield* Effect.yieldNow()
        expect(yield* Fiber.poll(late)).toEqual(Option.none())
        expect(yield* real.exists(file)).toBe(true)
      })
    )
  )

  scenario(
    "draws the same faults for the same seed",
    scoped(
      Effect.gen(function* () {
        const drawn = (seed: number) =>
          Effect.gen(function* () {
            const { file, fs, plan } = yield* faulty
            plan.plan(seed, { rate: 0.5, faults: ["EIO", "EACCES"].map((code) => FileFault.Fail({ errno: code })) })
            return yield* Effect.forEach(Array.from({ length: 20 }), () =>
              Effect.map(Effect.either(fs.stat(file)), errno)
            )
          })
        const one = yield* drawn(7)
        expect(yield* drawn(7)).toEqual(one)
        expect(yield* drawn(8)).not.toEqual(one)
        expect(new Set(one)).toEqual(new Set(["none", "EIO", "EACCES"]))
      })
    )
  )
})

describe("a faulty clock", () => {
  it.live("lets time pass only when nothing else happens, and then at once", () =>
    Effect.gen(function* () {
      const clock = makeClock(1_000)
      const times = yield* Effect.forEach(
        ["2 days", "1 hour"] as const,
        (wait) => Effect.zipRight(Effect.sleep(wait), Clock.currentTimeMillis),
        { concurrency: 2 }
      ).pipe(Effect.provide(clock.layer))
      expect(times).toEqual([1_000 + 2 * 86_400_000, 1_000 + 3_600_000])
    })
  )

  it.live("does not run out on a call that is under way", () =>
    Effect.gen(function* () {
      const clock = makeClock(0)
      // Real time, which the clock does not know.
      const call = clock.during(Effect.promise(() => new Promise<string>((done) => setTimeout(done, 30, "answer"))))
      const answer = yield* Effect.timeoutOption(call, "10 seconds").pipe(Effect.provide(clock.layer))
      expect(answer).toEqual(Option.some("answer"))
      expect(clock.clock.unsafeCurrentTimeMillis()).toBe(0)
    })
  )

  it.live("jumps forth and back, and wakes nobody by it", () =>
    Effect.gen(function* () {
      const clock = makeClock(1_000_000)
      yield* Effect.gen(function* () {
        const sleeper = yield* Effect.fork(Effect.sleep("1 hour"))
        yield* Effect.yieldNow()
        clock.jump(7_200_000)
        expect(yield* Fiber.poll(sleeper)).toEqual(Option.none())
        clock.jump(-7_300_000)
        expect(yield* Clock.currentTimeMillis).toBe(900_000)
        yield* Fiber.join(sleeper)
        expect(yield* Clock.currentTimeMillis).toBe(900_000 + 3_600_000)
      }).pipe(Effect.provide(clock.layer))
    })
  )
})

describe("a faulty HTTP client", () => {
  /** A server that counts what it handles, behind a client with a plan. */
  const faulty = Effect.gen(function* () {
    let handled = 0
    const server = HttpClient.make((request) =>
      Effect.sync(() => HttpClientResponse.fromWeb(request, new Response(`answer ${++handled}`)))
    )
    const plan = makePlan<HttpFault>()
    const life = yield* begin
    const layer = Layer.provide(
      faultyHttp({ plan, life, activity: unnoticed }),
      Layer.succeed(HttpClient.HttpClient, server)
    )
    const client = yield* Effect.provide(HttpClient.HttpClient, layer)
    const ask = client.execute(HttpClientRequest.get("http://server.test/page")).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (text) => `${response.status} ${text}`)),
      Effect.catchAll(({ _tag, reason }) => Effect.succeed(`${_tag} ${reason}`))
    )
    return { plan, life, ask, handled: () => handled }
  })
  const meets = (name: string, fault: HttpFault, answer: string, seen: number) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        const { ask, handled, plan } = yield* faulty
        plan.failNext(1, fault)
        expect(yield* ask).toBe(answer)
        expect(handled()).toBe(seen)
        expect(yield* ask).toBe(`200 answer ${seen + 1}`)
      })
    )

  meets("loses a request before the server saw it", HttpFault.LostRequest(), "RequestError Transport", 0)
  meets("loses an answer after the server handled the request", HttpFault.LostAnswer(), "RequestError Transport", 1)
  meets("cuts an answer in its body", HttpFault.CutAnswer({ part: 0.5 }), "ResponseError Decode", 1)
  meets("sends a request twice", HttpFault.Duplicate(), "200 answer 2", 2)
  const page = "<html><title>Bad Gateway</title></html>"
  meets("answers in the server's place", HttpFault.Status({ status: 503, handled: false }), `503 ${page}`, 0)
  meets("answers over the server's answer", HttpFault.Status({ status: 502, handled: true }), `502 ${page}`, 1)

  it.live("delays on the clock: a caller that gives up first was not heard, or was", () =>
    Effect.gen(function* () {
      const clock = makeClock(0)
      const { ask, handled, plan } = yield* faulty
      const impatient = Effect.provide(Effect.timeoutOption(ask, "10 seconds"), clock.layer)
      plan.failNext(1, HttpFault.Delay({ by: Duration.seconds(60) }))
      expect(yield* impatient).toEqual(Option.none())
      expect(handled()).toBe(0)
      plan.failNext(1, HttpFault.SlowAnswer({ by: Duration.seconds(60) }))
      expect(yield* impatient).toEqual(Option.none())
      expect(handled()).toBe(1)
    })
  )

  for (const handled of [false, true]) {
    it.effect(`kills the process ${handled ? "after the server has done its work" : "before it sends"}`, () =>
      Effect.gen(function* () {
        const one = yield* faulty
        one.plan.failNext(1, HttpFault.Crash({ handled }))
        expect(yield* one.life.run(one.ask)).toEqual(Option.none())
        expect(one.handled()).toBe(handled ? 1 : 0)
      })
    )
  }

  it.effect("lets something else happen before or after the server's work", () =>
    Effect.gen(function* () {
      const { ask, handled, life, plan } = yield* faulty
      const seen: Array<number> = []
      const look = Effect.sync(() => void seen.push(handled()))
      plan.failNext(1, HttpFault.Meanwhile({ before: look, after: look }))
      expect(yield* life.run(ask)).toEqual(Option.some(Exit.succeed("200 answer 1")))
      expect(seen).toEqual([0, 1])
    })
  )
})
