import { FileSystem, Path } from "@effect/platform"
import { Duration, Effect, Schedule, Scope } from "effect"
import type { FileFailure } from "../files/FileFailure.ts"
import { lazyDatabase } from "../project/LazyDatabase.ts"
import { Project } from "../project/Project.ts"
import { open, type SqliteDatabase, type SqliteFailure } from "../sqlite/SqliteDriver.ts"
import { ensureFolder } from "../project/StoreFolder.ts"
import { prepare } from "./SearchTables.ts"

/** Runs work on an index, whatever becomes of its file. */
export interface SearchDatabase {
  readonly use: <A>(work: (db: SqliteDatabase) => Effect.Effect<A, SqliteFailure>) => Effect.Effect<A, SqliteFailure>
}

/** How long another process may hold the file before this one goes without it. */
const patience = Duration.seconds(20)

/** An index that lives as long as the scope, and leaves nothing behind. */
export const inMemory = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const opened = Effect.tap(open({ path: ":memory:", journal: "rollback" }), prepare).pipe(
    Effect.provideService(Scope.Scope, scope)
  )
  const database = yield* Effect.cached(opened)
  return { use: (work) => Effect.flatMap(database, work) } satisfies SearchDatabase
})

/**
 * The index in `.contexo/.cache/search.db`. Missing, corrupt or of another version: made anew. Not writable, or held by
 * another process for long: this process makes one in its memory.
 *
 * Gotcha: one caller at a time.
 */
export const onDisk = Effect.gen(function* () {
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const fs = yield* FileSystem.FileSystem
  const { contexo } = yield* Project
  const path = (yield* Path.Path).join(contexo, ".cache", "search.db")
  const file = yield* lazyDatabase({ path, busyTimeoutMs: 100, journal: "rollback" }, prepare)
  const memory = yield* inMemory
  let lost = false

  const discard = Effect.zipRight(
    file.close,
    Effect.forEach([path, `${path}-journal`], (name) => Effect.ignore(fs.remove(name)), { discard: true })
  )
  const folder = Effect.provide(ensureFolder(contexo, ".cache"), platform)

  const use = <A>(work: (db: SqliteDatabase) => Effect.Effect<A, SqliteFailure>) => {
    const once: Effect.Effect<A, SqliteFailure | FileFailure> = Effect.zipRight(
      folder,
      Effect.flatMap(file.current, work)
    )
    const onFile = once.pipe(
      Effect.retry({ while: isBusy, schedule: whileBusy }),
      Effect.catchIf(isBroken, () => Effect.zipRight(discard, once))
    )
    const without = (failure: SqliteFailure | FileFailure) =>
      Effect.zipRight(
        Effect.logDebug(`the search index is kept in memory: ${failure.message}`),
        Effect.suspend(() => {
          lost = true
          return memory.use(work)
        })
      )
    return Effect.suspend(() => (lost ? memory.use(work) : Effect.catchAll(onFile, without)))
  }
  return { use } satisfies SearchDatabase
})

const whileBusy = Schedule.spaced("50 millis").pipe(Schedule.jittered, Schedule.upTo(patience))

const isBusy = (error: SqliteFailure | FileFailure): boolean => error._tag === "SqliteFailure" && error.code === "busy"

const isBroken = (error: SqliteFailure | FileFailure): boolean =>
  error._tag === "SqliteFailure" && (error.code === "corrupt" || error.code === "other")
