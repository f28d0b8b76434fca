/**
 * A driver for the block half of the `commonmark` package: which lines are second-level headings of the document
 * itself, and where inline text stands. It reaches behind the package's types, for the sake of bounded work on hostile
 * text:
 *
 * - inlines are never parsed (headings are cut from the source lines);
 * - what takes quadratic or exponential time in the package (link titles such as `"\"\"\"`, headings with a long run
 *   of blanks, lines of backticks, deep indentation) is scanned by hand;
 * - a block that is closed is let go at once, so that memory follows the depth of a text, not its length;
 * - the third and later of a run of blank lines say nothing new, and are only counted;
 * - below `maxDepth` containers, further markers are read as one with the innermost container.
 */
import { type Node, Parser } from "commonmark"

/** Lines of one heading, counted from 1: an ATX heading has one, a setext heading its text and the underline. */
export interface HeadingLines {
  readonly first: number
  readonly last: number
}

/** How many block quotes and list items may lie in each other before deeper ones count as one. */
const maxDepth = 100

/** The second-level headings at the top level of a Markdown text, in order. Line ends are `\n`, `\r\n` and `\r`. */
export const secondLevelHeadings = (text: string): ReadonlyArray<HeadingLines> => {
  const found: Array<HeadingLines> = []
  const parser = boundedParser((block) => {
    if (block.type === "heading" && block.level === 2 && block.parent?.type === "document") found.push(linesOf(block))
  })
  parser.parse(text)
  return found
}

/** The text of one paragraph, heading or HTML block: from where it begins in each of its lines to the line's end. */
export interface InlineText {
  /** HTML stands as it is: no code spans in it. */
  readonly html: boolean
  /** Lines count from 1, `offset` in UTF-16 code units. */
  readonly lines: ReadonlyArray<{ readonly line: number; readonly offset: number }>
}

/**
 * Where inline markup counts in a Markdown text: not in code blocks, nor in HTML that is verbatim (`<pre>`, `<script>`,
 * comments). Link reference definitions are taken for text.
 */
export const inlineTexts = (text: string): ReadonlyArray<InlineText> => {
  const found: Array<InlineText> = []
  let lines: Array<InlineText["lines"][number]> = []
  const parser = boundedParser((block) => {
    if (block.type === "paragraph" || block.type === "heading") {
      // An ATX heading adds no lines: all of its line is text.
      const [[first]] = block.sourcepos
      found.push({ html: false, lines: lines.length > 0 ? lines : [{ line: first, offset: 0 }] })
    } else if (block.type === "html_block" && lines.length > 0 && !isVerbatim(block)) {
      found.push({ html: true, lines })
    }
    if (isLeaf(block)) lines = []
  })
  const addLine = parser.addLine
  parser.addLine = () => {
    addLine.call(parser)
    lines.push({ line: parser.lineNumber, offset: parser.offset })
  }
  parser.parse(text)
  return found
}

const isLeaf = ({ type }: Node) =>
  type === "paragraph" || type === "heading" || type === "html_block" || type === "code_block"

/** Kinds 1 to 5 of HTML block: elements whose content is no markup, comments and the like. */
const isVerbatim = (block: Node): boolean =>
  "_htmlBlockType" in block && typeof block._htmlBlockType === "number" && block._htmlBlockType < 6

/** A parser of blocks alone. `closed` hears of each block when it ends, before it is let go. */
const boundedParser = (closed: (block: Node) => void): OpenParser => {
  const parser = new Parser()
  if (!isOpen(parser)) throw new Error("the installed 'commonmark' is not the version that this package was built with")
  parser.processInlines = () => {}
  parser.inlineParser.parseLinkTitle = skipLinkTitle
  const [heading, fence, thematicBreak] = [1, 2, 5]
  parser.blockStarts = parser.blockStarts.map((start, index) => {
    if (index === heading) return startHeading
    if (index === fence) return startFence(start)
    return index === thematicBreak ? startThematicBreak() : start
  })
  limitDepth(parser)
  findNonspaceOnce(parser)
  skipBlankRuns(parser)
  const finalize = parser.finalize
  parser.finalize = (block, line) => {
    finalize.call(parser, block, line)
    closed(block)
    letGo(block)
  }
  return parser
}

