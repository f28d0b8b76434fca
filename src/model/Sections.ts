import { type Heading, secondLevelHeadings } from "./CommonMark.ts"

/** A part of a page's body: a top-level second-level heading and everything up to the next one. */
export interface Section {
  /** `## text`, for setext headings too; closing hashes are off. Sections may share it. */
  readonly heading: string
  /** Counts the sections that share a heading, from 0. */
  readonly ordinal: number
  /** The exact bytes, heading included. */
  readonly text: string
  /** The exact bytes behind the heading's lines. */
  readonly body: string
}

export interface Sections {
  /** What stands before the first section. */
  readonly preamble: string
  readonly sections: ReadonlyArray<Section>
}

/**
 * Cuts a page's body into preamble and sections, as CommonMark sees them: headings in fences, HTML blocks, indented
 * code, quotes and lists do not count, and first-level and deeper headings belong to their surroundings. The preamble
 * and all section texts, put together, are the body byte for byte.
 *
 * @example parseSections("intro\n\n## A\ntext\n").sections[0]?.heading === "## A"
 */
export const parseSections = (body: string): Sections => {
  const bom = body.startsWith("\ufeff") ? "\ufeff" : ""
  const text = body.slice(bom.length)
  const headings = secondLevelHeadings(text)
  const counts = new Map<string, number>()
  const sections = headings.map((one, index) => {
    const until = headings[index + 1]?.start ?? text.length
    const heading = label(text, one)
    const ordinal = counts.get(heading) ?? 0
    counts.set(heading, ordinal + 1)
    return { heading, ordinal, text: text.slice(one.start, until), body: text.slice(nextLine(text, one.end), until) }
  })
  return { preamble: bom + text.slice(0, headings[0]?.start ?? text.length), sections }
}

/** Where the next line begins, a line ending here. */
const nextLine = (text: string, end: number): number =>
  end + (text.charCodeAt(end) === cr && text.charCodeAt(end + 1) === lf ? 2 : 1)

const lf = 0x0a
const cr = 0x0d

const label = (text: string, { lines, underlined }: Heading): string => {
  const [from, to] = lines[0] ?? [0, 0]
  const first = trimBlanks(text.slice(from, to))
  if (underlined) {
    const words = lines.length === 1 ? first : lines.map(([start, end]) => trimBlanks(text.slice(start, end))).join(" ")
    return `## ${words}`
  }
  // Most are written as their label is.
  if (first.charCodeAt(2) === space && !isBlank(first.charCodeAt(3)) && first.charCodeAt(first.length - 1) !== hash) {
    return first
  }
  const words = withoutClosing(trimBlanks(first.slice(2)))
  return words === "" ? "##" : `## ${words}`
}

/** A run of hashes closes a heading only where a blank stands before it: `C#` keeps its own. */
const withoutClosing = (text: string): string => {
  let end = text.length
  while (text.charCodeAt(end - 1) === hash) end--
  if (end === text.length || (end > 0 && !isBlank(text.charCodeAt(end - 1)))) return text
  return trimBlanks(text.slice(0, end))
}

/** By hand: an expression for trailing ones takes quadratic time on a long run before something. */
const trimBlanks = (text: string): string => {
  let [start, end] = [0, text.length]
  while (isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isBlank = (unit: number) => unit === space || unit === tab

const tab = 0x09
const space = 0x20
const hash = 0x23
