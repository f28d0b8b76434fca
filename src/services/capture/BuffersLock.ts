import { Duration, Effect } from "effect"
import * as FileLock from "../project/FileLock.ts"
import { databaseFailure } from "../project/StoreFolder.ts"
import { captureLock } from "./CaptureLockDriver.ts"

/** Runs while no hook and no other process writes or moves a capture buffer. Waits for them for up to 30 seconds. */
export const withBuffersLock = <A, E, R>(contexo: string, effect: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.flatMap(FileLock.make(contexo, captureLock, Duration.seconds(30)), (lock) =>
      Effect.acquireUseRelease(
        Effect.mapError(lock.acquire, (failure) =>
          failure._tag === "SqliteFailure" ? databaseFailure("lock")(failure) : failure
        ),
        () => effect,
        () => lock.release
      )
    )
  )
