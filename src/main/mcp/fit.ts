import { Option } from "effect"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { byteLength } from "../../model/text/Text.ts"

/** What an answer may take, below the 80,000 bytes of rule 10 by enough for its envelope. */
export const answerBytes = 78_000

/** As many whole lines as an answer may hold; what is left off is counted. */
export const fitLines = (text: string, maxBytes: number = answerBytes): string => {
  if (byteLength(text) <= maxBytes) return text
  const lines = text.split("\n")
  let bytes = 100
  const shown = lines.findIndex((line) => (bytes += byteLength(line) + 1) > maxBytes)
  return [...lines.slice(0, shown), `[${lines.length - shown} more line(s) left off.]`].join("\n")
}

/** How many of some texts fit, each on lines of its own. */
export const countFitting = (texts: ReadonlyArray<string>, maxBytes: number): number => {
  let bytes = 0
  const end = texts.findIndex((text) => (bytes += byteLength(text) + 2) > maxBytes)
  return end === -1 ? texts.length : end
}

/** The last line of a list that goes on. */
export const moreLines = (tool: string, what: string, next: Option.Option<string>): ReadonlyArray<string> =>
  Option.match(next, {
    onNone: () => [],
    onSome: (cursor) => [
      "",
      `[Older ${what} were left off: call ${tool} again with cursor=${JSON.stringify(forAgentLine(cursor))}.]`
    ]
  })
