import type { SqlError } from "@effect/sql"
import { Effect, Option } from "effect"
import { StoreUnavailable } from "../ServerStore.ts"

/** Rows per statement, so that no engine runs out of parameters (A24). */
export const batchSize = 500

/** The one failure that a store has of its own. */
export const unavailable = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError.SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError> | StoreUnavailable, R> =>
  Effect.catchIf(effect, isSqlError, (error) => new StoreUnavailable({ reason: error.message }))

const isSqlError = (error: unknown): error is SqlError.SqlError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "SqlError"

export const first = <A>(rows: ReadonlyArray<A>): Option.Option<A> => Option.fromNullable(rows[0])

/** RFC 3339 in UTC, whole seconds. */
export const isoSeconds = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(".000Z", "Z")

/** RFC 3339 in UTC from milliseconds since the epoch, or null. */
export const isoMillis = (millis: number): string => new Date(millis).toISOString()
