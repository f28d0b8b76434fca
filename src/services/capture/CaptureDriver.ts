/**
 * Driver of capture: one event of a host in, its session's turns in the buffer. Without Effect: the hook runs at every turn
 * of every agent, and loading Effect takes longer than all of its work. `effects/capture.ts` is the operation.
 */
import type { KnownTranscript } from "../../model/capture/CaptureState.ts"
import type { HookEvent } from "../../model/transcripts/HookEvent.ts"
import { type Ledger, putTurn, toldTurn } from "../../model/capture/Ledger.ts"
import { sessionName, unknownSession } from "../../model/capture/SessionName.ts"
import { textHash } from "../../model/text/TextHash.ts"
import { cut } from "../../model/capture/TurnBuffer.ts"
import { formats } from "../../model/transcripts/formats.ts"
import { given } from "../../model/transcripts/Fields.ts"
import { type Turn, withReply } from "../../model/transcripts/Turns.ts"
import { transcriptOf } from "../transcripts/TranscriptPathDriver.ts"
import { openTranscript } from "../transcripts/TranscriptReaderDriver.ts"
import { withCaptureLock } from "./CaptureLockDriver.ts"
import { prune, readLedger, writeBuffer, writeState } from "./LedgerDriver.ts"
import { sweep, type Swept } from "./SweepDriver.ts"

export interface CaptureOptions {
  /** Absolute path of `.contexo/`. */
  readonly store: string
  readonly redact: (text: string) => string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Variables that say where hosts keep their transcripts: HOME, CODEX_HOME, KIMI_CODE_HOME, KIMI_SHARE_DIR. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** How long to wait while others write, in milliseconds. Default 5,000. */
  readonly waitMs?: number
  /** Called before more than 16 MB are read at once. */
  readonly onLarge?: () => void
  /** How long to read; the rest waits for the next event. In milliseconds, default 20,000. */
  readonly budgetMs?: number
}

const large = 16 * 1024 * 1024

/** What one event added. */
export interface Captured {
  /** File name of the session's buffer, without ending. */
  readonly session: string
  /** Records that are new. */
  readonly added: number
  /** Lines of the transcript that could not be read, and of kinds that we do not know. */
  readonly malformed: number
  readonly unknown: number
  /** Whether the transcript was read to its end. */
  readonly complete: boolean
}

/**
 * Takes what an event tells, and what its transcript has that no event before it told. Each turn has one record, whatever
 * the number of events, of processes at once, and of crashes between them. A turn goes in when it is over: when the next
 * prompt follows it, or the event says that nothing more comes.
 *
 * @throws what the system throws, nothing half written.
 * Source: reference.md 5, design.md 6; public cases A11, A33-A35, A42.
 */
export const captureEvent = (event: HookEvent, options: CaptureOptions): Captured =>
  withCaptureLock(options.store, options.waitMs ?? 5000, () => captureLocked(event, options))

/** The same for a caller that holds the lock. */
export const captureLocked = (event: HookEvent, options: Omit<CaptureOptions, "waitMs">): Captured => {
  const session = sessionName(event.session ?? unknownSession(options.now))
  const books = openBooks(options, session)
  const path = transcriptOf(event, options.env ?? {})
  const swept = path === undefined ? undefined : readTranscript(event, path, books, options)
  if (swept === undefined) tellEvent(event, books, options)
  noteEvent(event, books, options)
  const added = books.close()
  prune(options.store, options.now)
  return {
    session,
    added,
    malformed: swept?.malformed ?? 0,
    unknown: swept?.unknown ?? 0,
    complete: swept?.complete ?? true
  }
}

/** The ledgers of the sessions that an event touches: its own, and those whose lines stand in its transcript. */
interface Books {
  readonly own: string
  readonly get: (session: string) => Ledger
  readonly change: (session: string, change: (ledger: Ledger) => Ledger) => void
  /** Writes all of them, the own one last: its cursor vouches for the rest. Gives the number of new records. */
  readonly close: () => number
}

const openBooks = ({ store }: CaptureOptions, own: string): Books => {
  const ledgers = new Map<string, Ledger>()
  const get = (session: string) => {
    const ledger = ledgers.get(session) ?? readLedger(store, session)
    ledgers.set(session, ledger)
    return ledger
  }
  const close = () => {
    get(own)
    for (const [session, ledger] of ledgers) writeBuffer(store, session, ledger)
    for (const [session, ledger] of ledgers) if (session !== own) writeState(store, session, ledger)
    writeState(store, own, get(own))
    return [...ledgers.values()].reduce((sum, { added }) => sum + added, 0)
  }
  return { own, get, change: (session, change) => ledgers.set(session, change(get(session))), close }
}

