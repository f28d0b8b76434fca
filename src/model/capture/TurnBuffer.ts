import { type Fields, listOf, stringOf } from "../transcripts/Fields.ts"
import { parseFields } from "../transcripts/JsonLineDriver.ts"
import type { Turn } from "../transcripts/Turns.ts"
import { byteLength, truncateBytes } from "../text/Text.ts"
import type { TurnRecord } from "./TurnRecord.ts"

const maxUser = 2048
const maxAssistant = 4096
const maxTool = 128
const maxRecords = 500
const droppedAtOnce = 100
const maxLine = 1024 * 1024

/** A line of a buffer as it stands there, and what it says where that can be read. */
export interface BufferLine {
  readonly text: string
  readonly record: TurnRecord | undefined
}

/**
 * The record of a turn: its texts first redacted whole, then cut on a code point. Undefined where it would say nothing.
 *
 * Source: reference.md 5.1.
 */
export const recordOf = (
  turn: Pick<Turn, "user" | "assistant" | "tools" | "at">,
  number: number,
  now: number,
  redact: (text: string) => string
): TurnRecord | undefined => {
  const user = cut(redact(turn.user.toWellFormed()), maxUser)
  const assistant = cut(redact(turn.assistant.toWellFormed()), maxAssistant)
  const tools = turn.tools.map((name) => cut(redact(name.toWellFormed()), maxTool))
  if (user === "" && assistant === "" && tools.length === 0) return undefined
  return {
    ts: stamp(turn.at ?? now),
    turn: number,
    ...(user === "" ? {} : { user }),
    ...(assistant === "" ? {} : { assistant }),
    ...(tools.length === 0 ? {} : { tools })
  }
}

/** A text that is over its bytes ends in `...` within them. */
export const cut = (text: string, maxBytes: number): string =>
  byteLength(text) <= maxBytes ? text : `${truncateBytes(text, maxBytes - 3)}...`

/** RFC 3339 in seconds, UTC. */
export const stamp = (milliseconds: number): string =>
  `${new Date(Math.min(Math.max(0, milliseconds), 253402300799000)).toISOString().slice(0, 19)}Z`

/** The lines of a buffer, whoever wrote it; what follows the last line break is left out. */
export const parseBuffer = (text: string): ReadonlyArray<BufferLine> =>
  text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ text: line, record: line.length > maxLine ? undefined : parseRecord(line) }))

/** The record that a line holds; undefined where it holds none. Unknown keys are not taken over. */
export const parseRecord = (line: string): TurnRecord | undefined => {
  const fields = parseFields(line)
  const ts = stringOf(fields?.["ts"])
  const turn = fields?.["turn"]
  if (fields === undefined || ts === undefined || !isCount(turn)) return undefined
  const [user, assistant] = [stringOf(fields["user"]), stringOf(fields["assistant"])]
  const tools = listOf(fields["tools"]).flatMap((name) => stringOf(name) ?? [])
  return {
    ts,
    turn,
    ...(user === undefined ? {} : { user }),
    ...(assistant === undefined ? {} : { assistant }),
    ...(tools.length === 0 ? {} : { tools }),
    ...markerOf(fields)
  }
}

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value) && value >= 0

const markerOf = (fields: Fields): Pick<TurnRecord, "truncated"> => {
  const marker = fields["truncated"]
  if (typeof marker !== "object" || marker === null || !("dropped" in marker) || !("reason" in marker)) return {}
  const { dropped, reason } = marker
  return isCount(dropped) && typeof reason === "string" ? { truncated: { dropped, reason } } : {}
}

export const lineOf = (record: TurnRecord): BufferLine => ({ text: JSON.stringify(record), record })

/** A buffer with one more record; at 500 lines the oldest 100 make room, and a marker says how many are gone in all. */
export const appended = (lines: ReadonlyArray<BufferLine>, record: TurnRecord): ReadonlyArray<BufferLine> => {
  if (lines.length < maxRecords) return [...lines, lineOf(record)]
  const gone = lines.slice(0, droppedAtOnce)
  const dropped = gone.reduce((sum, line) => sum + (line.record?.truncated?.dropped ?? 1), 0)
  const ts = gone[0]?.record?.ts ?? record.ts
  const marker: TurnRecord = { ts, turn: 0, truncated: { dropped, reason: "buffer_cap" } }
  return [lineOf(marker), ...lines.slice(droppedAtOnce), lineOf(record)]
}
