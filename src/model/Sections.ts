import { secondLevelHeadings } from "./CommonMark.ts"

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
  const bom = body.startsWith("\ufeff") ? 1 : 0
  const headings = secondLevelHeadings(body.slice(bom))
  if (headings.length === 0) return { preamble: body, sections: [] }
  const starts = lineStarts(body, bom)
  const startOf = (line: number) => starts[line - 1] ?? body.length
  const counts = new Map<string, number>()
  const sections = headings.map(({ first, last }, index) => {
    const start = startOf(first)
    const end = startOf(headings[index + 1]?.first ?? starts.length + 1)
    const heading = label(body.slice(start, startOf(last + 1)), last - first)
    const ordinal = counts.get(heading) ?? 0
    counts.set(heading, ordinal + 1)
    return { heading, ordinal, text: body.slice(start, end), body: body.slice(startOf(last + 1), end) }
  })
  return { preamble: body.slice(0, startOf(headings[0]?.first ?? 1)), sections }
}

/** Where each line of a text begins, from an offset on. */
export const lineStarts = (text: string, from: number): ReadonlyArray<number> => {
  const starts = [from]
  for (let index = from; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    // A CR before a LF is no end of its own.
    if (unit === lf || (unit === cr && text.charCodeAt(index + 1) !== lf)) starts.push(index + 1)
  }
  return starts
}

const lf = 0x0a
const cr = 0x0d

/** The label of a heading's lines. An ATX heading has no text lines above an underline. */
const label = (source: string, textLines: number): string => {
  const text =
    textLines > 0
      ? source
          .split(/\r\n|\n|\r/, textLines)
          .map(trimBlanks)
          .join(" ")
      : withoutClosing(trimBlanks(trimBlanks(source).slice(2)))
  return text === "" ? "##" : `## ${text}`
}

/** A run of hashes closes a heading only where a blank stands before it: `C#` keeps its own. */
const withoutClosing = (text: string): string => {
  let end = text.length
  while (text.charCodeAt(end - 1) === hash) end--
  if (end === text.length || (end > 0 && !isBlank(text.charCodeAt(end - 1)))) return text
  return trimBlanks(text.slice(0, end))
}

/** Blanks and line ends. By hand: an expression for trailing ones takes quadratic time on a long run before something. */
const trimBlanks = (text: string): string => {
  let [start, end] = [0, text.length]
  while (isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isBlank = (unit: number) => unit === 0x20 || unit === 0x09 || unit === lf || unit === cr

const hash = 0x23
