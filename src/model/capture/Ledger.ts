import type { CaptureState, KnownTurn } from "./CaptureState.ts"
import { appended, type BufferLine, cut, lineOf, recordOf } from "./TurnBuffer.ts"
import { textHash } from "../text/TextHash.ts"
import type { Turn } from "../transcripts/Turns.ts"
import type { TurnRecord } from "./TurnRecord.ts"

/** The records of one session as they stand, and which turns they are of. */
export interface Ledger {
  readonly state: CaptureState
  /** The pending buffer. */
  readonly lines: ReadonlyArray<BufferLine>
  /** Records of this session that were archived: no turn of theirs is written again. */
  readonly archived: ReadonlyArray<TurnRecord>
  /** Lines at the end of `lines` that the file does not have yet. */
  readonly added: number
  /** Whether the file must be written anew: lines before those changed. */
  readonly rewritten: boolean
  /** Records that a turn may turn out to have. Found when the first turn is put. */
  readonly strangers?: ReadonlyArray<Stranger>
}

/** A record of which nobody knows the turn, or (`told`) one that events told, in their words. */
interface Stranger {
  readonly record: TurnRecord
  readonly told: boolean
}

export interface PutOptions {
  /** Milliseconds since 1970, for a turn without a time of its own. */
  readonly now: number
  readonly redact: (text: string) => string
  /** Told by events alone: a transcript may tell of it later, more exactly. */
  readonly told?: boolean
  /** The transcript is read again from its begin, since its file is another one. */
  readonly again?: boolean
}

/**
 * The ledger with a turn in it. Invariants: a turn has one record whatever the number of times it is put; a record never
 * gets shorter; a turn that grew has its record replaced where that still is in the buffer; a turn whose record was
 * written before a crash could note it is known by what the record says.
 */
export const putTurn = (before: Ledger, turn: Turn, options: PutOptions): Ledger => {
  const strangers = before.strangers ?? strangersIn(before, options.again === true)
  const ledger = { ...before, strangers }
  const key = `${options.told === true ? "e:" : ""}${textHash(turn.key)}`
  const known = ledger.state.turns.get(key)
  const { at } = turn
  const size = Math.max(turn.size, known?.[1] ?? 0)
  const note = (into: Ledger, number: number) => noted(into, key, [number, size, at ?? options.now])
  if (known !== undefined) {
    return note(turn.size > known[1] ? replaced(ledger, turn, known[0], options) : ledger, known[0])
  }
  // At its begin turns may stand that have long been forgotten.
  if (options.again === true && at !== undefined && at <= ledger.state.forgotten) return ledger
  const number = lastOf(ledger) + 1
  const record = recordOf(turn, number, options.now, options.redact)
  if (record === undefined) return ledger
  const twin = twinOf(strangers, record, at !== undefined)
  if (twin === undefined) {
    const lines = appended(ledger.lines, record)
    const rewritten = ledger.rewritten || lines.length <= ledger.lines.length
    return note({ ...ledger, lines, added: ledger.added + 1, rewritten }, number)
  }
  return note(replaced(ledger, turn, twin.turn, options), twin.turn)
}

const lastOf = ({ archived, lines, state }: Ledger): number =>
  Math.max(
    state.last,
    lines.findLast(({ record }) => record !== undefined)?.record?.turn ?? 0,
    archived.at(-1)?.turn ?? 0
  )

const maxTurns = 1000

/** Notes a turn; its number belongs to no other any more. The oldest is forgotten where there are too many. */
const noted = (ledger: Ledger, key: string, turn: KnownTurn): Ledger => {
  const { forgotten, last, turns } = ledger.state
  const [number] = turn
  const stranger = ledger.strangers?.find(({ record }) => record.turn === number)
  const others = stranger === undefined ? ledger.strangers : ledger.strangers?.filter((one) => one !== stranger)
  if (stranger !== undefined) for (const [other, [its]] of turns) if (its === number) turns.delete(other)
  turns.delete(key)
  turns.set(key, turn)
  const [oldest] = turns.size > maxTurns ? turns : []
  if (oldest !== undefined) turns.delete(oldest[0])
  const record = isTold(key) ? ledger.lines.findLast((line) => line.record?.turn === number)?.record : undefined
  return {
    ...ledger,
    strangers: record === undefined ? (others ?? []) : [...(others ?? []), { record, told: true }],
    state: {
      ...ledger.state,
      last: Math.max(last, number),
      forgotten: oldest === undefined ? forgotten : Math.max(forgotten, oldest[1][2])
    }
  }
}

const isTold = (key: string) => key.startsWith("e:")

/** Where the transcript is read again from its begin, a turn may go by another key than before: all records are strangers. */
const strangersIn = ({ archived, lines, state }: Ledger, again: boolean): ReadonlyArray<Stranger> => {
  const keys = new Map([...state.turns].map(([key, [number]]) => [number, key]))
  return [...lines.flatMap((line) => line.record ?? []), ...archived].flatMap((record) => {
    const key = keys.get(record.turn)
    const told = key !== undefined && isTold(key)
    return record.truncated !== undefined || (key !== undefined && !told && !again) ? [] : [{ record, told }]
  })
}

/** The record that a turn has already, though nobody noted it: written right before a crash, or told by an event. */
const twinOf = (
  strangers: ReadonlyArray<Stranger>,
  { assistant = "", ts, user }: TurnRecord,
  timed: boolean
): TurnRecord | undefined =>
  strangers.find(({ record, told }) => {
    if (!told) return record.user === user && (!timed || record.ts === ts)
    const sameUser = record.user === user || (record.user === undefined && record.assistant !== undefined)
    return sameUser && assistant.endsWith(record.assistant ?? "")
  })?.record

/** The ledger with the record of that number written anew, where the buffer has it and the turn says more now. */
const replaced = (ledger: Ledger, turn: Turn, number: number, { now, redact }: PutOptions): Ledger => {
  const index = ledger.lines.findIndex(({ record }) => record?.turn === number && record.truncated === undefined)
  const before = ledger.lines[index]?.record
  const after = recordOf(turn, number, now, redact)
  if (before === undefined || after === undefined) return ledger
  const line = lineOf({ ...after, ts: before.ts })
  if (line.text === ledger.lines[index]?.text || line.text.length < JSON.stringify(before).length) return ledger
  return { ...ledger, lines: ledger.lines.with(index, line), rewritten: true }
}

/** The record of a turn that events tell reply by reply, as a turn that has one reply more. */
export const toldTurn = (
  ledger: Ledger,
  told: { readonly key: string; readonly user: string; readonly reply: string; readonly tools: ReadonlyArray<string> },
  at: number
): Turn => {
  const hash = `e:${textHash(told.key)}`
  const number = ledger.state.turns.get(hash)?.[0]
  const before = ledger.lines.find(({ record }) => record !== undefined && record.turn === number)?.record
  const assistant = [before?.assistant ?? "", told.reply.trim()].filter((text) => text !== "").join("\n")
  const user = before?.user ?? told.user
  return {
    key: told.key,
    offset: 0,
    at,
    user,
    assistant: cut(assistant, 64 * 1024),
    tools: [...told.tools],
    size: user.length + assistant.length + told.tools.length
  }
}
