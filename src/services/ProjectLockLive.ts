import { FileSystem, Path } from "@effect/platform"
import { Duration, Effect, FiberRef, Layer, Schedule } from "effect"
import { fileFailure } from "./Errno.ts"
import type { FileFailure } from "./FileFailure.ts"
import { lazyDatabase } from "./LazyDatabase.ts"
import { Project } from "./Project.ts"
import { LockTimeout, ProjectLock } from "./ProjectLock.ts"
import { type SqliteDatabase, SqliteFailure } from "./sqlite/SqliteDriver.ts"
import { databaseFailure, ensureFolder } from "./StoreFolder.ts"

export interface LockOptions {
  /** How long a turn is waited for: first among the fibers of this process, then among processes. Default 30 seconds. */
  readonly wait?: Duration.DurationInput
}

/** One `run`. A fiber that was forked in it and outlives it finds it over, and takes its own turn. */
interface Hold {
  over: boolean
}

/**
 * The lock is an open `BEGIN IMMEDIATE` on `.contexo/.sync/lock.db`. Nothing is ever written there, and the operating
 * system gives the lock back when its holder dies.
 *
 * Source: design.md rule 1; public cases A31, A33.
 */
export const make = Effect.fnUntraced(function* (options: LockOptions = {}) {
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const { contexo } = yield* Project
  const path = (yield* Path.Path).join(contexo, ".sync", "lock.db")
  const wait = Duration.decode(options.wait ?? "30 seconds")
  const timedOut = () => new LockTimeout({ path, seconds: Duration.toSeconds(wait) })

  const turn = yield* Effect.makeSemaphore(1)
  const holding = yield* FiberRef.make<Hold>({ over: true })
  // No journal beside it either: there is never anything to roll back.
  const database = yield* lazyDatabase({ path, busyTimeoutMs: 0, journal: "rollback" }, (db) =>
    db.exec("PRAGMA journal_mode = MEMORY")
  )

  const begin = Effect.gen(function* () {
    yield* ensureFolder(contexo, ".sync")
    const db = yield* database.current
    yield* db.exec("BEGIN IMMEDIATE")
    // Somebody may have removed the file meanwhile: a lock on a file without a name keeps nobody out.
    if ((yield* database.current) === db) return db
    return yield* new SqliteFailure({ path, reason: "the lock file was replaced", code: "busy" })
  }).pipe(Effect.provide(platform))

  const release = Effect.flatMap(database.current, (db: SqliteDatabase) => db.exec("ROLLBACK")).pipe(Effect.ignore)

  const acquire: Effect.Effect<void, LockTimeout | FileFailure> = begin.pipe(
    Effect.catchIf(isCorrupt, () => Effect.zipRight(empty(path).pipe(Effect.provide(platform)), begin)),
    Effect.retry({ while: isBusy, schedule: Schedule.upTo(patience, wait) }),
    Effect.mapError((failure) => (isBusy(failure) ? timedOut() : inPlain(failure))),
    Effect.interruptible,
    Effect.onInterrupt(() => release),
    Effect.asVoid
  )
  const takeTurn = Effect.interruptible(turn.take(1)).pipe(Effect.timeoutFail({ duration: wait, onTimeout: timedOut }))

  const alone = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | LockTimeout | FileFailure, R> =>
    Effect.acquireUseRelease(
      takeTurn,
      () =>
        Effect.acquireUseRelease(
          Effect.as(acquire, { over: false }),
          (hold) => Effect.locally(effect, holding, hold),
          (hold) =>
            Effect.zipRight(
              Effect.sync(() => Object.assign(hold, { over: true })),
              release
            )
        ),
      () => turn.release(1)
    )

  return ProjectLock.of({
    run: (effect) => Effect.flatMap(FiberRef.get(holding), (hold) => (hold.over ? alone(effect) : effect))
  })
})

export const layer: Layer.Layer<ProjectLock, never, FileSystem.FileSystem | Path.Path | Project> = Layer.scoped(
  ProjectLock,
  make()
)

const isBusy = (failure: SqliteFailure | FileFailure) => failure._tag === "SqliteFailure" && failure.code === "busy"
const isCorrupt = (failure: SqliteFailure | FileFailure) =>
  failure._tag === "SqliteFailure" && failure.code === "corrupt"

/** Quick at first, then some forty tries a second, spread so that waiting processes do not march in step. */
const patience = Schedule.exponential("1 millis").pipe(
  Schedule.union(Schedule.spaced("25 millis")),
  Schedule.jitteredWith({ min: 0.3, max: 1.5 })
)

const inPlain = (failure: SqliteFailure | FileFailure): FileFailure =>
  failure._tag === "SqliteFailure" ? databaseFailure("lock")(failure) : failure

/** A file that is no database holds no lock and nothing of value. Emptied in place: removing it would part its holders. */
const empty = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.truncate(path, 0)).pipe(Effect.mapError(fileFailure(path, "repair")))
