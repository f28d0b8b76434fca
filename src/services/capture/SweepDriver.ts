/** Driver of one reading of a transcript, from a byte on, within a time. Without Effect, for the capture hook. */
import type { Entry, Held, TranscriptFormat } from "../../model/transcripts/Entry.ts"
import { type Turn, turnBuilder } from "../../model/transcripts/Turns.ts"
import type { OpenTranscript } from "../transcripts/TranscriptReaderDriver.ts"

export interface Swept {
  /** Byte to read on from: where the last turn begins, which may go on. */
  readonly offset: number
  /** The last turn. */
  readonly open: Turn | undefined
  readonly malformed: number
  readonly unknown: number
  /** False: the time was over before the lines were. */
  readonly complete: boolean
}

/** What a record keeps of a text is far less. */
const maxString = 64 * 1024

/**
 * Most bytes of a transcript of Claude Code are tools' results, of which turns take nothing. Inside a text the quotes would
 * be escaped, so nothing that somebody said looks like one.
 */
const isResult = (bytes: Buffer): boolean => bytes.includes('"type":"tool_result"') && !bytes.includes('"type":"text"')

/** Reads on, and gives each turn that ended. */
export const sweep = (
  transcript: OpenTranscript,
  format: TranscriptFormat,
  from: number,
  budgetMs: number,
  each: (turn: Turn) => void
): Swept => {
  const until = performance.now() + budgetMs
  const builder = turnBuilder()
  let held: Held | undefined
  let offset = from
  let [malformed, unknown, count] = [0, 0, 0]
  let complete = true

  const take = (entry: Entry) => {
    const ended = builder.add(entry)
    if (ended !== undefined) each(ended)
  }
  for (const line of transcript.lines(from, { maxString, isIdle: isResult })) {
    offset = line.next
    if (line.tooLong) {
      unknown++
      continue
    }
    const parsed = format(line, held)
    // The last line may be half written: it is read again, and counts only where it is whole.
    if (!line.ended && parsed.skipped !== undefined) break
    held = parsed.held
    if (parsed.skipped === "malformed") malformed++
    if (parsed.skipped === "unknown") unknown++
    parsed.entries.forEach(take)
    if (++count % 256 === 0 && performance.now() > until) {
      complete = false
      break
    }
  }
  const resumeAt = builder.open()?.offset ?? held?.offset ?? offset
  held?.entries.forEach(take)
  return { offset: resumeAt, open: builder.open(), malformed, unknown, complete }
}
