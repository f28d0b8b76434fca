/**
 * The thin driver over `node:sqlite`, which Node >= 22.13 and Deno >= 2.2 carry. The module is loaded by the first
 * `open`, so that a program that touches no database does not pay for it.
 *
 * Calls into SQLite are synchronous: keep statements short, and wait for other processes with the retrying
 * transactions of `SqliteClient` instead of a long busy timeout, which would hold up the whole event loop.
 */
import { closeSync, openSync } from "node:fs"
import type * as Sqlite from "node:sqlite"
import { Clock, Duration, Effect, Random, Schema, type Scope } from "effect"
import { planJournal, versionOf } from "./journal.ts"
import { loadSqlite } from "./SqliteModuleDriver.ts"

/** What kind of trouble a failure is: `busy` passes, the others want a person. */
export const SqliteCode = Schema.Literal("busy", "corrupt", "full", "readonly", "constraint", "cantopen", "other")
export type SqliteCode = typeof SqliteCode.Type

const advice: Record<SqliteCode, string> = {
  busy: "Another process is using it; try again.",
  corrupt: "It was left as it is: move it away, or restore it from a backup.",
  full: "Free some space on that disk, then try again.",
  readonly: "Check that the file and its folder are writable.",
  constraint: "Nothing was changed.",
  cantopen: "Check that the folder exists and that you may read and write in it.",
  other: "Nothing was changed by this statement."
}

/** SQLite refused: on which file, why, and what can be done. */
export class SqliteFailure extends Schema.TaggedError<SqliteFailure>()("SqliteFailure", {
  path: Schema.String,
  reason: Schema.String,
  code: SqliteCode
}) {
  override get message() {
    return `${this.path}: ${this.reason}. ${advice[this.code]}`
  }
}

/** What a column holds. Text is exact except that Deno cuts TEXT at a NUL when reading: store such bytes as a BLOB. */
export type SqliteValue = null | number | bigint | string | Uint8Array

export type SqliteRow = { readonly [column: string]: SqliteValue }

/** One open connection. Statements are prepared once and kept. */
export interface SqliteDatabase {
  readonly path: string
  /** `sqlite_version()` of the engine, such as `3.51.3`. */
  readonly version: string
  /** The journal mode in force: `wal`, `truncate`, ... */
  readonly journalMode: string
  /** Runs one statement that returns no rows. */
  readonly run: (
    sql: string,
    params?: ReadonlyArray<SqliteValue>
  ) => Effect.Effect<{ readonly changes: number; readonly lastInsertRowid: number }, SqliteFailure>
  /** Runs one statement for each of some rows, as far as it goes: in a transaction, for all or none. */
  readonly runEach: (sql: string, rows: Iterable<ReadonlyArray<SqliteValue>>) => Effect.Effect<void, SqliteFailure>
  /** All rows of one query. */
  readonly all: (
    sql: string,
    params?: ReadonlyArray<SqliteValue>
  ) => Effect.Effect<ReadonlyArray<SqliteRow>, SqliteFailure>
  /** Any number of statements without parameters, unprepared. */
  readonly exec: (sql: string) => Effect.Effect<void, SqliteFailure>
}

export interface OpenOptions {
  /** Absolute path of the database file, created with mode 0600 where it does not exist; its folder must. Or `:memory:`. */
  readonly path: string
  readonly readOnly?: boolean
  /** How long one statement waits, blocking, for another connection's lock, in milliseconds. Default 5,000. */
  readonly busyTimeoutMs?: number
  /** `full` (default): what was committed survives a power failure. `normal`: it survives a crash of the process. */
  readonly synchronous?: "full" | "normal"
  /**
   * `wal` (default), where the engine is safe with it. `rollback`: a plain journal, for a file that must also be readable
   * in a folder that is not writable, or that only serves as a lock. A file that already is WAL stays so.
   */
  readonly journal?: "wal" | "rollback"
}

/**
 * Opens a database file for the length of the scope. Foreign keys are enforced.
 *
 * Journal mode: WAL on engines in which several processes may checkpoint safely, else TRUNCATE; on a file that already
 * is WAL, such an engine does not checkpoint by itself.
 *
 * @example
 * ```ts
 * const db = yield* open({ path: "/tmp/x.db" })
 * yield* db.run("INSERT INTO t VALUES (?)", [1])
 * ```
 */
export const open = (options: OpenOptions): Effect.Effect<SqliteDatabase, SqliteFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const raw = yield* Effect.acquireRelease(connect(options), (db) => Effect.sync(() => db.close()))
    return yield* prepare(raw, options)
  }).pipe(Effect.withSpan("SqliteDriver.open", { attributes: { path: options.path } }))

