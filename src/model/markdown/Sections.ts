import type { TextBlock } from "./Blocks.ts"
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

/** Sections that others are compared with. */
export interface CountedSections extends Sections {
  /** How many sections have a heading. */
  readonly counts: ReadonlyMap<string, number>
}

/**
 * Cuts a page's body into preamble and sections, as CommonMark sees them: headings in fences, HTML blocks, indented
 * code, quotes and lists do not count, and first-level and deeper headings belong to their surroundings. The preamble
 * and all section texts, put together, are the body byte for byte.
 *
 * @example parseSections("intro\n\n## A\ntext\n").sections[0]?.heading === "## A"
 */
export const parseSections = (body: string): CountedSections => {
  const counts = new Map<string, number>()
  const sections: Array<Section> = []
  const preamble = cutSections(body, (heading, start, bodyStart, end) => {
    const ordinal = counted(counts, heading)
    sections.push({ heading, ordinal, text: body.slice(start, end), body: body.slice(bodyStart, end) })
  })
  return { preamble, sections, counts }
}

/**
 * The same of another version of a page. A section that is the same, and in the same order, is taken from there, and while
 * the order is the same its numbers hold: nearly all of the memory, and half of the time, on a page of very many sections.
 */
export const parseVersion = (body: string, like: CountedSections): Sections => {
  const sections: Array<Section> = []
  // Of headings that `like` does not have, or, once its numbers do not hold any more, of all.
  let counts = new Map<string, number>()
  let inStep = true
  const fallOut = () => {
    inStep = false
    counts = new Map()
    for (const { heading } of sections) counted(counts, heading)
  }
  let next = 0
  const preamble = cutSections(body, (heading, start, bodyStart, end) => {
    const skipped = like.sections[next]
    if (skipped?.heading !== heading && like.sections[next + 1]?.heading === heading) {
      if (inStep && skipped !== undefined && (like.counts.get(skipped.heading) ?? 0) > 1) fallOut()
      next++
    }
    const expected = like.sections[next]
    const twin = expected?.heading === heading ? expected : undefined
    if (twin !== undefined) next++
    else if (inStep && like.counts.has(heading)) fallOut()
    const ordinal = inStep && twin !== undefined ? twin.ordinal : counted(counts, heading)
    const isTwin = twin?.ordinal === ordinal && twin.text.length === end - start && body.startsWith(twin.text, start)
    sections.push(isTwin ? twin : { heading, ordinal, text: body.slice(start, end), body: body.slice(bodyStart, end) })
  })
  return { preamble, sections }
}

/** How many there were before. */
const counted = (counts: Map<string, number>, heading: string): number => {
  const count = counts.get(heading) ?? 0
  counts.set(heading, count + 1)
  return count
}

/** Hears of each section when its end is known. Offsets are UTF-16 code units of the body. */
export type OnSection = (heading: string, start: number, bodyStart: number, end: number) => void

/**
 * Cuts a body as `parseSections` does, and keeps nothing.
 *
 * @returns The preamble.
 */
export const cutSections = (body: string, onSection: OnSection): string => {
  const bom = body.startsWith("\ufeff") ? 1 : 0
  const text = body.slice(bom)
  let preamble: string | undefined
  let [heading, start, bodyStart] = ["", 0, 0]
  const endAt = (end: number) => {
    if (preamble === undefined) preamble = body.slice(0, end)
    else onSection(heading, start, bodyStart, end)
  }
  secondLevelHeadings(text, (block) => {
    const from = bom + lineStart(text, block)
    endAt(from)
    start = from
    bodyStart = bom + nextLine(text, block.end)
    heading = label(text, block)
  })
  endAt(body.length)
  return preamble ?? body
}

/** Where a heading begins: nothing but blanks stands before its text. Definitions above that belong to what is before. */
const lineStart = (text: string, { definitions, end, lines }: TextBlock): number => {
  let start = lines[2 * definitions] ?? end
  while (isBlank(text.charCodeAt(start - 1))) start--
  return start
}

/** Where the next line begins, a line ending here. */
const nextLine = (text: string, end: number): number =>
  end + (text.charCodeAt(end) === cr && text.charCodeAt(end + 1) === lf ? 2 : 1)

const lf = 0x0a
const cr = 0x0d

const label = (text: string, { definitions, end, lines }: TextBlock): string => {
  if (lines.at(-1) !== end) {
    const wordsOf = (line: number) => text.slice(lines[line], blanksBefore(text, lines[line + 1] ?? end))
    let words = wordsOf(2 * definitions)
    for (let line = 2 * definitions + 2; line < lines.length; line += 2) words += ` ${wordsOf(line)}`
    return `## ${words}`
  }
  const [hashes = end] = lines
  const start = blanksBehind(text, hashes + 2, end)
  const stop = withoutClosing(text, start, blanksBefore(text, end))
  if (stop <= start) return "##"
  return start === hashes + 3 && text.charCodeAt(hashes + 2) === space
    ? text.slice(hashes, stop)
    : `## ${text.slice(start, stop)}`
}

/** A run of hashes closes a heading only where a blank stands before it: `C#` keeps its own. */
const withoutClosing = (text: string, start: number, end: number): number => {
  let stop = end
  while (stop > start && text.charCodeAt(stop - 1) === hash) stop--
  if (stop === end || (stop > start && !isBlank(text.charCodeAt(stop - 1)))) return end
  return blanksBefore(text, stop)
}

/** By hand: an expression for trailing blanks takes quadratic time on a long run before something. */
const blanksBefore = (text: string, end: number): number => {
  let start = end
  while (isBlank(text.charCodeAt(start - 1))) start--
  return start
}

const blanksBehind = (text: string, start: number, limit: number): number => {
  let end = start
  while (end < limit && isBlank(text.charCodeAt(end))) end++
  return end
}

const isBlank = (unit: number) => unit === space || unit === tab

const tab = 0x09
const space = 0x20
const hash = 0x23
