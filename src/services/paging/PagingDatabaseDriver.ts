/**
 * Driver over `node:sqlite` for the paging database: one file, short transactions. Without Effect, since the capture hook
 * writes through it, and loading Effect takes longer than the hook's work.
 */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { planJournal, versionOf } from "../sqlite/journal.ts"
import { loadSqlite } from "../sqlite/SqliteModuleDriver.ts"
import { migrations } from "./Schema.ts"

export type Value = null | number | string | Uint8Array
export type Row = Readonly<Record<string, unknown>>

/** A transaction's view of the database. */
export interface Sql {
  readonly all: (sql: string, ...values: ReadonlyArray<Value>) => ReadonlyArray<Row>
  readonly get: (sql: string, ...values: ReadonlyArray<Value>) => Row | undefined
  readonly run: (sql: string, ...values: ReadonlyArray<Value>) => { readonly changes: number; readonly id: number }
}

export interface PagingConnection {
  readonly path: string
  /** Runs in one consistent view. */
  readonly read: <A>(work: (sql: Sql) => A) => A
  /** Runs all or nothing, from `BEGIN IMMEDIATE` on: what was read is still true when it is written. */
  readonly write: <A>(work: (sql: Sql) => A) => A
  /** Empties the journal into the file. */
  readonly checkpoint: () => void
  readonly close: () => void
}

/** The file was made by a newer version, which alone knows what stands in it. */
export class NewerSchema extends Error {
  readonly code = "newer"
}

export interface OpenOptions {
  /** How long a statement waits for others, blocking, in milliseconds. */
  readonly busyMs: number
}

/**
 * Opens the database, made where it is missing: folder 0700, file 0600, tables as of today.
 *
 * @param waitMs How long to wait, blocking, while another process makes or holds it.
 * @throws what SQLite or the system says; `NewerSchema`.
 */
export const openPaging = (path: string, { busyMs }: OpenOptions, waitMs = 0): PagingConnection => {
  createPrivate(path)
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(path)
  try {
    patiently(() => prepare(database, busyMs), waitMs)
  } catch (error) {
    database.close()
    throw error
  }
  const sql = statements(database)
  const within = <A>(begin: string, work: (sql: Sql) => A): A => {
    database.exec(begin)
    try {
      const answer = work(sql)
      database.exec("COMMIT")
      return answer
    } catch (error) {
      // SQLite may have rolled back by itself; then there is nothing left to undo.
      if (database.isTransaction !== false) attempt(() => database.exec("ROLLBACK"))
      throw error
    }
  }
  return {
    path,
    read: (work) => within("BEGIN", work),
    write: (work) => within("BEGIN IMMEDIATE", work),
    checkpoint: () => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"),
    close: () => database.close()
  }
}

const createPrivate = (path: string): void => {
  const folder = dirname(path)
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o700)
  }
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return
  try {
    closeSync(openSync(path, "ax", 0o600))
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
  }
}

const prepare = (database: DatabaseSync, busyMs: number): void => {
  database.exec(`PRAGMA busy_timeout = ${Math.trunc(busyMs)}`)
  database.exec("PRAGMA foreign_keys = ON")
  database.exec("PRAGMA recursive_triggers = ON")
  // What was forgotten is not in the file any more.
  database.exec("PRAGMA secure_delete = ON")
  const version = numberOf(database, "PRAGMA user_version")
  if (version > migrations.length) {
    throw new NewerSchema("it was made by a newer ctx-mcp: update this one")
  }
  const plan = planJournal(
    versionOf(textOf(database, "SELECT sqlite_version()")),
    textOf(database, "PRAGMA journal_mode")
  )
  if (!plan.autoCheckpoint) database.exec("PRAGMA wal_autocheckpoint = 0")
  if (plan.mode !== undefined) patiently(() => database.exec(`PRAGMA journal_mode = ${plan.mode}`), 2_000)
  // WAL survives a crash of the process with either; a capture may be swept again after a power failure.
  database.exec("PRAGMA synchronous = NORMAL")
  if (version < migrations.length) migrate(database)
}

/** Takes the steps that the file has not taken; whoever comes second finds them taken. */
const migrate = (database: DatabaseSync): void => {
  database.exec("BEGIN IMMEDIATE")
  try {
    const taken = numberOf(database, "PRAGMA user_version")
    for (const step of migrations.slice(taken)) database.exec(step)
    database.exec(`PRAGMA user_version = ${Math.max(taken, migrations.length)}`)
    database.exec("COMMIT")
  } catch (error) {
    attempt(() => database.exec("ROLLBACK"))
    throw error
  }
}

/** Switching the journal, say, takes the whole file for a moment, and SQLite does not wait for that by itself. */
const patiently = (work: () => void, waitMs: number): void => {
  const until = performance.now() + waitMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
    }
    sleep(5 + Math.random() * 20)
  }
}

const sleeping = new Int32Array(new SharedArrayBuffer(4))
const sleep = (milliseconds: number) => Atomics.wait(sleeping, 0, 0, milliseconds)

const attempt = (work: () => void): void => {
  try {
    work()
  } catch {
    // Nothing was open.
  }
}

const first = (database: DatabaseSync, sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0]
const textOf = (database: DatabaseSync, sql: string): string => String(first(database, sql) ?? "")
const numberOf = (database: DatabaseSync, sql: string): number => Number(first(database, sql) ?? 0)

const statements = (database: DatabaseSync): Sql => {
  const known = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    const statement = known.get(sql) ?? database.prepare(sql)
    known.set(sql, statement)
    return statement
  }
  return {
    all: (sql, ...values) => prepared(sql).all(...values),
    get: (sql, ...values) => prepared(sql).get(...values),
    run: (sql, ...values) => {
      const { changes, lastInsertRowid } = prepared(sql).run(...values)
      return { changes: Number(changes), id: Number(lastInsertRowid) }
    }
  }
}

/** SQLite's primary result code, where the error is SQLite's. */
export const sqliteCode = (error: unknown): number | undefined =>
  typeof error === "object" && error !== null && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : undefined

/** Whether another process holds the file: it passes. */
export const isBusy = (error: unknown): boolean => [5, 6].includes(sqliteCode(error) ?? 0)

/**
 * Runs a transaction, again with jitter while others hold the file, for at most so long. Blocks: for the capture hook.
 *
 * @throws what the work throws, and the last refusal of the file.
 */
export const patientWrite = <A>(connection: PagingConnection, waitMs: number, work: (sql: Sql) => A): A => {
  const until = performance.now() + waitMs
  for (let pause = 2; ; pause = Math.min(50, pause * 2)) {
    try {
      return connection.write(work)
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
    }
    sleep(pause * (0.5 + Math.random()))
  }
}
