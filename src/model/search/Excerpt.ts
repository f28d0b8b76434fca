import { forAgentLine } from "../text/Sanitise.ts"
import { outline, type Part } from "./Outline.ts"
import type { PageText } from "./PageTerms.ts"
import { eachTerm } from "./Words.ts"

/** The place in a page that answers a query best. Both are one line each, made safe for an agent. */
export interface Excerpt {
  /** The nearest heading above, such as `## Decision`; empty where there is none. */
  readonly heading: string
  readonly text: string
}

/** UTF-16 units of an excerpt, roughly. */
const width = 240
const lead = 60

/**
 * Cuts the passage out of a page that holds most of what a query wants, on word boundaries, and marks what was left off.
 * Where only the page's name or tags match, it is the summary, or the page's beginning.
 *
 * @param worth what each term is worth to the query, other forms and spellings of its words included.
 */
export const excerptOf = (page: PageText, worth: ReadonlyMap<string, number>): Excerpt => {
  const parts = outline(page.body)
  const hits = hitsIn(page.body, parts, worth)
  const best = bestWindow(hits)
  if (best === undefined) {
    const text = page.summary === "" ? beginning(page.body, parts) : cut(page.summary, 0, page.summary.length)
    return { heading: "", text }
  }
  const { part, start } = best
  const heading = forAgentLine(part.heading.slice(0, longestHeading))
  // The words stand in the heading itself: show what it is about.
  if (start < part.start) return { heading, text: cut(page.body, part.start, part.end) }
  return { heading, text: cut(page.body, Math.max(part.start, start - lead), part.end, start) }
}

const longestHeading = 200

interface Hit {
  readonly part: Part
  readonly start: number
  readonly end: number
  readonly term: string
  readonly worth: number
}

/** Where wanted terms stand in a body; a heading's are hits of its part. */
const hitsIn = (body: string, parts: ReadonlyArray<Part>, worth: ReadonlyMap<string, number>): ReadonlyArray<Hit> => {
  const hits: Array<Hit> = []
  for (const part of parts) {
    const below = part.heading === "" ? part.start : body.lastIndexOf("\n", part.start - 2) + 1
    eachTerm(body.slice(below, part.end), (term, _, start, end) => {
      const value = worth.get(term)
      if (value !== undefined) hits.push({ part, start: below + start, end: below + end, term, worth: value })
    })
  }
  return hits
}

/** The window with the most worth, each term once; the first of equals. */
const bestWindow = (hits: ReadonlyArray<Hit>): Hit | undefined => {
  let best: Hit | undefined
  let most = 0
  let sum = 0
  let from = 0
  const held = new Map<string, number>()
  const hold = ({ term, worth }: Hit, change: 1 | -1) => {
    const before = held.get(term) ?? 0
    held.set(term, before + change)
    if (before === (change === 1 ? 0 : 1)) sum += change * worth
  }
  for (const hit of hits) {
    hold(hit, 1)
    for (let first = hits[from]; first !== undefined; first = hits[from]) {
      if (first.part === hit.part && hit.end - first.start <= width - lead) break
      hold(first, -1)
      from++
    }
    const first = hits[from]
    if (sum > most + 1e-9 && first !== undefined) {
      most = sum
      best = first
    }
  }
  return best
}

const beginning = (body: string, parts: ReadonlyArray<Part>): string => {
  const part = parts.find(({ end, start }) => body.slice(start, end).trim() !== "")
  return part === undefined ? "" : cut(body, part.start, part.end)
}

/** At most `width` units from `from` on, begun and ended between words where one is near. */
const cut = (text: string, from: number, to: number, keep = from): string => {
  const start = from === 0 || /\s/.test(text.charAt(from - 1)) ? from : wordStart(text, from, keep)
  const rough = Math.min(to, start + width)
  const end = rough === to ? to : wordEnd(text, Math.max(start + 1, rough), start)
  const line = forAgentLine(text.slice(start, end).replace(/\s+/g, " "))
  const before = text.slice(0, start).trim() === "" || line === "" || isLineStart(text, start) ? "" : "…"
  const after = text.slice(end, to).trim() === "" ? "" : "…"
  return before + line + after
}

const isLineStart = (text: string, at: number): boolean => /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 20), at))

const reach = 40

/** The beginning of the next word, at `keep` at the latest. */
const wordStart = (text: string, from: number, keep: number): number => {
  const blank = text.slice(from, keep).search(/\s/)
  return onCodePoint(text, blank === -1 ? from : from + blank + 1)
}

const wordEnd = (text: string, end: number, start: number): number => {
  const near = text.slice(Math.max(start, end - reach), end)
  const blank = Math.max(near.lastIndexOf(" "), near.lastIndexOf("\n"))
  return onCodePoint(text, blank === -1 ? end : end - near.length + blank)
}

/** Not between the halves of a pair. */
const onCodePoint = (text: string, at: number): number =>
  at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at
