import { forAgentLine, removeUnsafe } from "../model/text/Sanitise.ts"
import { byteLength, truncateBytes } from "../model/text/Text.ts"

/** Bytes that a label (heading, tag, summary, name) may take in a directive. */
const labelBytes = 300

/**
 * Variable text as a label: safe, on one line, and cut on a code point where it is absurdly long. The cut comes before
 * our tags are made inert, because it may leave one that was a longer word.
 */
export const label = (text: string): string => {
  const clean = removeUnsafe(text)
  return byteLength(clean) <= labelBytes
    ? forAgentLine(clean)
    : `${forAgentLine(truncateBytes(clean, labelBytes - 3))}...`
}

/** Variable text as the value of a quoted attribute. */
export const attribute = (text: string): string =>
  `"${forAgentLine(text).replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}"`

/** The leading lines that take at most `maxBytes`, a line break each, and how many were left off. */
export const fit = (
  lines: ReadonlyArray<string>,
  maxBytes: number
): { readonly shown: ReadonlyArray<string>; readonly left: number } => {
  let room = maxBytes
  const over = lines.findIndex((line) => (room -= byteLength(line) + 1) < 0)
  return over === -1 ? { shown: lines, left: 0 } : { shown: lines.slice(0, over), left: lines.length - over }
}
