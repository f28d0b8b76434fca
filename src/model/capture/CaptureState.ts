import { fieldsOf, given, listOf, stringOf } from "../transcripts/Fields.ts"
import { parseFields } from "../transcripts/JsonLineDriver.ts"

/** How far a transcript was read, and which file that was. See `TranscriptReaderDriver`. */
export interface Cursor {
  /** Byte of the first line that is still to be read. */
  readonly offset: number
  /** Device and number of the file. */
  readonly inode: string
  /** Bytes of the file when it was read. */
  readonly size: number
  /** When it was changed last, in milliseconds. */
  readonly changed: number
  /** Bytes of the file's beginning that `head` is a fingerprint of. */
  readonly headBytes: number
  readonly head: string
  /** Fingerprint of the bytes right before the offset. */
  readonly tail: string
}

/** A transcript as the capture of turns knows it: its cursor stands at the begin of the last turn. */
export interface KnownTranscript extends Cursor {
  /** The session that its first line names. */
  readonly home?: string
  /** Whether the last turn has been recorded as far as it went. */
  readonly settled: boolean
}

/** A turn that has a record: its number, size and time. */
export type KnownTurn = readonly [number: number, size: number, at: number]

/** What capture keeps of one session, in `.contexo/.sync/capture/<session>.json`. No text but redacted ones. */
export interface CaptureState {
  readonly transcripts: ReadonlyMap<string, KnownTranscript>
  /** By the fingerprint of their key (`e:` before it where only events told it), oldest first. Changed in place. */
  readonly turns: Map<string, KnownTurn>
  /** Number of the last turn. */
  readonly last: number
  /** Turns up to this time are noted in `turns` no longer, though they have records. Milliseconds since 1970. */
  readonly forgotten: number
  /** What the person said, told by an event, while no reply has been told. */
  readonly prompt?: Prompt
  /** Fingerprint of the last reply that an event told, and of its turn. */
  readonly said?: string
}

export interface Prompt {
  /** Of the turn that it began. */
  readonly key: string
  /** Redacted. */
  readonly text: string
  readonly at: number
  /** Tools that events told of since. */
  readonly tools: ReadonlyArray<string>
}

const maxTranscripts = 4

export const noCaptureState = (): CaptureState => ({
  transcripts: new Map(),
  turns: new Map(),
  last: 0,
  forgotten: 0
})

/** Reads what `renderCaptureState` wrote. Anything else is no state: capture then reads from the begin, and meets its records. */
export const parseCaptureState = (text: string): CaptureState => {
  const fields = parseFields(text)
  if (fields === undefined) return noCaptureState()
  const transcripts = Object.entries(fieldsOf(fields["transcripts"]) ?? {}).flatMap(([path, value]) => {
    const known = transcriptOf(value)
    return known === undefined ? [] : [[path, known] as const]
  })
  const prompt = promptOf(fields["prompt"])
  return {
    transcripts: new Map(transcripts),
    turns: new Map(listOf(fields["turns"]).flatMap(turnOf)),
    last: numberOf(fields["last"]) ?? 0,
    forgotten: numberOf(fields["forgotten"]) ?? 0,
    ...given("prompt", prompt),
    ...given("said", stringOf(fields["said"]))
  }
}

export const renderCaptureState = (state: CaptureState): string =>
  JSON.stringify({
    ...state,
    transcripts: Object.fromEntries([...state.transcripts].slice(-maxTranscripts)),
    turns: [...state.turns].map(([key, turn]) => [key, ...turn])
  })

const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined

const transcriptOf = (value: unknown): KnownTranscript | undefined => {
  const fields = fieldsOf(value)
  const [offset, size] = [numberOf(fields?.["offset"]), numberOf(fields?.["size"])]
  const [changed, headBytes] = [numberOf(fields?.["changed"]), numberOf(fields?.["headBytes"])]
  const [inode, head, tail] = [stringOf(fields?.["inode"]), stringOf(fields?.["head"]), stringOf(fields?.["tail"])]
  if (offset === undefined || size === undefined || changed === undefined || headBytes === undefined) return undefined
  if (inode === undefined || head === undefined || tail === undefined) return undefined
  const settled = fields?.["settled"] === true
  return { offset, size, changed, headBytes, inode, head, tail, settled, ...given("home", stringOf(fields?.["home"])) }
}

const turnOf = (value: unknown): ReadonlyArray<readonly [string, KnownTurn]> => {
  const [key, number, size, at] = listOf(value)
  if (typeof key !== "string" || typeof number !== "number") return []
  return typeof size === "number" && typeof at === "number" ? [[key, [number, size, at]]] : []
}

const promptOf = (value: unknown): Prompt | undefined => {
  const fields = fieldsOf(value)
  const [key, text, at] = [stringOf(fields?.["key"]), stringOf(fields?.["text"]), numberOf(fields?.["at"])]
  if (key === undefined || text === undefined || at === undefined) return undefined
  return { key, text, at, tools: listOf(fields?.["tools"]).flatMap((tool) => stringOf(tool) ?? []) }
}
