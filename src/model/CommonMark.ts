import { readBlocks, type TextBlock } from "./Blocks.ts"

/** A second-level heading at the top level of a Markdown text. */
export interface Heading {
  /** Where its first line begins; link definitions above an underlined one's text do not belong to it. */
  readonly start: number
  /** Where its last line ends, be it an underline. */
  readonly end: number
  readonly underlined: boolean
  /** Where the text begins in each of its lines, hashes included, and the line's end. */
  readonly lines: TextBlock["lines"]
}

/** The second-level headings at the top level of a Markdown text, in order. */
export const secondLevelHeadings = (text: string): ReadonlyArray<Heading> => {
  const found: Array<Heading> = []
  readBlocks(text, ({ definitions, end, level, lines: all, top }) => {
    if (level !== 2 || !top) return
    const lines = definitions === 0 ? all : all.slice(definitions)
    const [first, last] = [lines[0]?.[0] ?? end, lines.at(-1)?.[1]]
    found.push({ start: lineStart(text, first), end, underlined: last !== end, lines })
  })
  return found
}

/** Nothing but blanks stands before the text of a top-level block in its line. */
const lineStart = (text: string, textStart: number): number => {
  let start = textStart
  while (text.charCodeAt(start - 1) === 0x20 || text.charCodeAt(start - 1) === 0x09) start--
  return start
}

/** The text of one paragraph, heading or HTML block. */
export interface InlineText {
  /** HTML stands as it is: no code spans in it. */
  readonly html: boolean
  /** Where the text begins in each of its lines, and the line's end. */
  readonly lines: TextBlock["lines"]
}

/**
 * Where inline markup counts in a Markdown text: not in code blocks, nor in HTML that is verbatim (`<pre>`, `<script>`,
 * comments). Link reference definitions are taken for text.
 */
export const inlineTexts = (text: string): ReadonlyArray<InlineText> => {
  const found: Array<InlineText> = []
  readBlocks(text, ({ kind, lines, verbatim }) => {
    if (!verbatim) found.push({ html: kind === "html", lines })
  })
  return found
}
