/** What a block of Markdown begins and ends with, read off one line. Every answer takes time linear in the line. */
import { isBlank, type LineCursor } from "./LineCursor.ts"

/** The level of the ATX heading that begins here, or 0. */
export const headingLevel = (line: LineCursor): number => {
  const level = runOf(line, line.next) - line.next
  const behind = line.unitAt(line.next + level)
  return level <= 6 && (behind === -1 || isBlank(behind)) ? level : 0
}

/** The length of the fence that opens here, or 0. A fence of backticks has no backtick behind it. */
export const fenceLength = (line: LineCursor): number => {
  const end = runOf(line, line.next)
  if (end - line.next < 3) return 0
  if (line.unitAt(line.next) !== backtick) return end - line.next
  let at = end
  while (at < line.end && line.unitAt(at) !== backtick) at++
  return at < line.end ? 0 : end - line.next
}

/** Whether a run of one character, and blanks behind it, fill the rest of the line, such as `---` below a heading. */
export const isUnderline = (line: LineCursor): boolean => blanksFrom(line, runOf(line, line.next)) === line.end

/** Whether the line closes a fence. */
export const closesFence = (line: LineCursor, mark: number, length: number): boolean =>
  line.indent < 4 &&
  line.unitAt(line.next) === mark &&
  runOf(line, line.next) - line.next >= length &&
  isUnderline(line)

/** Three of the same of `*-_`, with blanks between them, and nothing else. */
export const thematicBreaks = (): ((line: LineCursor) => boolean) => {
  let [lineEnd, mark, stop] = [-1, 0, 0]
  // Each level of a nested list asks this of the rest of its line: what stopped the last answer stops this one.
  return (line) => {
    const first = line.unitAt(line.next)
    if (line.end === lineEnd && first === mark && line.next < stop) return false
    ;[lineEnd, mark, stop] = [line.end, first, line.next]
    let count = 0
    for (let unit = first; unit === mark || isBlank(unit); unit = line.unitAt(stop)) {
      if (unit === mark) count++
      stop++
    }
    return stop >= line.end && count >= 3
  }
}

/** How many characters the list marker has that stands here, or 0. Only some may interrupt a paragraph. */
export const markerWidth = (line: LineCursor, text: string, inParagraph: boolean): number => {
  let at = line.next
  if (isDigit(line.unitAt(at))) {
    while (isDigit(line.unitAt(at))) at++
    if (at - line.next > 9 || (line.unitAt(at) !== dot && line.unitAt(at) !== parenthesis)) return 0
    if (inParagraph && Number(text.slice(line.next, at)) !== 1) return 0
  } else if (!isBullet(line.unitAt(at))) return 0
  at++
  if (at < line.end && !isBlank(line.unitAt(at))) return 0
  return inParagraph && isEmptyFrom(line, at) ? 0 : at - line.next
}

/** Elements that hold no Markdown, comments and the like: how each begins and ends. */
const verbatim: ReadonlyArray<readonly [open: RegExp, close: RegExp]> = [
  [/^<(?:script|pre|textarea|style)(?:\s|>|$)/i, /<\/(?:script|pre|textarea|style)>/i],
  [/^<!--/, /-->/],
  [/^<[?]/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/]
]
const element =
  /^<[/]?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[123456]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|section|search|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|[/]?[>]|$)/i
const loneTag =
  /^(?:<[A-Za-z][A-Za-z0-9-]*(?:\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[A-Za-z][A-Za-z0-9-]*\s*[>])\s*$/i

/** What closes an HTML block: a text in one of its lines, or a blank line. */
export type HtmlEnd = RegExp | "blank line"

/** How the HTML block ends that begins with a text; undefined if none does. */
export const htmlBlock = (text: string, inParagraph: boolean): HtmlEnd | undefined => {
  const close = verbatim.find(([open]) => open.test(text))?.[1]
  if (close !== undefined) return close
  return element.test(text) || (!inParagraph && loneTag.test(text)) ? "blank line" : undefined
}

/** Where the run of equal characters ends that begins at an offset. */
const runOf = (line: LineCursor, start: number): number => {
  const first = line.unitAt(start)
  let end = start
  while (end < line.end && line.unitAt(end) === first) end++
  return end
}

const blanksFrom = (line: LineCursor, start: number): number => {
  let end = start
  while (isBlank(line.unitAt(end))) end++
  return end
}

/** No text, as CommonMark counts what a list item that interrupts a paragraph must have: form feeds are none. */
const isEmptyFrom = (line: LineCursor, start: number): boolean => {
  let end = start
  for (let unit = line.unitAt(end); isBlank(unit) || unit === 0x0b || unit === 0x0c; unit = line.unitAt(end)) end++
  return end === line.end
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39
const isBullet = (unit: number) => unit === 0x2a || unit === 0x2b || unit === 0x2d

const backtick = 0x60
const dot = 0x2e
const parenthesis = 0x29
