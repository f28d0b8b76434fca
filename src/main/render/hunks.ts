import { type ChangeObject, diffWordsWithSpace } from "diff"
import type { Style } from "./style.ts"

/** Lines around a change that are shown too. */
const context = 2

/** Longer lines are shown without marks within them. */
const longest = 2_000

/** Pairs of lines in which parts are looked for. */
const mostPairs = 500

/**
 * The changed lines of a section, with two lines around them; what lies between is one `...`. With a style that marks
 * parts, a line that took another's place shows which words differ.
 *
 * @param lineDiff Lines led by `"  "`, `"- "` or `"+ "`, made safe already.
 */
export const hunkLines = (lineDiff: string, style: Style): ReadonlyArray<string> => {
  const lines = lineDiff.split("\n")
  const near = nearChanges(lines)
  const painted = paint(lines, style)
  return lines.flatMap((_, index) => {
    if (near[index] === true) return [painted[index] ?? ""]
    return index === 0 || near[index - 1] === true ? ["  ..."] : []
  })
}

const isChange = (line: string | undefined): boolean =>
  line !== undefined && (line.startsWith("- ") || line.startsWith("+ "))

const nearChanges = (lines: ReadonlyArray<string>): ReadonlyArray<boolean> => {
  const near = lines.map(() => false)
  for (const [index, line] of lines.entries()) {
    if (isChange(line)) near.fill(true, Math.max(0, index - context), index + context + 1)
  }
  return near
}

const paint = (lines: ReadonlyArray<string>, style: Style): ReadonlyArray<string> => {
  const painted: Array<string> = []
  let pairs = 0
  for (let at = 0; at < lines.length;) {
    const removed = run(lines, at, "- ")
    const added = run(lines, at + removed.length, "+ ")
    if (removed.length + added.length === 0) {
      painted.push(lines[at++] ?? "")
      continue
    }
    const inPairs = removed.length === added.length && style.changedPart !== undefined
    const marked =
      inPairs && (pairs += removed.length) <= mostPairs
        ? removed.map((old, n) => parts(old, added[n] ?? "", style))
        : []
    for (const [n, line] of removed.entries()) painted.push(style.removed(marked[n]?.[0] ?? line))
    for (const [n, line] of added.entries()) painted.push(style.added(marked[n]?.[1] ?? line))
    at += removed.length + added.length
  }
  return painted
}

const run = (lines: ReadonlyArray<string>, from: number, mark: string): ReadonlyArray<string> => {
  let to = from
  while (lines[to]?.startsWith(mark) === true) to++
  return lines.slice(from, to)
}

/** Both lines with their changed words marked; as they are where little is common. */
const parts = (old: string, now: string, { changedPart }: Style): readonly [string, string] => {
  if (changedPart === undefined || old.length > longest || now.length > longest) return [old, now]
  const changes = diffWordsWithSpace(old.slice(2), now.slice(2), { maxEditLength: 200 })
  if (changes === undefined) return [old, now]
  const common = changes.reduce((sum, { added, removed, value }) => (added || removed ? sum : sum + value.length), 0)
  if (common * 3 < Math.min(old.length, now.length) - 2) return [old, now]
  const side = (mark: string, isLeftOut: (change: ChangeObject<string>) => boolean) =>
    mark +
    changes
      .filter((change) => !isLeftOut(change))
      .map(({ added, removed, value }) => (added || removed ? changedPart(value) : value))
      .join("")
  return [side("- ", ({ added }) => added), side("+ ", ({ removed }) => removed)]
}
