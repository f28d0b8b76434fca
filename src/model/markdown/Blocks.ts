import {
  closesFence,
  fenceLength,
  headingLevel,
  htmlBlock,
  type HtmlEnd,
  isUnderline,
  markerWidth,
  thematicBreaks
} from "./BlockMarks.ts"
import { LineCursor } from "./LineCursor.ts"
import { definitionLength } from "./LinkDefinition.ts"

/** A block of text in a Markdown document. Offsets are UTF-16 code units. */
export interface TextBlock {
  readonly kind: "heading" | "paragraph" | "html"
  /** Of a heading, from 1; 0 else. */
  readonly level: number
  /** Whether it lies in no quote and no list. */
  readonly top: boolean
  /** HTML that ends at a text rather than at a blank line: its content is no markup. */
  readonly verbatim: boolean
  /** For each of its lines where its text begins and where the line ends, in turn; an underline is none of them. */
  readonly lines: ReadonlyArray<number>
  /** How many of its lines are link definitions above an underlined heading's text. */
  readonly definitions: number
  /** Where its last line ends, be it an underline. */
  readonly end: number
}

/**
 * Reads the block structure of a Markdown text as the reference parser of CommonMark 0.31 does, and hands over each block
 * of text when it ends. Nothing else is built: time is linear in the text, whatever it is, and memory beyond it is that of
 * one block and of the containers that are open. Line ends are `\n`, `\r\n` and `\r`.
 *
 * Why no library: pages come from anybody, diff and merge read four of 1 MB at once, and must take less than a second and
 * 300 MB whatever is in them. `commonmark` builds a tree, takes 380 ms for an ordinary megabyte, and quadratic or
 * exponential time for some (emphasis runs, deep quotes); the block rules of `markdown-it` alone take 0.7 s for 100,000
 * headings, and 2.7 s and 640 MB for as many list items. The tests hold this against `commonmark`, heading by heading.
 */
export const readBlocks = (text: string, onBlock: (block: TextBlock) => void): void => {
  const line = new LineCursor(text)
  const isBreak = thematicBreaks()
  const open = new Containers()
  let leaf: Leaf = none

  const closeLeaf = () => {
    if (leaf.kind === "paragraph" || leaf.kind === "html") {
      const { kind, lines, top } = leaf
      const verbatim = leaf.kind === "html" && leaf.ends !== "blank line"
      onBlock({ kind, level: 0, top, verbatim, lines, definitions: 0, end: lines.at(-1) ?? 0 })
    }
    leaf = none
  }
  const heading = (level: number, top: boolean, lines: TextBlock["lines"], definitions: number) =>
    onBlock({ kind: "heading", level, top, verbatim: false, lines, definitions, end: line.end })
  const begin = (next: Leaf, depth: number) => {
    closeLeaf()
    open.closeFrom(depth)
    open.fill()
    leaf = next
  }

  /** How many containers go on in this line. */
  const matchContainers = (): number => {
    let quotes = 0
    for (let depth = 0; depth < open.depth; depth++) {
      line.look()
      if (line.blank) return open.depthAtBlank(quotes)
      const columns = open.columnsAt(depth)
      if (columns === quote) {
        if (line.indent >= 4 || line.unitAt(line.next) !== greaterThan) return depth
        takeQuote()
        quotes++
      } else if (line.indent >= columns) line.take(columns)
      else return depth
    }
    return open.depth
  }
  const takeQuote = () => {
    line.skipBlanks()
    line.take(1)
    line.takeBlank()
  }

  /** Whether the leaf goes on, its containers being there; a fence that closes here is done with. */
  const continues = (): boolean => {
    line.look()
    if (leaf.kind === "paragraph") return !line.blank
    if (leaf.kind === "code") return line.indent >= 4 || line.blank
    return leaf.kind !== "html" || leaf.ends !== "blank line" || !line.blank
  }

  /** An underlined paragraph. What is left of a paragraph of link definitions alone is no heading. */
  const underline = (paragraph: Paragraph): boolean => {
    const { lines, top } = paragraph
    paragraph.cut += definitionLines(text, lines, paragraph.cut)
    if (2 * paragraph.cut === lines.length) return false
    heading(line.unitAt(line.next) === equals ? 1 : 2, top, lines, paragraph.cut)
    leaf = none
    return true
  }

  /** Opens what begins here. "leaf": the line is done with. */
  const start = (depth: number, inParagraph: boolean): "container" | "leaf" | "text" => {
    if (line.indent >= 4) {
      if (leaf.kind === "paragraph" || line.blank) return "text"
      begin({ kind: "code" }, depth)
      return "leaf"
    }
    const mark = line.unitAt(line.next)
    if (mark === greaterThan) {
      takeQuote()
      begin(none, depth)
      open.push(quote)
      return "container"
    }
    if (mark === hash) {
      const level = headingLevel(line)
      if (level === 0) return "text"
      begin(none, depth)
      heading(level, depth === 0, [line.next, line.end], 0)
      return "leaf"
    }
    if (mark === backtick || mark === tilde) {
      const length = fenceLength(line)
      if (length === 0) return "text"
      begin({ kind: "fence", mark, length }, depth)
      return "leaf"
    }
    if (mark === lessThan) {
      const ends = htmlBlock(text.slice(line.next, line.end), leaf.kind === "paragraph")
      if (ends === undefined) return "text"
      begin(none, depth)
      html({ kind: "html", ends, top: depth === 0, lines: [] })
      return "leaf"
    }
    if (mark !== star && mark !== dash && mark !== underscore && mark !== equals && mark !== plus && !isDigit(mark)) {
      return "text"
    }
    if (inParagraph && leaf.kind === "paragraph" && (mark === equals || mark === dash) && isUnderline(line)) {
      if (underline(leaf)) return "leaf"
    }
    if ((mark === star || mark === dash || mark === underscore) && isBreak(line)) {
      begin(none, depth)
      return "leaf"
    }
    const width = markerWidth(line, text, inParagraph)
    if (width === 0) return "text"
    const { indent } = line
    begin(none, depth)
    open.push(indent + line.takeMarker(width))
    return "container"
  }

  /** Adds the line to an HTML block, which may end with it. */
  const html = (block: Html) => {
    block.lines.push(line.textStart(), line.end)
    leaf = block
    if (block.ends !== "blank line" && block.ends.test(text.slice(line.at, line.end))) closeLeaf()
  }

  const readLine = () => {
    let depth = matchContainers()
    let goesOn = depth === open.depth && leaf.kind !== "none"
    if (goesOn && leaf.kind === "fence") {
      line.look()
      if (closesFence(line, leaf.mark, leaf.length)) leaf = none
      return
    }
    goesOn = goesOn && continues()
    if (goesOn && leaf.kind === "html") return html(leaf)
    if (goesOn && leaf.kind === "code") return
    let outcome: ReturnType<typeof start>
    do {
      line.look()
      outcome = start(depth, goesOn && leaf.kind === "paragraph")
      if (outcome === "container") depth = open.depth
    } while (outcome === "container")
    if (outcome === "leaf") return
    line.skipBlanks()
    // A line of text goes on with the paragraph above it, though it lacks the marks of its containers.
    if (leaf.kind === "paragraph" && !line.blank) return void leaf.lines.push(line.textStart(), line.end)
    closeLeaf()
    open.closeFrom(depth)
    if (line.blank) return
    open.fill()
    leaf = { kind: "paragraph", cut: 0, top: depth === 0, lines: [line.textStart(), line.end] }
  }

  eachLine(text, (from, to) => {
    line.begin(from, to)
    readLine()
  })
  closeLeaf()
}

