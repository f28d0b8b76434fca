import { Reactivity } from "@effect/experimental"
import { SqlClient, SqlError, Statement, type SqlConnection } from "@effect/sql"
import { type Duration, Effect, Exit, Layer, Option, Schedule, Stream } from "effect"
import { open, type OpenOptions, type SqliteDatabase, SqliteFailure, type SqliteValue } from "./SqliteDriver.ts"

export interface SqliteClientOptions extends OpenOptions {
  /** How long a transaction or single statement is tried again while another process holds the file. Default 30 s. */
  readonly busyWait?: Duration.DurationInput
}

/**
 * An `@effect/sql` client over one SQLite file: one connection, which a semaphore lends to one transaction or statement
 * at a time.
 *
 * A transaction begins IMMEDIATE, so that what it read is still true when it writes, and is run again from its start,
 * with jitter, while another process holds the file: keep side effects other than SQL out of it. A transaction inside a
 * transaction is a savepoint. Every failure is a `SqlError` whose `cause` is a `SqliteFailure`.
 */
export const layer = (options: SqliteClientOptions): Layer.Layer<SqlClient.SqlClient, SqliteFailure> =>
  Layer.scoped(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

/** The same as a scoped effect, for a file that is opened and closed on the way. */
export const make = Effect.fn("SqliteClient.make")(function* (options: SqliteClientOptions) {
  // Waiting for other processes is done here, without holding up the event loop.
  const database = yield* open({ busyTimeoutMs: 20, ...options })
  const turn = yield* Effect.makeSemaphore(1)
  const whileBusy = retryBusy(options.busyWait ?? "30 seconds")
  const inTransaction = connection(database, (effect) => effect)
  const alone = connection(database, (effect) => whileBusy(turn.withPermits(1)(effect)))
  const command = (sql: string) => Effect.mapError(database.exec(sql), toSqlError)

  const outermost = <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* command("BEGIN IMMEDIATE")
        const exit = yield* Effect.exit(
          restore(Effect.provideService(body, SqlClient.TransactionConnection, [inTransaction, 0]))
        )
        if (Exit.isFailure(exit)) return yield* Effect.zipRight(rollback, exit)
        yield* command("COMMIT").pipe(
          whileBusy,
          Effect.tapError(() => rollback)
        )
        return exit.value
      })
    ).pipe(turn.withPermits(1), whileBusy)

  /** SQLite may have rolled back by itself (disk full, I/O error); then there is nothing left to undo. */
  const rollback = Effect.ignore(command("ROLLBACK"))

  const nested = <A, E, R>(depth: number, body: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const name = `effect_sql_${depth}`
        yield* command(`SAVEPOINT ${name}`)
        const exit = yield* Effect.exit(
          restore(Effect.provideService(body, SqlClient.TransactionConnection, [inTransaction, depth]))
        )
        if (Exit.isSuccess(exit)) return yield* Effect.as(command(`RELEASE ${name}`), exit.value)
        return yield* Effect.zipRight(Effect.ignore(command(`ROLLBACK TO ${name}; RELEASE ${name}`)), exit)
      })
    )

  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(alone),
    compiler: Statement.makeCompilerSqlite(),
    spanAttributes: [["db.system.name", "sqlite"]]
  })
  // The stock one turns a failed COMMIT or ROLLBACK into a defect.
  return Object.assign(client, {
    withTransaction: <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
      Effect.flatMap(
        Effect.serviceOption(SqlClient.TransactionConnection),
        Option.match({
          onNone: () => outermost(body),
          onSome: ([, depth]) => nested(depth + 1, body)
        })
      ).pipe(Effect.withSpan("sql.transaction"))
  })
})

type Guard = <A>(effect: Effect.Effect<A, SqlError.SqlError>) => Effect.Effect<A, SqlError.SqlError>

const connection = (database: SqliteDatabase, guard: Guard): SqlConnection.Connection => {
  const rows = (sql: string, params: ReadonlyArray<unknown>) =>
    guard(
      Effect.mapError(
        Effect.flatMap(toValues(database.path, params), (values) => database.all(sql, values)),
        toSqlError
      )
    )
  const execute: SqlConnection.Connection["execute"] = (sql, params, transformRows) =>
    transformRows === undefined ? rows(sql, params) : Effect.map(rows(sql, params), transformRows)
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: rows,
    executeValues: (sql, params) => Effect.map(rows(sql, params), (all) => all.map((row) => Object.values(row))),
    executeStream: (sql, params, transformRows) => Stream.fromIterableEffect(execute(sql, params, transformRows))
  }
}

const toValues = (
  path: string,
  params: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<SqliteValue>, SqliteFailure> => {
  const values: Array<SqliteValue> = []
  for (const param of params) {
    const value = toValue(param)
    if (value === undefined) {
      return new SqliteFailure({ path, reason: `a ${typeof param} cannot be stored in a column`, code: "other" })
    }
    values.push(value)
  }
  return Effect.succeed(values)
}

const toValue = (param: unknown): SqliteValue | undefined => {
  switch (typeof param) {
    case "string":
    case "number":
    case "bigint":
      return param
    case "boolean":
      return param ? 1 : 0
    case "undefined":
      return null
    default:
      if (param === null || param instanceof Uint8Array) return param
      return param instanceof Date ? param.toISOString() : undefined
  }
}

const toSqlError = (cause: SqliteFailure): SqlError.SqlError => new SqlError.SqlError({ cause, message: cause.message })

/** The driver's failure behind an `SqlError`, where there is one. */
export const sqliteFailureOf = (error: SqlError.SqlError): Option.Option<SqliteFailure> =>
  error.cause instanceof SqliteFailure ? Option.some(error.cause) : Option.none()

const isBusy = (error: unknown): boolean =>
  error instanceof SqlError.SqlError && error.cause instanceof SqliteFailure && error.cause.code === "busy"

const retryBusy =
  (wait: Duration.DurationInput) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.retry(effect, {
      while: isBusy,
      schedule: Schedule.exponential("5 millis").pipe(
        Schedule.either(Schedule.spaced("150 millis")),
        Schedule.jittered,
        Schedule.upTo(wait)
      )
    })
