import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { ProjectLock } from "../../../src/services/project/ProjectLock.ts"
import * as ProjectLockLive from "../../../src/services/project/ProjectLockLive.ts"
import { bundled, childAt, runChild } from "../../support/disk/children.ts"
import { projectAt, tempProject } from "../../support/disk/project.ts"

/** A lock of its own, as another process would have it. */
const lockOf = (root: string, options: ProjectLockLive.LockOptions = {}) =>
  Effect.provide(ProjectLockLive.make(options), projectAt(root))

describe("ProjectLock", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("admits one at a time, in the order of asking, and gives the result through", () =>
      Effect.gen(function* () {
        const lock = yield* lockOf(yield* tempProject)
        const seen: Array<string> = []
        const visit = (name: string) =>
          lock.run(
            Effect.gen(function* () {
              seen.push(`${name} in`)
              yield* Effect.sleep("5 millis")
              seen.push(`${name} out`)
              return name
            })
          )
        expect(yield* Effect.all([visit("a"), visit("b"), visit("c")], { concurrency: "unbounded" })).toEqual([
          "a",
          "b",
          "c"
        ])
        expect(seen).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"])
      })
    )

    it.scoped(
      "is re-entrant within a fiber and what it forks, and free after success, failure, defect and interruption",
      () =>
        Effect.gen(function* () {
          const root = yield* tempProject
          const lock = yield* lockOf(root, { wait: "2 seconds" })
          const other = yield* lockOf(root, { wait: "2 seconds" })
          expect(
            yield* lock.run(lock.run(Effect.all([lock.run(Effect.succeed(1)), lock.run(Effect.succeed(2))])))
          ).toEqual([1, 2])
          expect(yield* Effect.flip(lock.run(Effect.fail("mine")))).toBe("mine")
          yield* Effect.exit(lock.run(Effect.dieMessage("defect")))
          const started = yield* Deferred.make<void>()
          const hanging = yield* Effect.fork(
            lock.run(Effect.zipRight(Deferred.succeed(started, undefined), Effect.never))
          )
          yield* Deferred.await(started)
          yield* Fiber.interrupt(hanging)
          expect(yield* other.run(Effect.succeed("free"))).toBe("free")
        })
    )

    it.scoped("a fiber that outlives the run it was forked in takes its own turn", () =>
      Effect.gen(function* () {
        const root = yield* tempProject
        const lock = yield* lockOf(root)
        const go = yield* Deferred.make<void>()
        const late = yield* lock.run(
          Effect.forkDaemon(Effect.zipRight(Deferred.await(go), lock.run(Effect.succeed("turn"))))
        )
        const inside = yield* Deferred.make<void>()
        const leave = yield* Deferred.make<void>()
        const holder = yield* Effect.fork(
          lock.run(Effect.zipRight(Deferred.succeed(inside, undefined), Deferred.await(leave)))
        )
        yield* Deferred.await(inside)
        yield* Deferred.succeed(go, undefined)
        yield* Effect.sleep("50 millis")
        expect(Option.isNone(yield* Fiber.poll(late))).toBe(true)
        yield* Deferred.succeed(leave, undefined)
        yield* Fiber.join(holder)
        expect(yield* Fiber.join(late)).toBe("turn")
      })
    )

    it.scoped(
      "says who and how long when another process does not let go, and is free when that process dies (A33)",
      () =>
        Effect.gen(function* () {
          const root = yield* tempProject
          const impatient = yield* lockOf(root, { wait: "300 millis" })
          const patient = yield* lockOf(root, { wait: "20 seconds" })
          const child = yield* childAt("held", yield* bundled("./holdLock.ts"), root)
          const failure = yield* Effect.flip(impatient.run(Effect.void))
          expect(failure).toMatchObject({ _tag: "LockTimeout", path: `${root}/.contexo/.sync/lock.db`, seconds: 0.3 })
          const waiting = yield* Effect.fork(patient.run(Effect.succeed("mine now")))
          yield* child.kill
          expect(yield* Fiber.join(waiting)).toBe("mine now")
        })
    )

    it.scoped(
      "a fiber of this process that does not let go is a LockTimeout too, and a waiter can be interrupted",
      () =>
        Effect.gen(function* () {
          const lock = yield* lockOf(yield* tempProject, { wait: "200 millis" })
          const inside = yield* Deferred.make<void>()
          const holder = yield* Effect.fork(
            lock.run(Effect.zipRight(Deferred.succeed(inside, undefined), Effect.never))
          )
          yield* Deferred.await(inside)
          expect((yield* Effect.flip(lock.run(Effect.void)))._tag).toBe("LockTimeout")
          yield* Fiber.interrupt(yield* Effect.fork(lock.run(Effect.void)))
          yield* Fiber.interrupt(holder)
          expect(yield* lock.run(Effect.succeed("free"))).toBe("free")
        })
    )

    it.scoped("a process with a long queue lets another in between", () =>
      Effect.gen(function* () {
        const root = yield* tempProject
        const busy = yield* lockOf(root)
        const other = yield* lockOf(root)
        let done = 0
        const first = yield* Deferred.make<void>()
        const one = Effect.sleep("20 millis").pipe(
          Effect.zipRight(Deferred.succeed(first, undefined)),
          Effect.zipRight(Effect.sync(() => done++))
        )
        const queue = yield* Effect.fork(
          Effect.all(
            Array.from({ length: 40 }, () => busy.run(one)),
            { concurrency: "unbounded" }
          )
        )
        yield* Deferred.await(first)
        yield* other.run(Effect.void)
        expect(done).toBeLessThan(20)
        yield* Fiber.join(queue)
        expect(done).toBe(40)
      })
    )

    it.scoped("a queue that moves is waited in for longer than one that stands still", () =>
      Effect.gen(function* () {
        const lock = yield* lockOf(yield* tempProject, { wait: "300 millis" })
        const slow = lock.run(Effect.as(Effect.sleep("100 millis"), "done"))
        const all = yield* Effect.all(
          Array.from({ length: 8 }, () => slow),
          { concurrency: "unbounded" }
        )
        expect(all).toHaveLength(8)
      })
    )

    it.scoped("waiters that give up at the moment they are served pass their turn on", () =>
      Effect.gen(function* () {
        const lock = yield* lockOf(yield* tempProject, { wait: "5 seconds" })
        for (let round = 0; round < 30; round++) {
          const leave = yield* Deferred.make<void>()
          const holder = yield* Effect.fork(lock.run(Deferred.await(leave)))
          const waiters = yield* Effect.forEach([1, 2, 3], () => Effect.fork(lock.run(Effect.void)))
          yield* Effect.yieldNow()
          yield* Deferred.succeed(leave, undefined)
          yield* Effect.forEach(Array.from({ length: round % 6 }), () => Effect.yieldNow())
          yield* Fiber.interruptAll(waiters)
          yield* Fiber.join(holder)
        }
        expect(yield* lock.run(Effect.succeed("still served"))).toBe("still served")
      })
    )

    it.scoped("holding and releasing writes nothing", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const root = yield* tempProject
        const lock = yield* lockOf(root)
        const listing = Effect.all({
          names: fs.readDirectory(`${root}/.contexo/.sync`),
          info: Effect.map(fs.stat(`${root}/.contexo/.sync/lock.db`), ({ mtime, size }) => ({ mtime, size }))
        })
        yield* lock.run(Effect.void)
        const before = yield* listing
        expect(before).toMatchObject({ names: ["lock.db", "next.db"], info: { size: 0n } })
        yield* Effect.sleep("20 millis")
        expect(yield* lock.run(listing)).toEqual(before)
        expect(yield* listing).toEqual(before)
      })
    )

    it.scoped("works on after the file was removed, and when it holds something else", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const root = yield* tempProject
        const file = `${root}/.contexo/.sync/lock.db`
        const one = yield* lockOf(root, { wait: "200 millis" })
        const two = yield* lockOf(root, { wait: "200 millis" })
        yield* one.run(Effect.void)
        yield* fs.remove(`${root}/.contexo/.sync`, { recursive: true })
        yield* two.run(Effect.void)
        // Both must mean the new file.
        expect((yield* Effect.flip(one.run(two.run(Effect.void))))._tag).toBe("LockTimeout")
        yield* fs.writeFileString(file, "not a database, ".repeat(500))
        const three = yield* lockOf(root, { wait: "200 millis" })
        expect(yield* three.run(Effect.succeed("mine"))).toBe("mine")
      })
    )

    it.scoped("refuses a .sync that leads out of the project (A14)", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const root = yield* tempProject
        yield* fs.makeDirectory(`${root}/elsewhere`)
        yield* fs.symlink(`${root}/elsewhere`, `${root}/.contexo/.sync`)
        const failure = yield* Effect.flip((yield* lockOf(root)).run(Effect.void))
        expect(failure).toMatchObject({ _tag: "FileFailure", path: `${root}/.contexo/.sync` })
        expect(yield* fs.readDirectory(`${root}/elsewhere`)).toEqual([])
      })
    )

    it.scoped(
      "4 processes with 50 parallel read-modify-writes each lose none (A31)",
      () =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const root = yield* tempProject
          const file = `${root}/number`
          const child = yield* bundled("./countUp.ts")
          yield* fs.writeFileString(file, "0")
          yield* Effect.all(
            Array.from({ length: 4 }, () => runChild(child, root, file, "50")),
            {
              concurrency: "unbounded"
            }
          )
          expect(yield* fs.readFileString(file)).toBe("200")
        }),
      60_000
    )

    it.scoped("a layer provides it", () =>
      Effect.gen(function* () {
        const root = yield* tempProject
        const live = Layer.provide(ProjectLockLive.layer, projectAt(root))
        const result = yield* Effect.flatMap(ProjectLock, (lock) => lock.run(Effect.succeed(1))).pipe(
          Effect.provide(live)
        )
        expect(result).toBe(1)
      })
    )
  })
})