/** Reads on in the transcript; undefined where the host has none that we read. */
const readTranscript = (event: HookEvent, path: string, books: Books, options: CaptureOptions): Swept | undefined => {
  const format = formats[event.agent]
  const transcript = format === undefined ? undefined : opened(path)
  if (format === undefined || transcript === undefined) return undefined
  try {
    const known = books.get(books.own).state.transcripts.get(path)
    const from = transcript.resume(known)
    if (transcript.size - from > large) options.onLarge?.()
    let home = from === 0 ? undefined : known?.home
    const sessionFor = (turn: Turn) => {
      home ??= turn.session
      const foreign = turn.session !== undefined && turn.session !== home && turn.session !== event.session
      return foreign ? sessionName(turn.session ?? "") : books.own
    }
    const putting = { now: options.now, redact: options.redact, again: from === 0 && known !== undefined }
    const put = (turn: Turn) => books.change(sessionFor(turn), (ledger) => putTurn(ledger, turn, putting))
    const swept = sweep(transcript, format, from, options.budgetMs ?? 20_000, put)
    const { complete, open } = swept
    if (complete && event.phase === "end") {
      const unflushed = isUnflushed(event, open, books, options)
      if (open !== undefined) put(unflushed ? open : withReply(open, event.reply ?? ""))
      if (unflushed) tellEvent(event, books, options)
    }
    const settled = complete && (open === undefined || isRecorded(books.get(sessionFor(open)), open))
    noteCursor(books, path, { ...transcript.cursor(swept.offset), settled, ...given("home", home) })
    return swept
  } finally {
    transcript.close()
  }
}

/** A transcript that cannot be opened is none: the events tell what they can, and the next one tries again. */
const opened = (path: string) => {
  try {
    return openTranscript(path)
  } catch {
    return undefined
  }
}

/** Whether a reply is of a turn that its host has not written down yet: hosts tell of a turn before that. */
const isUnflushed = (event: HookEvent, open: Turn | undefined, books: Books, { redact }: CaptureOptions): boolean => {
  if (event.reply === undefined || event.reply.trim() === "") return false
  if (open === undefined) return true
  if (event.turn !== undefined && open.prompt !== undefined) return event.turn !== open.prompt
  const { prompt } = books.get(books.own).state
  return prompt !== undefined && isRecorded(books.get(books.own), open) && prompt.text !== noteOf(open.user, redact)
}

const isRecorded = ({ state }: Ledger, turn: Turn): boolean =>
  (state.turns.get(textHash(turn.key))?.[1] ?? -1) >= turn.size

const noteCursor = (books: Books, path: string, cursor: KnownTranscript) =>
  books.change(books.own, (ledger) => {
    const transcripts = new Map(ledger.state.transcripts)
    // Last, so that it is not the first to be forgotten.
    transcripts.delete(path)
    return { ...ledger, state: { ...ledger.state, transcripts: transcripts.set(path, cursor) } }
  })

/** What a prompt is kept as until its reply comes. Redacted, as everything that reaches the disk. */
const noteOf = (prompt: string, redact: (text: string) => string) => cut(redact(prompt.trim().toWellFormed()), 2048)

const saidIn = (event: HookEvent) => textHash(`${event.turn ?? ""}\n${event.reply ?? ""}`)

/** Keeps what the person said until the turn ends, and what the last reply was, since an event may come twice. */
const noteEvent = (event: HookEvent, books: Books, { now, redact }: CaptureOptions) =>
  books.change(books.own, (ledger) => {
    const { prompt, ...rest } = ledger.state
    const said = event.reply === undefined ? rest : { ...rest, said: saidIn(event) }
    if (event.phase === "end") return { ...ledger, state: said }
    const text = event.phase === "prompt" ? noteOf(event.prompt ?? "", redact) : ""
    const key = event.turn ?? `${now}:${textHash(text)}`
    // Where a host reads two files of hooks, the same prompt comes twice.
    const same = text === "" || prompt?.key === key
    return {
      ...ledger,
      state: same ? { ...said, ...given("prompt", prompt) } : { ...said, prompt: { key, text, at: now, tools: [] } }
    }
  })

/** A turn as the events alone tell it, where there is no transcript, or the turn is not in it yet. */
const tellEvent = (event: HookEvent, books: Books, { now, redact }: CaptureOptions) => {
  const { prompt, said } = books.get(books.own).state
  const noted = event.turn === undefined || prompt?.key === event.turn ? prompt : undefined
  if (event.phase === "tool" && event.tool !== undefined && noted !== undefined) {
    const tools = [...noted.tools, event.tool].slice(0, 200)
    books.change(books.own, (ledger) => ({ ...ledger, state: { ...ledger.state, prompt: { ...noted, tools } } }))
  }
  if (event.phase !== "reply" && event.phase !== "end") return
  const reply = redact((event.reply ?? "").toWellFormed()).trim()
  const again = reply !== "" && said === saidIn(event) && (event.turn !== undefined || noted === undefined)
  const user = noted?.text ?? noteOf(event.prompt ?? "", redact)
  if (again || (reply === "" && user === "")) return
  const key = event.turn ?? noted?.key ?? `${now}:${textHash(reply)}`
  const told = { key, user, reply, tools: noted?.tools ?? [] }
  const turn = toldTurn(books.get(books.own), told, noted?.at ?? now)
  books.change(books.own, (ledger) => putTurn(ledger, turn, { now, redact, told: true }))
}
