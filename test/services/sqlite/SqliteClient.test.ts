import { Reactivity } from "@effect/experimental"
import { Command, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Layer, Option } from "effect"
import { layer as sqlite, make, sqliteFailureOf } from "../../../src/services/sqlite/SqliteClient.ts"

const file = Effect.map(
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()),
  (folder) => `${folder}/a.db`
)
const withCounter = (path: string) =>
  Effect.flatMap(Layer.build(sqlite({ path })), (context) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE counter (n INTEGER NOT NULL)`
      yield* sql`INSERT INTO counter VALUES (0)`
      return sql
    }).pipe(Effect.provide(context))
  )
const count = (sql: SqlClient.SqlClient) => Effect.map(sql<{ n: number }>`SELECT n FROM counter`, (rows) => rows[0]?.n)

describe("SqliteClient", () => {
  layer(NodeContext.layer)((it) => {
    it.scoped(
      "A33: 4 processes, 400 read-then-write transactions, none lost",
      () =>
        Effect.gen(function* () {
          const path = yield* file
          const sql = yield* withCounter(path)
          const child = Command.make(process.execPath, `${import.meta.dirname}/increment.ts`, path, "100")
          const codes = yield* Effect.all(
            Array.from({ length: 4 }, () => Command.exitCode(child)),
            { concurrency: 4 }
          )
          expect(codes).toEqual([0, 0, 0, 0])
          expect(yield* count(sql)).toBe(400)
        }),
      60_000
    )

    it.scoped("100 fibers of one process take turns", () =>
      Effect.gen(function* () {
        const sql = yield* withCounter(yield* file)
        const addOne = sql.withTransaction(
          Effect.gen(function* () {
            const n = yield* count(sql)
            yield* Effect.yieldNow()
            yield* sql`UPDATE counter SET n = ${(n ?? 0) + 1}`
          })
        )
        yield* Effect.all(
          Array.from({ length: 100 }, () => addOne),
          { concurrency: "unbounded" }
        )
        expect(yield* count(sql)).toBe(100)
      })
    )

    it.scoped("a failed or interrupted transaction leaves nothing; a nested one undoes only itself", () =>
      Effect.gen(function* () {
        const sql = yield* withCounter(yield* file)
        const set = (n: number) => sql`UPDATE counter SET n = ${n}`
        expect(yield* Effect.flip(sql.withTransaction(Effect.zipRight(set(5), Effect.fail("no"))))).toBe("no")
        expect(yield* count(sql)).toBe(0)

        const begun = yield* Deferred.make<void>()
        const waiting = yield* Effect.fork(
          sql.withTransaction(
            set(6).pipe(Effect.zipRight(Deferred.succeed(begun, undefined)), Effect.zipRight(Effect.never))
          )
        )
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(waiting)
        expect(yield* count(sql)).toBe(0)

        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* set(7)
            yield* Effect.ignore(sql.withTransaction(Effect.zipRight(set(8), Effect.fail("inner"))))
            yield* Effect.ignore(sql`NOT SQL`)
          })
        )
        expect(yield* count(sql)).toBe(7)
      })
    )

    it.scoped("waits without blocking the process, and says busy when the wait is over", () =>
      Effect.gen(function* () {
        const path = yield* file
        const sql = yield* withCounter(path)
        const other = yield* make({ path, busyTimeoutMs: 1, busyWait: "200 millis" })
        const held = yield* Deferred.make<void>()
        const letGo = yield* Deferred.make<void>()
        const holder = yield* Effect.fork(
          sql.withTransaction(Effect.zipRight(Deferred.succeed(held, undefined), Deferred.await(letGo)))
        )
        yield* Deferred.await(held)
        const refused = yield* Effect.flip(other.withTransaction(other`UPDATE counter SET n = 1`))
        expect(Option.map(sqliteFailureOf(refused), (failure) => failure.code)).toEqual(Option.some("busy"))
        yield* Deferred.succeed(letGo, undefined)
        yield* Fiber.join(holder)
        yield* other.withTransaction(other`UPDATE counter SET n = 2`)
        expect(yield* count(sql)).toBe(2)
      }).pipe(Effect.provide(Reactivity.layer), Effect.withClock(Clock.make()))
    )
  })
})
