/** What an entry of a conversation is, whoever the host. `system`: reminders, triggered inputs, task notifications. */
export type EntryRole = "user" | "thinking" | "assistant" | "tool_call" | "tool" | "system"

/** One entry of a conversation, as a line of a transcript tells it. Texts are exact. */
export interface Entry {
  readonly role: EntryRole
  readonly text: string
  /** The same for the same entry whenever it is read again; unique in its transcript. A repeated one is a newer version. */
  readonly uid: string
  /** Whether `uid` is the host's own id, which survives that the file is written anew; else it is an offset. */
  readonly own: boolean
  /** Byte of the transcript that its line begins at. */
  readonly offset: number
  /** What kind of line it came from, in the host's words. */
  readonly kind: string
  /** Milliseconds since 1970. */
  readonly at?: number
  /** The session that the line itself names. */
  readonly session?: string
  /** The subagent that said it, else the main one did. */
  readonly agent?: string
  /** The host's id of the prompt that it belongs to. */
  readonly prompt?: string
  /** Name of the tool, where the line tells it. */
  readonly tool?: string
  /** Ties a tool's call and result together. */
  readonly call?: string
  /** Absolute path of the file that holds the whole of a tool's result, where `text` is a preview only. */
  readonly file?: string
}

/** One whole line of a transcript, and the byte that it begins at. */
export interface Line {
  readonly text: string
  readonly offset: number
}

/** Entries that wait for the next lines: a cursor must not be stored beyond their offset. */
export interface Held {
  readonly entries: ReadonlyArray<Entry>
  readonly offset: number
}

/** What a line says. */
export interface Parsed {
  readonly entries: ReadonlyArray<Entry>
  /** Why nothing was taken from it, where that is worth counting. */
  readonly skipped?: "malformed" | "unknown"
  readonly held?: Held
}

/** How a host writes its transcripts. `held` is what the line before left. */
export type TranscriptFormat = (line: Line, held?: Held) => Parsed

export const nothing: Parsed = { entries: [] }
export const malformed: Parsed = { entries: [], skipped: "malformed" }
export const unknownLine: Parsed = { entries: [], skipped: "unknown" }
