/**
 * Driver of the paging capture's reading: a transcript from its stored cursor on, into rows. Without Effect, for the capture
 * hook.
 */
import { readFileSync, statSync } from "node:fs"
import type { Cursor } from "../../model/capture/CaptureState.ts"
import { ofText } from "../../model/paging/Content.ts"
import { textHash } from "../../model/text/TextHash.ts"
import type { Entry, Held, TranscriptFormat } from "../../model/transcripts/Entry.ts"
import { type Fields, stringOf } from "../../model/transcripts/Fields.ts"
import { parseFields } from "../../model/transcripts/JsonLineDriver.ts"
import { openTranscript, type OpenTranscript } from "../transcripts/TranscriptReaderDriver.ts"
import { textIn } from "./columns.ts"
import { openPaging, type PagingConnection, patientWrite, type Sql } from "./PagingDatabaseDriver.ts"
import { completeLive, ensureSession, putMessage } from "./PagingRows.ts"

export interface SweepOptions {
  readonly format: TranscriptFormat
  /** The session that lines belong to which name none. */
  readonly session: string
  /** Who wrote it. */
  readonly source: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** How long to read, and to wait for others, in milliseconds. */
  readonly budgetMs: number
  readonly waitMs: number
  /** Called after each transaction, with bytes read and bytes in all. */
  readonly onProgress?: (read: number, size: number) => void
}

export interface Swept {
  /** Rows that are new, or say more than before. */
  readonly rows: number
  /** Lines that could not be read, and of kinds that we do not know. */
  readonly malformed: number
  readonly unknown: number
  /** Whether the file was read to its end. */
  readonly complete: boolean
}

/** So many entries, or bytes, go in one transaction: other hooks do not wait for long, and a kill loses little. */
const maxEntries = 500
const maxBytes = 1024 * 1024

/**
 * Reads on in a transcript. Rows and cursor go in together, so that every line is a row once, whatever the number of sweeps,
 * of processes at once, and of kills between them. A file that shrank or is another one is read from its begin: rows are
 * known by their ids.
 *
 * @throws what the system or SQLite says; what was stored before stays stored.
 * Source: context-paging.md, "Harness wiring"; paging.md 3.6, 9; public cases A33-A35.
 */
export const sweepTranscript = (connection: PagingConnection, path: string, options: SweepOptions): Swept => {
  const transcript = openTranscript(path)
  try {
    return sweep(connection, path, transcript, options)
  } finally {
    transcript.close()
  }
}

/** The same for a database that nobody has open. @param database Its absolute path. */
export const sweepInto = (database: string, path: string, options: SweepOptions): Swept => {
  const connection = openPaging(database, { busyMs: 100 }, options.waitMs)
  try {
    return sweepTranscript(connection, path, options)
  } finally {
    connection.close()
  }
}

const sweep = (
  connection: PagingConnection,
  path: string,
  transcript: OpenTranscript,
  options: SweepOptions
): Swept => {
  const until = performance.now() + options.budgetMs
  const known = connection.read((sql) => storedCursor(sql, path))
  let from = transcript.resume(known)
  let expected = known?.offset
  let [rows, malformed, unknown, count] = [0, 0, 0, 0]
  let held: Held | undefined
  let entries: Array<Entry> = []
  let bytes = 0
  let next = from

  /** Stores what was read; false: another process has read on meanwhile, and goes on. */
  const flush = (): boolean => {
    // What is held is read again: its other parts are still to come.
    const offset = held?.offset ?? next
    if (entries.length === 0 && offset === from) return true
    const batch = entries
    entries = []
    bytes = 0
    const stored = patientWrite(connection, options.waitMs, (sql) => {
      if (storedCursor(sql, path)?.offset !== expected) return undefined
      const changed = batch.filter((entry) => store(sql, entry, options)).length
      saveCursor(sql, path, transcript.cursor(offset), options.now)
      return changed
    })
    if (stored === undefined) return false
    rows += stored
    from = offset
    expected = offset
    options.onProgress?.(offset, transcript.size)
    return true
  }

  for (const line of transcript.lines(from)) {
    const parsed = options.format(line, held)
    // The last line may be half written: it is read again, and counts only where it is whole.
    if (!line.ended && parsed.skipped !== undefined) break
    held = parsed.held
    next = line.next
    if (parsed.skipped === "malformed") malformed++
    if (parsed.skipped === "unknown") unknown++
    // A line without its end is read again: its rows are known then.
    for (const entry of parsed.entries) {
      entries.push(entry)
      bytes += entry.text.length
    }
    if (entries.length >= maxEntries || bytes >= maxBytes) {
      if (!flush()) return { rows, malformed, unknown, complete: true }
    }
    if (++count % 64 === 0 && performance.now() > until) {
      flush()
      return { rows, malformed, unknown, complete: false }
    }
  }
  flush()
  return { rows, malformed, unknown, complete: true }
}

/** The same for the same entry whenever it is read: by the host's own id, else by where it stands and what it says. */
const uidOf = (entry: Entry): string => (entry.own ? entry.uid : `${entry.uid}:${textHash(entry.text)}`)

const store = (sql: Sql, entry: Entry, options: SweepOptions): boolean => {
  const text = wholeText(entry)
  if (text === "" && entry.role !== "tool" && entry.role !== "tool_call") return false
  const at = entry.at ?? options.now
  const message = {
    session: ensureSession(sql, entry.session ?? options.session, at),
    role: entry.role,
    content: ofText(text),
    at,
    source: options.source,
    uid: uidOf(entry),
    agent: entry.agent,
    tool: entry.tool,
    call: entry.call ?? (entry.role === "user" ? entry.prompt : undefined),
    kind: entry.kind
  }
  if (completeLive(sql, message)) return true
  const { state } = putMessage(sql, message)
  return state === "new" || state === "changed"
}

const maxFile = 256 * 1024 * 1024

/** A long result of a tool stands in a file of its own, of which the line has the beginning. */
const wholeText = ({ file, text }: Entry): string => {
  if (file === undefined) return text
  try {
    return statSync(file).size <= maxFile ? readFileSync(file, "utf8") : text
  } catch {
    // Gone with its session: the beginning is what is left.
    return text
  }
}

const storedCursor = (sql: Sql, path: string): Cursor | undefined => {
  const row = sql.get("SELECT cursor FROM cursors WHERE path = ?", path)
  const fields = row === undefined ? undefined : parseFields(textIn(row, "cursor"))
  return fields === undefined ? undefined : cursorOf(fields)
}

const cursorOf = (fields: Fields): Cursor => ({
  offset: Number(fields["offset"] ?? 0),
  inode: stringOf(fields["inode"]) ?? "",
  size: Number(fields["size"] ?? 0),
  changed: Number(fields["changed"] ?? 0),
  headBytes: Number(fields["headBytes"] ?? 0),
  head: stringOf(fields["head"]) ?? "",
  tail: stringOf(fields["tail"]) ?? ""
})

const saveCursor = (sql: Sql, path: string, cursor: Cursor, now: number): void => {
  sql.run(
    "INSERT INTO cursors (path, cursor, updated) VALUES (?, ?, ?) ON CONFLICT (path) DO UPDATE SET cursor = excluded.cursor, updated = excluded.updated",
    path,
    JSON.stringify(cursor),
    now
  )
}
