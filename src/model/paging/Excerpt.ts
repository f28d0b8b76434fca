import { forAgentLine, removeUnsafe } from "../text/Sanitise.ts"

const around = 70

/**
 * A part of a text for a list of references: what stands around a place, on one line, safe, with an ellipsis where more
 * is, on code points.
 *
 * @param at UTF-16 code unit of what was looked for; 0 for the beginning.
 * @param length Of what was looked for.
 */
export const excerptAt = (text: string, at: number, length: number): string => {
  const before = text.slice(Math.max(0, at - around * 4), at)
  const start = at - tail(before, around).length
  const found = text.slice(at, at + Math.min(length, 200))
  const after = head(text.slice(at + found.length, at + found.length + around * 4), at === 0 ? around * 2 : around)
  const end = at + found.length + after.length
  const middle = forAgentLine(removeUnsafe(text.slice(start, end).toWellFormed())).replace(/\s{2,}/g, " ")
  return `${start > 0 ? "…" : ""}${middle}${end < text.length ? "…" : ""}`
}

const tail = (text: string, letters: number): string => Array.from(text).slice(-letters).join("")

const head = (text: string, letters: number): string => Array.from(text).slice(0, letters).join("")