/** What the package's own methods work on. */
interface OpenParser extends Parser {
  processInlines: (document: Node) => void
  incorporateLine: (line: string) => void
  addLine: () => void
  findNextNonspace: () => void
  finalize: (block: Node, line: number) => void
  /** As installed: quote, heading, fence, HTML, setext underline, thematic break, list item, indented code. */
  blockStarts: ReadonlyArray<BlockStart>
  readonly inlineParser: InlineParser
  readonly currentLine: string
  lineNumber: number
  readonly offset: number
  readonly column: number
  readonly nextNonspace: number
  readonly nextNonspaceColumn: number
  indent: number
  indented: boolean
  readonly tip: Node
  readonly advanceNextNonspace: () => void
  readonly advanceOffset: (count: number, columns: boolean) => void
  readonly closeUnmatchedBlocks: () => void
  addChild: (type: string, offset: number) => Node
}

interface InlineParser {
  parseLinkTitle: (this: InlineParser) => string | null
  readonly subject: string
  pos: number
}

/** 0: no match, 1: a container was opened, go on with the rest of the line, 2: a leaf was opened. */
type BlockStart = (parser: OpenParser, container: Node) => 0 | 1 | 2

const isOpen = (parser: Parser): parser is OpenParser =>
  "processInlines" in parser &&
  "inlineParser" in parser &&
  "incorporateLine" in parser &&
  "blockStarts" in parser &&
  Array.isArray(parser.blockStarts) &&
  parser.blockStarts.length === 8

const linesOf = (heading: Node): HeadingLines => {
  const [[first], [last]] = heading.sourcepos
  if (first === last) return { first, last }
  // Link reference definitions above a setext heading were cut from its text, but not from its position.
  const text = "_string_content" in heading ? heading._string_content : ""
  const lines = typeof text === "string" ? text.split("\n").length - 1 : 0
  return { first: Math.max(first, last - lines), last }
}

const letGo = (block: Node) => {
  while (block.firstChild !== null) block.firstChild.unlink()
  block.prev?.unlink()
}

const skipBlankRuns = (parser: OpenParser) => {
  const incorporateLine = parser.incorporateLine
  let blanks = 0
  parser.incorporateLine = (line) => {
    blanks = /^[ \t]*$/.test(line) ? blanks + 1 : 0
    if (blanks > 2) parser.lineNumber += 1
    else incorporateLine.call(parser, line)
  }
}

/** Every container of a deep list asks where the line's text begins: within one run of blanks the answer stays. */
const findNonspaceOnce = (parser: OpenParser) => {
  const findNextNonspace = parser.findNextNonspace
  let line = 0
  let from = 0
  parser.findNextNonspace = () => {
    if (parser.lineNumber === line && parser.offset >= from && parser.offset <= parser.nextNonspace) {
      parser.indent = parser.nextNonspaceColumn - parser.column
      parser.indented = parser.indent >= 4
    } else {
      line = parser.lineNumber
      from = parser.offset
      findNextNonspace.call(parser)
    }
  }
}

const startHeading: BlockStart = (parser) => {
  if (parser.indented) return 0
  const marker = /^#{1,6}(?=[ \t]|$)/.exec(parser.currentLine.slice(parser.nextNonspace, parser.nextNonspace + 7))
  if (marker === null) return 0
  parser.advanceNextNonspace()
  parser.closeUnmatchedBlocks()
  parser.addChild("heading", parser.nextNonspace).level = marker[0].length
  parser.advanceOffset(parser.currentLine.length - parser.offset, false)
  return 2
}