/** Hands over where each line begins, and where it ends without its line end: `\n`, `\r\n` or `\r`. */
const eachLine = (text: string, onLine: (start: number, end: number) => void): void => {
  let cr = text.indexOf("\r")
  for (let start = 0; start < text.length;) {
    const lf = text.indexOf("\n", start)
    if (cr !== -1 && cr < start) cr = text.indexOf("\r", start)
    const end = cr !== -1 && (lf === -1 || cr < lf) ? cr : lf === -1 ? text.length : lf
    onLine(start, end)
    start = end + (end === cr && lf === cr + 1 ? 2 : 1)
  }
}

interface Text {
  readonly top: boolean
  readonly lines: Array<number>
}

interface Paragraph extends Text {
  readonly kind: "paragraph"
  /** Lines of link definitions that were cut off its beginning. */
  cut: number
}

interface Html extends Text {
  readonly kind: "html"
  readonly ends: HtmlEnd
}

type Leaf =
  | { readonly kind: "none" }
  | { readonly kind: "code" }
  | { readonly kind: "fence"; readonly mark: number; readonly length: number }
  | Paragraph
  | Html

const none: Leaf = { kind: "none" }

/** How many lines of link definitions a paragraph has from one of its lines on. */
const definitionLines = (text: string, lines: Text["lines"], from: number): number => {
  if (text.charAt(lines[2 * from] ?? text.length) !== "[") return 0
  const pieces: Array<string> = []
  for (let index = 2 * from; index < lines.length; index += 2)
    pieces.push(text.slice(lines[index], lines[index + 1]), "\n")
  let rest = pieces.join("").replaceAll("\0", "\ufffd")
  let count = 0
  for (let length = definitionLength(rest); length > 0; length = definitionLength(rest)) {
    count += rest.slice(0, length).split("\n").length - 1
    rest = rest.slice(length)
  }
  return count
}

/** For a quote; a list item has the columns that its content is indented by. */
const quote = -1

/** The quotes and list items that are open, from the outermost on. */
class Containers {
  readonly #columns: Array<number> = []
  /** Depths of the quotes. */
  readonly #quotes: Array<number> = []
  /** Whether the innermost is a list item without anything in it yet. */
  #bare = false

  get depth(): number {
    return this.#columns.length
  }

  columnsAt(depth: number): number {
    return this.#columns[depth] ?? 0
  }

  /** How many go on in a blank line, some quotes having been matched: items do, unless nothing is in them yet. */
  depthAtBlank(quotes: number): number {
    const next = this.#quotes[quotes] ?? this.depth
    return next === this.depth && this.#bare ? next - 1 : next
  }

  push(columns: number): void {
    if (columns === quote) this.#quotes.push(this.depth)
    this.#columns.push(columns)
    this.#bare = columns !== quote
  }

  fill(): void {
    this.#bare = false
  }

  closeFrom(depth: number): void {
    if (depth >= this.depth) return
    this.#columns.length = depth
    while ((this.#quotes.at(-1) ?? -1) >= depth) this.#quotes.pop()
    this.#bare = false
  }
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39

const hash = 0x23
const star = 0x2a
const plus = 0x2b
const dash = 0x2d
const lessThan = 0x3c
const equals = 0x3d
const greaterThan = 0x3e
const underscore = 0x5f
const backtick = 0x60
const tilde = 0x7e
