import { Schema } from "effect"
import { neutralise, removeUnsafe } from "../text/Sanitise.ts"
import { byteLength, truncateBytes } from "../text/Text.ts"

/** One turn of a capture buffer, a line of `_pending/<session-id>.jsonl`; or, with `truncated`, a marker for dropped ones. */
export const TurnRecord = Schema.Struct({
  /** RFC 3339 in seconds, UTC. */
  ts: Schema.String,
  /** From 1; a marker in a directive carries 0. */
  turn: Schema.NonNegativeInt,
  user: Schema.optionalWith(Schema.String, { exact: true }),
  assistant: Schema.optionalWith(Schema.String, { exact: true }),
  tools: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  truncated: Schema.optionalWith(Schema.Struct({ dropped: Schema.NonNegativeInt, reason: Schema.String }), {
    exact: true
  })
})
export type TurnRecord = typeof TurnRecord.Type

const windowHead = 10
const windowTail = 40
const windowBytes = 30_000
const shownTools = 12

/**
 * A buffer as a directive shows it: JSON, one record a line. Over 50 records, the first 10 and the last 40 with a marker
 * between; over 30 KB, the longest texts are shortened until it fits.
 */
export const renderBuffer = (turns: ReadonlyArray<TurnRecord>): string => {
  const window = inlineWindow(turns).map(visible)
  const whole = render(window)
  if (byteLength(whole) <= windowBytes) return whole
  const lists = window.map(fewerTools)
  const longest = Math.max(
    0,
    ...lists.flatMap((turn) => [turn.user, turn.assistant].map((text) => byteLength(text ?? "")))
  )
  return render(
    shorten(
      lists,
      largestFit(longest, (limit) => byteLength(render(shorten(lists, limit))) <= windowBytes)
    )
  )
}

const inlineWindow = (turns: ReadonlyArray<TurnRecord>): ReadonlyArray<TurnRecord> => {
  const dropped = turns.slice(windowHead, -windowTail)
  const first = dropped[0]
  if (turns.length <= windowHead + windowTail || first === undefined) return turns
  const marker = { ts: first.ts, turn: 0, truncated: { dropped: dropped.length, reason: "inline_window" } }
  return [...turns.slice(0, windowHead), marker, ...turns.slice(-windowTail)]
}

/** A record with its texts changed, its keys in the order of the schema. */
const mapTexts = (turn: TurnRecord, change: (text: string) => string, tools = turn.tools): TurnRecord => ({
  ts: turn.ts,
  turn: turn.turn,
  ...(turn.user === undefined ? {} : { user: change(turn.user) }),
  ...(turn.assistant === undefined ? {} : { assistant: change(turn.assistant) }),
  ...(tools === undefined ? {} : { tools }),
  ...(turn.truncated === undefined ? {} : { truncated: turn.truncated })
})

const visible = (turn: TurnRecord): TurnRecord => ({
  ...mapTexts(turn, removeUnsafe, turn.tools?.map(removeUnsafe)),
  ts: removeUnsafe(turn.ts),
  ...(turn.truncated === undefined
    ? {}
    : { truncated: { ...turn.truncated, reason: removeUnsafe(turn.truncated.reason) } })
})

const shorten = (turns: ReadonlyArray<TurnRecord>, limit: number): ReadonlyArray<TurnRecord> =>
  turns.map((turn) => mapTexts(turn, (text) => cut(text, limit)))

const fewerTools = (turn: TurnRecord): TurnRecord =>
  mapTexts(turn, (text) => text, turn.tools && firstTools(turn.tools))

const firstTools = (tools: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = tools.slice(0, shownTools).map((name) => cut(name, 64))
  return tools.length <= shownTools ? names : [...names, `+${tools.length - shownTools} more`]
}

const cut = (text: string, limit: number) =>
  byteLength(text) <= limit ? text : `${truncateBytes(text, Math.max(0, limit - 3))}...`

/** The largest number up to `from` that fits; 0 where none does. */
const largestFit = (from: number, fits: (limit: number) => boolean): number => {
  let [low, high] = [0, from]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

const render = (turns: ReadonlyArray<TurnRecord>): string => turns.map(line).join("\n")

// A backslash before one of our tags would break the JSON: in such a record `<` is written as JSON may write it.
const line = (turn: TurnRecord): string => {
  const json = JSON.stringify(turn)
  const texts = [turn.ts, turn.user ?? "", turn.assistant ?? "", ...(turn.tools ?? []), turn.truncated?.reason ?? ""]
  return texts.every((text) => neutralise(text) === text) ? json : json.replaceAll("<", "\\u003c")
}
