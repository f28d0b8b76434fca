import { diffArrays } from "diff"

/** Edits looked for in one text; beyond that, what differs is shown as replaced whole. */
export const maxEdits = 1000

/**
 * The difference of two texts, line by line: `"  "` before a line of both, `"- "` before one that went, `"+ "` before one
 * that came, deletes before inserts. The whole text is given, without hunks. An empty text has no lines.
 *
 * @param limit Most lines removed and added that are looked for one by one; the work grows with its square.
 *
 * @example diffLines("a\nb", "a\nc") // ["  a", "- b", "+ c"]
 */
export const diffLines = (from: string, to: string, limit = maxEdits): ReadonlyArray<string> => {
  const left = linesOf(from)
  const right = linesOf(to)
  const shorter = Math.min(left.length, right.length)
  let head = 0
  while (head < shorter && left[head] === right[head]) head++
  let tail = 0
  while (tail < shorter - head && left.at(-1 - tail) === right.at(-1 - tail)) tail++
  return [
    ...marked("  ", left.slice(0, head)),
    ...middle(left.slice(head, left.length - tail), right.slice(head, right.length - tail), limit),
    ...marked("  ", left.slice(left.length - tail))
  ]
}

/** How many lines of a difference came or went. */
export const countEdits = (lines: ReadonlyArray<string>): number =>
  lines.filter((line) => !line.startsWith("  ")).length

const linesOf = (text: string): Array<string> => (text === "" ? [] : text.split("\n"))

const marked = (mark: string, lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.map((line) => mark + line)

const middle = (left: Array<string>, right: Array<string>, limit: number): ReadonlyArray<string> => {
  const changes =
    left.length === 0 || right.length === 0 ? undefined : diffArrays(left, right, { maxEditLength: Math.max(1, limit) })
  if (changes === undefined) return [...marked("- ", left), ...marked("+ ", right)]
  const lines: Array<string> = []
  const inserted: Array<string> = []
  const flush = () => {
    for (const line of inserted.splice(0)) lines.push(line)
  }
  for (const { added, removed, value } of changes) {
    if (!added && !removed) flush()
    const target = added ? inserted : lines
    for (const line of value) target.push((added ? "+ " : removed ? "- " : "  ") + line)
  }
  flush()
  return lines
}