/** A run of backticks with another one behind it on the line opens no fence. */
const startFence =
  (start: BlockStart): BlockStart =>
  (parser, container) => {
    const { currentLine, nextNonspace } = parser
    let end = nextNonspace
    while (currentLine.charAt(end) === "`") end++
    return end > nextNonspace && currentLine.includes("`", end) ? 0 : start(parser, container)
  }

/** Each level of a nested list asks this of the rest of its line: what stopped the last answer stops this one. */
const startThematicBreak = (): BlockStart => {
  let [line, marker, stop] = [0, "", 0]
  return (parser) => {
    const { currentLine, nextNonspace } = parser
    const first = currentLine.charAt(nextNonspace)
    if (parser.indented || (first !== "*" && first !== "-" && first !== "_")) return 0
    if (parser.lineNumber !== line || first !== marker || nextNonspace > stop) {
      ;[line, marker, stop] = [parser.lineNumber, first, endOfBreak(currentLine, nextNonspace)]
    }
    if (stop < currentLine.length || currentLine.slice(nextNonspace).split(marker, 4).length < 4) return 0
    parser.closeUnmatchedBlocks()
    parser.addChild("thematic_break", nextNonspace)
    parser.advanceOffset(currentLine.length - parser.offset, false)
    return 2
  }
}

/** Where a run of one marker and blanks ends. */
const endOfBreak = (line: string, start: number): number => {
  const marker = line.charAt(start)
  let end = start
  while (end < line.length && (line.charAt(end) === marker || isBlank(line.charAt(end)))) end++
  return end
}

const isBlank = (character: string) => character === " " || character === "\t"

const thematicBreak = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const markers = /^(?:[ \t]{0,3}(?:>|(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$)))+[ \t]?/

/** At full depth, container markers are read away, up to the text behind them. */
const limitDepth = (parser: OpenParser) => {
  const { addChild, finalize } = parser
  let open = 0
  parser.addChild = (type, offset) => {
    const child = addChild.call(parser, type, offset)
    if (isContainer(child)) open++
    return child
  }
  parser.finalize = (block, line) => {
    finalize.call(parser, block, line)
    if (isContainer(block)) open--
  }
  const flatten: BlockStart = (_, container) => {
    if (open < maxDepth || parser.indented || depthOf(container) < maxDepth) return 0
    const rest = parser.currentLine.slice(parser.nextNonspace)
    const marked = markers.exec(rest)?.[0]
    if (marked === undefined || thematicBreak.test(rest)) return 0
    parser.advanceNextNonspace()
    parser.closeUnmatchedBlocks()
    parser.advanceOffset(marked.length, false)
    // Nothing but markers ends a paragraph, as a blank line does.
    if (parser.tip.type === "paragraph" && /^[ \t]*$/.test(rest.slice(marked.length))) {
      parser.finalize(parser.tip, parser.lineNumber - 1)
    }
    return 1
  }
  parser.blockStarts = [flatten, ...parser.blockStarts]
}

const isContainer = ({ type }: Node) => type === "block_quote" || type === "item"

const depthOf = (container: Node): number => {
  let depth = 0
  for (let node: Node | null = container; node !== null; node = node.parent) {
    if (isContainer(node)) depth++
  }
  return depth
}

/** Moves over a link title, `"..."`, `'...'` or `(...)`; a backslash takes the next character with it. */
function skipLinkTitle(this: InlineParser): string | null {
  const open = this.subject.charAt(this.pos)
  const close = open === "(" ? ")" : open
  if (open !== '"' && open !== "'" && open !== "(") return null
  for (let index = this.pos + 1; index < this.subject.length; index++) {
    const unit = this.subject.charAt(index)
    if (unit === "\\") index++
    else if (unit === close) {
      this.pos = index + 1
      return ""
    } else if (unit === open) return null
  }
  return null
}
