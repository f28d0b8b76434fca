/** Driver over the capture buffers as those see them who distill them: listed, read, archived. Each call throws what the system does. */
import { lstatSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { BufferLine } from "../../model/capture/TurnBuffer.ts"
import type { TurnRecord } from "../../model/capture/TurnRecord.ts"
import { archiveFolder, pendingFolder, readLedger } from "./LedgerDriver.ts"
import { readStoreFile, replaceFile, storeFolder } from "./StoreFilesDriver.ts"

const ending = ".jsonl"
const maxArchive = 64 * 1024 * 1024

const pathOf = (store: string, session: string) => join(store, ...pendingFolder.split("/"), `${session}${ending}`)

/** The sessions that have a buffer, with the time of its last write in milliseconds. Links are none. */
export const pendingSessions = (
  store: string
): ReadonlyArray<{ readonly session: string; readonly modified: number }> => {
  const folder = join(store, ...pendingFolder.split("/"))
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return []
  return readdirSync(storeFolder(store, pendingFolder), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile() || !entry.name.endsWith(ending)) return []
    const stats = lstatSync(join(folder, entry.name), { throwIfNoEntry: false })
    return stats === undefined ? [] : [{ session: entry.name.slice(0, -ending.length), modified: stats.mtimeMs }]
  })
}

/** The records of a session that nobody distilled yet; undefined where it has no buffer. */
export const pendingTurns = (store: string, session: string): ReadonlyArray<TurnRecord> | undefined => {
  if (lstatSync(pathOf(store, session), { throwIfNoEntry: false }) === undefined) return undefined
  const { archived, lines } = readLedger(store, session)
  // A crash between the archive and the buffer left records in both.
  const known = new Set(archived.map((record) => JSON.stringify(record)))
  return lines.flatMap(({ record }) => (record === undefined || known.has(JSON.stringify(record)) ? [] : [record]))
}

/**
 * Moves the records of a session up to a turn, or all of them, to the archive. Later ones stay; where the turn is not there
 * any more, all do. Call under the lock of the buffers. A crash between leaves records in both, and none in neither.
 */
export const archiveTurns = (store: string, session: string, until: number | undefined): void => {
  const path = pathOf(store, session)
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return
  const { lines } = readLedger(store, session)
  const count =
    until === undefined
      ? lines.length
      : lines.findLastIndex(({ record }) => record?.turn === until && record.truncated === undefined) + 1
  const archive = join(storeFolder(store, archiveFolder), `${session}${ending}`)
  const before = readStoreFile(archive, maxArchive) ?? ""
  const known = new Set(before.split("\n"))
  const added = lines.slice(0, count).filter(({ text }) => !known.has(text))
  if (added.length > 0) replaceFile(archive, withEnd(before) + textOf(added), true)
  if (count === lines.length) rmSync(path, { force: true })
  else if (count > 0) replaceFile(path, textOf(lines.slice(count)), true)
}

const textOf = (lines: ReadonlyArray<BufferLine>) => lines.map(({ text }) => `${text}\n`).join("")
const withEnd = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`)
