import { readBlocks, type TextBlock } from "./Blocks.ts"

/** Hands over the second-level headings at the top level of a Markdown text, in order. */
export const secondLevelHeadings = (text: string, onHeading: (heading: TextBlock) => void): void =>
  readBlocks(text, (block) => {
    if (block.level === 2 && block.top) onHeading(block)
  })

/** The text of one paragraph, heading or HTML block. */
export interface InlineText {
  /** HTML stands as it is: no code spans in it. */
  readonly html: boolean
  /** For each of its lines where its text begins and where the line ends, in turn. */
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
