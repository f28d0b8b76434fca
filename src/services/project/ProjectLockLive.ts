import { type FileSystem, Path } from "@effect/platform"
import { Duration, Effect, FiberRef, Layer } from "effect"
import * as FileLock from "./FileLock.ts"
import type { FileFailure } from "../files/FileFailure.ts"
import { Project } from "./Project.ts"
import { LockTimeout, ProjectLock } from "./ProjectLock.ts"
import type { SqliteFailure } from "../sqlite/SqliteDriver.ts"
import * as Turn from "./Turn.ts"

export interface LockOptions {
  /**
   * How long to wait while nobody lets go, first among the fibers of this process, then among processes. Default 30 seconds.
   */
  readonly wait?: Duration.DurationInput
}

/** One `run`. A fiber that was forked in it and outlives it finds it over, and takes its own turn. */
interface Hold {
  over: boolean
}

/**
 * Fibers of one process queue in memory. The first of them then waits at `next.db` and, past that, for `lock.db`. The gate
 * is what keeps a process with a long queue from taking every turn: whoever stands in it comes before the one that holds.
 *
 * Source: design.md rule 1; public cases A31, A33.
 */
export const make = Effect.fnUntraced(function* (options: LockOptions = {}) {
  const { contexo } = yield* Project
  const path = (yield* Path.Path).join(contexo, ".sync", "lock.db")
  const wait = Duration.decode(options.wait ?? "30 seconds")
  const timedOut = () => new LockTimeout({ path, seconds: Duration.toSeconds(wait) })

  const turn = yield* Turn.make(wait)
  const gate = yield* FileLock.make(contexo, "next.db", wait)
  const lock = yield* FileLock.make(contexo, "lock.db", wait)
  const holding = yield* FiberRef.make<Hold>({ over: true })

  const acquire: Effect.Effect<void, FileFailure | LockTimeout> = Effect.zipRight(
    gate.acquire,
    Effect.ensuring(lock.acquire, gate.release)
  ).pipe(
    Effect.mapError((failure: FileFailure | SqliteFailure) => (failure._tag === "SqliteFailure" ? timedOut() : failure))
  )
  const alone = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | LockTimeout | FileFailure, R> =>
    Effect.acquireUseRelease(
      Effect.mapError(turn.take, timedOut),
      () =>
        Effect.acquireUseRelease(
          Effect.as(acquire, { over: false }),
          (hold) => Effect.locally(effect, holding, hold),
          (hold) =>
            Effect.zipRight(
              Effect.sync(() => Object.assign(hold, { over: true })),
              lock.release
            )
        ),
      () => turn.release
    )

  return ProjectLock.of({
    run: (effect) => Effect.flatMap(FiberRef.get(holding), (hold) => (hold.over ? alone(effect) : effect))
  })
})

export const layer: Layer.Layer<ProjectLock, never, FileSystem.FileSystem | Path.Path | Project> = Layer.scoped(
  ProjectLock,
  make()
)
