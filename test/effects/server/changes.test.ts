import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, TestClock } from "effect"
import { changes, type ChangesQuery } from "../../../src/effects/server/changes.ts"
import { push } from "../../../src/effects/server/push.ts"
import { ChangeSignal } from "../../../src/services/server/ChangeSignal.ts"
import { CurrentUser } from "../../../src/services/sync/CurrentUser.ts"
import { SecureRandom } from "../../../src/services/server/SecureRandom.ts"
import { ServerStore } from "../../../src/services/server/ServerStore.ts"
import { layer as sqlite } from "../../../src/services/server/ServerStoreSqlite.ts"
import { ana, land, path, repo, unknownSha, withRepo } from "../../services/server/fixtures.ts"

const services = Layer.unwrapScoped(
  Effect.map(
    Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()),
    (folder) => sqlite(`${folder}/server.db`)
  )
).pipe(
  Layer.merge(ChangeSignal.layer),
  Layer.merge(SecureRandom.layer),
  Layer.provide(NodeContext.layer),
  Layer.merge(Layer.succeed(CurrentUser, ana))
)

const ask = (query: ChangesQuery) => changes("team", query)

/** Asks, and goes on when the question waits. */
const waiting = (query: ChangesQuery) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(ask(query))
    const signal = yield* ChangeSignal
    yield* Effect.repeat(Effect.zipRight(Effect.yieldNow(), signal.listening), { until: (listening) => listening > 0 })
    return fiber
  })

const shas = ({ commits }: Effect.Effect.Success<ReturnType<typeof ask>>) => commits.map(({ sha }) => sha)

describe("changes", () => {
  it.effect("without a point it tells the head; from one answer to the next, everything once", () =>
    Effect.gen(function* () {
      yield* withRepo
      const empty = { head: "", head_seq: 0, commits: [], next_since: "0", more: false }
      expect([yield* ask({}), yield* ask({ since: "0" }), yield* ask({ wait: 55 })]).toEqual([empty, empty, empty])
      const one = yield* land(path, "one")
      const two = yield* land(path, "two", one)
      const three = yield* land(path, undefined, two)
      const first = yield* ask({ since: "0", limit: 2 })
      expect(first).toMatchObject({ head: three, head_seq: 3, next_since: two, more: true })
      expect(shas(first)).toEqual([one, two])
      const rest = yield* ask({ since: first.next_since, limit: 2 })
      expect(rest).toMatchObject({ next_since: three, more: false, commits: [{ seq: 3, paths: [], deleted: [path] }] })
      expect(yield* ask({ since: rest.next_since })).toMatchObject({ commits: [], next_since: three, more: false })
      expect(shas(yield* ask({ since: "1", wait: 55 }))).toEqual([two, three])
    }).pipe(Effect.provide(services))
  )

  it.effect("A40: a point that is none of the repository's is another history; what is no point is refused", () =>
    Effect.gen(function* () {
      yield* withRepo
      yield* land(path, "one")
      for (const [since, tag] of [
        [unknownSha, "ForeignHistory"],
        ["2", "ForeignHistory"],
        ["HEAD", "InvalidRequest"],
        ["-1", "InvalidRequest"],
        ["1; DROP TABLE commits", "InvalidRequest"]
      ] as const) {
        expect([since, (yield* Effect.flip(ask({ since, wait: 9 })))._tag]).toEqual([since, tag])
      }
      expect((yield* Effect.flip(changes("other", { since: "0", wait: 9 })))._tag).toBe("NotFound")
    }).pipe(Effect.provide(services))
  )

  it.effect("who waits is answered when a push lands, and leaves nothing behind", () =>
    Effect.gen(function* () {
      yield* withRepo
      const head = yield* land(path, "one")
      const fiber = yield* waiting({ since: head, wait: 30 })
      yield* push("team", { files: [{ path, content: "two", parent_sha: head }] })
      expect(yield* Fiber.join(fiber)).toMatchObject({ commits: [{ seq: 2, paths: [path] }] })
      expect(yield* (yield* ChangeSignal).listening).toBe(0)
    }).pipe(Effect.provide(services))
  )

  it.effect("a push through another server on the same store is seen within seconds, without any signal", () =>
    Effect.gen(function* () {
      yield* withRepo
      const fiber = yield* waiting({ since: "0", wait: 30 })
      const sha = yield* land(path, "one")
      yield* TestClock.adjust("5 seconds")
      expect(shas(yield* Fiber.join(fiber))).toEqual([sha])
    }).pipe(Effect.provide(services))
  )

  it.effect("a signal that brings nothing is waited over; when the time is up, nothing new is the answer", () =>
    Effect.gen(function* () {
      yield* withRepo
      const head = yield* land(path, "one")
      const fiber = yield* waiting({ since: head, wait: 300 })
      yield* (yield* ChangeSignal).notify(repo)
      yield* TestClock.adjust("54 seconds")
      expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
      yield* TestClock.adjust("1 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ head, commits: [], next_since: head })
    }).pipe(Effect.provide(services))
  )

  it.effect("the end of the server ends the wait", () =>
    Effect.gen(function* () {
      yield* withRepo
      const fiber = yield* waiting({ since: "0", wait: 55 })
      yield* (yield* ChangeSignal).close
      expect(yield* Fiber.join(fiber)).toMatchObject({ head_seq: 0, commits: [] })
      expect(yield* ask({ since: "0", wait: 55 })).toMatchObject({ commits: [] })
    }).pipe(Effect.provide(services))
  )

  it.effect("who may not read any more hears nothing of what lands meanwhile", () =>
    Effect.gen(function* () {
      const store = yield* withRepo
      const bob = { id: "u-bob", email: "bob@example.com", name: "Bob" }
      yield* store.addUser(bob)
      yield* store.addMember(repo, bob.id, "reader", 0)
      let removed = false
      const fiber = yield* waiting({ since: "0", wait: 55 }).pipe(
        Effect.provideService(CurrentUser, bob),
        // A store in which the membership ends while Bob waits.
        Effect.provideService(ServerStore, {
          ...store,
          standingOf: (...args) => (removed ? Effect.succeed("stranger") : store.standingOf(...args))
        })
      )
      removed = true
      yield* push("team", { files: [{ path, content: "secret" }] })
      expect((yield* Effect.flip(Fiber.join(fiber)))._tag).toBe("NotAllowed")
    }).pipe(Effect.provide(services))
  )
})
