import { FileSystem, Path } from "@effect/platform"
import { type Duration, Effect, Schedule } from "effect"
import { fileFailure } from "../files/Errno.ts"
import type { FileFailure } from "../files/FileFailure.ts"
import { lazyDatabase } from "./LazyDatabase.ts"
import { SqliteFailure } from "../sqlite/SqliteDriver.ts"
import { databaseFailure, ensureFolder } from "./StoreFolder.ts"

/** A lock between processes, which the operating system frees when its holder dies. For one fiber at a time. */
export interface FileLock {
  /** None of it is held after a failure or an interruption. Call it where it is not interruptible. */
  readonly acquire: Effect.Effect<void, FileFailure | SqliteFailure>
  readonly release: Effect.Effect<void>
}

/**
 * An open `BEGIN IMMEDIATE` on `.contexo/.sync/<name>`. Nothing is ever written there.
 *
 * Errors: `SqliteFailure` of code `busy` when another process held it for all of `wait`.
 */
export const make = Effect.fnUntraced(function* (contexo: string, name: string, wait: Duration.Duration) {
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const path = (yield* Path.Path).join(contexo, ".sync", name)
  // No journal beside it either: there is never anything to roll back.
  const database = yield* lazyDatabase({ path, busyTimeoutMs: 0, journal: "rollback" }, (db) =>
    db.exec("PRAGMA journal_mode = MEMORY")
  )
  const begin = Effect.gen(function* () {
    yield* ensureFolder(contexo, ".sync")
    const db = yield* database.current
    yield* db.exec("BEGIN IMMEDIATE")
    // Somebody may have removed the file meanwhile: a lock on a file without a name keeps nobody out.
    if ((yield* database.current) !== db) {
      return yield* new SqliteFailure({ path, reason: "the lock file was replaced", code: "busy" })
    }
  }).pipe(Effect.provide(platform))

  const release = Effect.flatMap(database.current, (db) => db.exec("ROLLBACK")).pipe(Effect.ignore)
  const acquire: FileLock["acquire"] = begin.pipe(
    Effect.catchIf(isCode("corrupt"), () => Effect.zipRight(Effect.provide(empty(path), platform), begin)),
    Effect.retry({ while: isBusy, schedule: Schedule.upTo(polling, wait) }),
    Effect.mapError((failure) =>
      failure._tag === "SqliteFailure" && !isBusy(failure) ? databaseFailure("lock")(failure) : failure
    ),
    Effect.interruptible,
    Effect.onInterrupt(() => release)
  )
  return { acquire, release } satisfies FileLock
})

const isCode = (code: SqliteFailure["code"]) => (failure: SqliteFailure | FileFailure) =>
  failure._tag === "SqliteFailure" && failure.code === code

const isBusy = isCode("busy")

/** Quick at first, then some forty tries a second, spread so that waiting processes do not march in step. */
const polling = Schedule.exponential("1 millis").pipe(
  Schedule.union(Schedule.spaced("25 millis")),
  Schedule.jitteredWith({ min: 0.3, max: 1.5 })
)

/** A file that is no database holds no lock and nothing of value. Emptied in place: removing it would part its holders. */
const empty = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.truncate(path, 0)).pipe(Effect.mapError(fileFailure(path, "repair")))
