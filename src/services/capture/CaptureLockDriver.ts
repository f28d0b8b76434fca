/**
 * Driver over `node:sqlite`: the lock of the capture buffers, the same that `FileLock` takes on `.contexo/.sync/capture.db`.
 * The operating system frees it when its holder dies, however that dies. Without Effect, for the capture hook.
 */
import { closeSync, lstatSync, openSync, truncateSync } from "node:fs"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { loadSqlite } from "../sqlite/SqliteModuleDriver.ts"
import { codeOf, refusal, storeFolder } from "./StoreFilesDriver.ts"

/** Name of the lock's file in `.contexo/.sync/`. */
export const captureLock = "capture.db"

/**
 * Runs with the lock held.
 *
 * @throws a refusal of code EBUSY where somebody held it for all of `waitMs`, else what the system or the work throws.
 */
export const withCaptureLock = <A>(store: string, waitMs: number, work: () => A): A => {
  const path = join(storeFolder(store, ".sync"), captureLock)
  createPrivate(path)
  const database = opened(path)
  try {
    begin(database, path, performance.now() + waitMs)
    return work()
  } finally {
    // Ends the transaction too; there is never anything written.
    database.close()
  }
}

const createPrivate = (path: string) => {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isFile()) throw refusal("ELOOP", path)
  if (stats !== undefined) return
  try {
    closeSync(openSync(path, "ax", 0o600))
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error
  }
}

const opened = (path: string): DatabaseSync => {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(path)
  try {
    database.exec("PRAGMA busy_timeout = 0")
    database.exec("PRAGMA journal_mode = MEMORY")
  } catch (error) {
    // Busy, or no database: the next statement meets it again, and knows what to do.
    if (!isBusy(error) && !isNoDatabase(error)) throw error
  }
  return database
}

const begin = (database: DatabaseSync, path: string, until: number) => {
  for (let wait = 1; ; wait = Math.min(25, wait * 2)) {
    try {
      database.exec("BEGIN IMMEDIATE")
      return
    } catch (error) {
      // A file that is no database holds nothing of value. Emptied in place: removing it would part its holders.
      if (isNoDatabase(error)) truncateSync(path, 0)
      else if (!isBusy(error)) throw error
    }
    if (performance.now() > until) throw refusal("EBUSY", path)
    sleep(wait * (0.5 + Math.random()))
  }
}

const sleeping = new Int32Array(new SharedArrayBuffer(4))
const sleep = (milliseconds: number) => Atomics.wait(sleeping, 0, 0, milliseconds)

const primary = (error: unknown): number =>
  typeof error === "object" && error !== null && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : 0

const isBusy = (error: unknown) => [5, 6].includes(primary(error))
const isNoDatabase = (error: unknown) => [11, 26].includes(primary(error))
