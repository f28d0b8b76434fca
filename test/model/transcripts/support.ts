import type { Entry, Held, TranscriptFormat } from "../../../src/model/transcripts/Entry.ts"
import { turnBuilder, type Turn } from "../../../src/model/transcripts/Turns.ts"

/** What a format makes of lines, given as objects or as they are. */
export const read = (format: TranscriptFormat, ...lines: ReadonlyArray<object | string>) => {
  const entries: Array<Entry> = []
  const skipped: Array<string> = []
  let held: Held | undefined
  let offset = 0
  for (const line of lines) {
    const text = typeof line === "string" ? line : JSON.stringify(line)
    const parsed = format({ text, offset }, held)
    held = parsed.held
    entries.push(...parsed.entries)
    if (parsed.skipped !== undefined) skipped.push(parsed.skipped)
    offset += Buffer.byteLength(text) + 1
  }
  return { entries: [...entries, ...(held?.entries ?? [])], skipped, held }
}

/** Roles and texts. */
export const said = (...args: Parameters<typeof read>): ReadonlyArray<string> =>
  read(...args).entries.map(({ agent, role, text, tool }) =>
    [agent === undefined ? role : `${role}@${agent}`, tool, text].filter((part) => part !== undefined).join(" ")
  )

/** The turns that the lines make, as prompt, answer and tools. */
export const turns = (...args: Parameters<typeof read>): ReadonlyArray<readonly [string, string, string]> => {
  const builder = turnBuilder()
  const ended = read(...args).entries.flatMap((entry) => builder.add(entry) ?? [])
  const all: ReadonlyArray<Turn> = [...ended, ...[builder.open()].flatMap((turn) => turn ?? [])]
  return all.map(({ assistant, tools, user }) => [user, assistant, tools.join(" ")])
}
