/** Driver over the capture hook's files: a session's buffer and state, read and written under the lock. Without Effect. */
import { lstatSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { noCaptureState, parseCaptureState, renderCaptureState } from "../../model/capture/CaptureState.ts"
import type { Ledger } from "../../model/capture/Ledger.ts"
import { parseBuffer, parseRecord } from "../../model/capture/TurnBuffer.ts"
import { appendToFile, codeOf, readStoreFile, refusal, replaceFile, storeFolder } from "./StoreFilesDriver.ts"

/** Folder of the buffers, from `.contexo/`. */
export const pendingFolder = "raw/sessions/_pending"
/** Folder of what was distilled, from `.contexo/`. */
export const archiveFolder = `${pendingFolder}/_archive`
const stateFolder = ".sync/capture"

const maxBuffer = 64 * 1024 * 1024
/** A larger one is of a session without end: its turns are known by their state. */
const maxArchive = 16 * 1024 * 1024
const maxState = 4 * 1024 * 1024
const day = 24 * 60 * 60 * 1000

/** Paths of a session's files. The folders are there, and inside the store. */
const filesOf = (store: string, session: string) => ({
  buffer: join(storeFolder(store, pendingFolder), `${session}.jsonl`),
  archive: join(store, ...archiveFolder.split("/"), `${session}.jsonl`),
  state: join(storeFolder(store, stateFolder), `${session}.json`)
})

/** What there is of a session. A record that a crash left half written is dropped with the next write. */
export const readLedger = (store: string, session: string): Ledger => {
  const files = filesOf(store, session)
  const text = readStoreFile(files.buffer, maxBuffer) ?? ""
  const state = stateOf(files.state)
  const torn = text !== "" && !text.endsWith("\n")
  // A line of somebody else's that only wants its line break is whole.
  const whole = torn && parseRecord(text.slice(text.lastIndexOf("\n") + 1)) !== undefined ? `${text}\n` : text
  return {
    state,
    lines: parseBuffer(whole),
    archived: archivedOf(files.archive),
    added: 0,
    rewritten: torn
  }
}

const stateOf = (path: string) => {
  const text = readStoreFile(path, maxState)
  return text === undefined ? noCaptureState() : parseCaptureState(text)
}

const archivedOf = (path: string) => {
  try {
    return parseBuffer(readStoreFile(path, maxArchive) ?? "").flatMap(({ record }) => record ?? [])
  } catch (error) {
    if (["ELOOP", "EFBIG"].includes(codeOf(error))) return []
    throw error
  }
}

/** Writes the buffer: only what is new at its end, where nothing before it changed. */
export const writeBuffer = (store: string, session: string, ledger: Ledger): void => {
  if (ledger.added === 0 && !ledger.rewritten) return
  const { buffer } = filesOf(store, session)
  const render = (lines: Ledger["lines"]) => lines.map(({ text }) => `${text}\n`).join("")
  if (!ledger.rewritten) return appendToFile(buffer, render(ledger.lines.slice(-ledger.added)))
  if (lstatSync(buffer, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw refusal("ELOOP", buffer)
  replaceFile(buffer, render(ledger.lines), true)
}

/** Writes the state. After the buffer, of which it tells; a state that is lost is found again in the records. */
export const writeState = (store: string, session: string, { state }: Ledger): void =>
  replaceFile(filesOf(store, session).state, renderCaptureState(state), false)

/**
 * Deletes pending buffers that nobody touched for 30 days, states for 90, and what a killed write left for an hour.
 *
 * Source: reference.md 5.1.
 */
export const prune = (store: string, now: number): void => {
  for (const [name, maxAge, ending] of [
    [pendingFolder, 30 * day, ".jsonl"],
    [stateFolder, 90 * day, ".json"]
  ] as const) {
    const folder = storeFolder(store, name)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      const temporary = /^\.ctx-\d+-[0-9a-f]{16}\.tmp$/.test(entry.name)
      if (!entry.isFile() || !(temporary || entry.name.endsWith(ending))) continue
      const changed = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now
      if (now - changed > (temporary ? day / 24 : maxAge)) rmSync(path, { force: true })
    }
  }
}
