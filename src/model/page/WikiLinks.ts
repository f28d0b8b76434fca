import { inlineTexts } from "../markdown/CommonMark.ts"
import { isSlug } from "./Slug.ts"

/** A `[[slug]]` in a page's body, and where the slug itself stands (UTF-16 code units). */
export interface WikiLink {
  readonly slug: string
  readonly start: number
  readonly end: number
  /** Where the link does, from `[[` to behind `]]`. */
  readonly from: number
  readonly to: number
}

/**
 * The `[[slug]]`, `[[slug|label]]` and `[[slug#heading]]` of a Markdown text, in order. What CommonMark takes for code, for
 * an HTML tag or for an autolink holds none, and neither does what a backslash escapes. The work is linear.
 *
 * @example wikiLinks("see [[retry-rule|the rule]], not `[[this]]`") // [{ slug: "retry-rule", start: 6, end: 16, from: 4, to: 27 }]
 */
export const wikiLinks = (body: string): ReadonlyArray<WikiLink> => {
  if (!body.includes("[[")) return []
  const found: Array<WikiLink> = []
  for (const { html, lines } of inlineTexts(body)) {
    const pieces = lines.flatMap((from, index) =>
      index % 2 === 0 ? [{ from, text: body.slice(from, lines[index + 1]) }] : []
    )
    const text = pieces.map((piece) => piece.text).join("\n")
    if (!text.includes("[[")) continue
    const links = html ? linksIn(text, (at) => at + 1) : linksIn(text, inlineSkips(text))
    let [piece, before] = [0, 0]
    for (const { end, from, slug, start, to } of links) {
      // Links come in order, and each lies in one line.
      for (let size = pieces[piece]?.text.length ?? 0; start > before + size; size = pieces[piece]?.text.length ?? 0) {
        before += size + 1
        piece += 1
      }
      const shift = (pieces[piece]?.from ?? 0) - before
      found.push({ slug, start: start + shift, end: end + shift, from: from + shift, to: to + shift })
    }
  }
  return found
}

/** Where to go on after the mark at an offset: behind what it opens, or behind itself. */
type Skip = (at: number) => number

const opening = /\[\[[ \t]*([A-Za-z0-9_][A-Za-z0-9._-]{0,199})[ \t]*(?:#[^[\]|\n`<\\]*)?(?=\]\]|\\?\|)/y
const plain = /[^\\`<[]+/y

const linksIn = (text: string, skip: Skip): ReadonlyArray<WikiLink> => {
  const found: Array<WikiLink> = []
  for (let at = 0; at < text.length;) {
    plain.lastIndex = at
    if (plain.test(text)) at = plain.lastIndex
    const mark = text.charAt(at)
    if (mark !== "[") {
      at = mark === "" ? text.length : skip(at)
      continue
    }
    opening.lastIndex = at
    const [head = "", slug = ""] = text.startsWith("[[", at) ? (opening.exec(text) ?? []) : []
    const end = head === "" ? undefined : closing(text, at + head.length, skip)
    if (end === undefined || !isSlug(slug)) {
      at += 1
      continue
    }
    const start = text.indexOf(slug, at)
    found.push({ slug, start, end: start + slug.length, from: at, to: end })
    at = end
  }
  return found
}

/** Where a link ends whose slug does: at `]]`, or behind a label of one line in which code spans count as one. */
const closing = (text: string, from: number, skip: Skip): number | undefined => {
  for (let at = text.startsWith("\\|", from) ? from + 2 : from; at < text.length;) {
    const character = text.charAt(at)
    if (character === "]") return text.startsWith("]]", at) ? at + 2 : undefined
    if (character === "[" || character === "\n") return undefined
    at = character === "\\" || character === "`" || character === "<" ? skip(at) : at + 1
  }
  return undefined
}

const tag =
  /<(?:[A-Za-z][A-Za-z0-9-]*(?:\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*"))?)*\s*\/?|\/[A-Za-z][A-Za-z0-9-]*\s*)>/y
const autolink = /<(?:[A-Za-z][A-Za-z0-9.+-]{1,31}:[^<>\x00-\x20]*|[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9.-]+)>/y

/** Inline HTML that ends at the first of a text. */
const enclosed: ReadonlyArray<readonly [open: string, close: string]> = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
  ["<!", ">"]
]

/** How far escapes, code spans, tags and autolinks of an inline text reach. */
const inlineSkips = (text: string): Skip => {
  const runs = backtickRuns(text)
  const absent = new Set<string>()
  const behind = (close: string, from: number): number | undefined => {
    if (absent.has(close)) return undefined
    const at = text.indexOf(close, from)
    if (at === -1) absent.add(close)
    return at === -1 ? undefined : at + close.length
  }
  const markup = (at: number): number => {
    for (const pattern of [tag, autolink]) {
      pattern.lastIndex = at
      if (pattern.test(text)) return pattern.lastIndex
    }
    const [open, close] = enclosed.find(([start]) => text.startsWith(start, at)) ?? []
    if (open === undefined || close === undefined) return at + 1
    // `<!-->` and `<!--->` are whole comments.
    return behind(close, open === "<!--" ? at + 2 : at + open.length) ?? at + 1
  }
  return (at) => {
    if (text.charAt(at) === "\\") return at + 2
    return text.charAt(at) === "`" ? runs(at) : markup(at)
  }
}

/** Behind the code span that opens at an offset, or behind its backticks where no equal run closes it. */
const backtickRuns = (text: string): Skip => {
  const byLength = new Map<number, Array<number>>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const starts = byLength.get(run.length)
    if (starts === undefined) byLength.set(run.length, [index])
    else starts.push(index)
  }
  const next = new Map<number, number>()
  return (at) => {
    let end = at
    while (text.charAt(end) === "`") end++
    const length = end - at
    const starts = byLength.get(length) ?? []
    let index = next.get(length) ?? 0
    while ((starts[index] ?? text.length) < end) index++
    next.set(length, index)
    const close = starts[index]
    return close === undefined ? end : close + length
  }
}