const prepare = Effect.fnUntraced(function* (raw: Sqlite.DatabaseSync, options: OpenOptions) {
  const { path, readOnly = false } = options
  const statements = new Map<string, Sqlite.StatementSync>()

  const statement = (sql: string): Sqlite.StatementSync => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const made = raw.prepare(sql)
    const oldest = statements.size < maxStatements ? undefined : statements.keys().next().value
    if (oldest !== undefined) statements.delete(oldest)
    statements.set(sql, made)
    return made
  }
  const attempt = <A>(thunk: () => A) => Effect.try({ try: thunk, catch: (error) => failure(path, error) })
  const all: SqliteDatabase["all"] = (sql, params = []) => attempt(() => statement(sql).all(...params))
  const exec: SqliteDatabase["exec"] = (sql) => attempt(() => raw.exec(sql))
  const text = (sql: string) => Effect.map(all(sql), (rows) => String(Object.values(rows[0] ?? {})[0] ?? ""))

  yield* exec(`PRAGMA busy_timeout = ${Math.trunc(options.busyTimeoutMs ?? 5_000)}`)
  yield* exec("PRAGMA foreign_keys = ON")
  yield* exec(`PRAGMA synchronous = ${options.synchronous ?? "full"}`)
  const version = yield* text("SELECT sqlite_version()")
  const plan = planJournal(versionOf(version), yield* whileBusy(text("PRAGMA journal_mode")), options.journal)
  if (!plan.autoCheckpoint) yield* exec("PRAGMA wal_autocheckpoint = 0")
  // Switching takes the whole file for a moment, and SQLite does not wait for that by itself.
  const journalMode =
    readOnly || plan.mode === undefined
      ? yield* text("PRAGMA journal_mode")
      : yield* whileBusy(text(`PRAGMA journal_mode = ${plan.mode}`))

  const database: SqliteDatabase = {
    path,
    version,
    journalMode,
    all,
    exec,
    run: (sql, params = []) =>
      attempt(() => {
        const { changes, lastInsertRowid } = statement(sql).run(...params)
        return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
      }),
    runEach: (sql, rows) =>
      attempt(() => {
        const prepared = statement(sql)
        for (const row of rows) prepared.run(...row)
      })
  }
  return database
})

const maxStatements = 100

/** Tries again for up to ten seconds while another process holds the file. */
const whileBusy = <A>(effect: Effect.Effect<A, SqliteFailure>): Effect.Effect<A, SqliteFailure> =>
  Effect.flatMap(Clock.currentTimeMillis, (started) => {
    const attempt: Effect.Effect<A, SqliteFailure> = Effect.catchIf(
      effect,
      (error) => error.code === "busy",
      (error) =>
        Effect.gen(function* () {
          if ((yield* Clock.currentTimeMillis) - started > 10_000) return yield* error
          yield* Effect.sleep(Duration.millis(yield* Random.nextIntBetween(5, 50)))
          return yield* attempt
        })
    )
    return attempt
  })

const connect = ({ path, readOnly = false }: OpenOptions): Effect.Effect<Sqlite.DatabaseSync, SqliteFailure> =>
  Effect.try({
    try: () => {
      if (!readOnly && path !== ":memory:") createPrivate(path)
      const { DatabaseSync } = loadSqlite()
      return new DatabaseSync(path, { readOnly })
    },
    catch: (error) => failure(path, error)
  })

/**
 * Makes a new file readable by its owner only. An existing file is not opened: closing any handle of a database would
 * drop the locks that other connections of this process hold on it.
 */
const createPrivate = (path: string): void => {
  try {
    closeSync(openSync(path, "ax", 0o600))
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error
  }
}

const failure = (path: string, error: unknown): SqliteFailure => {
  const reason = error instanceof Error ? error.message : String(error)
  return new SqliteFailure({ path, reason, code: classify(error, reason) })
}

const classify = (error: unknown, reason: string): SqliteCode => {
  const primary = primaryCode(error)
  const named = primary === undefined ? undefined : primaryCodes.get(primary)
  if (named !== undefined) return named
  if (
    ["ENOENT", "EACCES", "EPERM", "EROFS", "ENOTDIR", "EISDIR"].includes(codeOf(error)) ||
    /unable to open/.test(reason)
  ) {
    return "cantopen"
  }
  return codeOf(error) === "ENOSPC" ? "full" : "other"
}

/** The low byte of SQLite's extended result code. */
const primaryCode = (error: unknown): number | undefined =>
  typeof error === "object" && error !== null && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : undefined

const primaryCodes: ReadonlyMap<number, SqliteCode> = new Map([
  [5, "busy"],
  [6, "busy"],
  [8, "readonly"],
  [11, "corrupt"],
  [13, "full"],
  [14, "cantopen"],
  [19, "constraint"],
  [26, "corrupt"]
])

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : ""
