import { outline } from "./Outline.ts"
import { eachTerm } from "./Words.ts"

/** What of a page is searched, made safe already (`removeUnsafe`). */
export interface PageText {
  readonly slug: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  /** Who wrote it, with what, and when. */
  readonly about: string
  readonly body: string
}

/** Where a page's terms stand. A position is `slot * span + word`: slots are fields, and passages of the body. */
export interface PageTerms {
  /** Words in the page. */
  readonly length: number
  /** Ascending positions. */
  readonly terms: ReadonlyMap<string, ReadonlyArray<number>>
}

/** Words of a slot; what a longer field has beyond that counts as its last word. */
export const span = 1024

export type Field = "slug" | "tags" | "summary" | "about" | "heading" | "body"

const fields: ReadonlyArray<Field> = ["slug", "tags", "summary", "about"]

/** The field that a slot belongs to: four of a page, then, in turns, the heading and the text of each passage. */
export const fieldOf = (slot: number): Field => fields[slot] ?? (slot % 2 === 0 ? "heading" : "body")

/** A passage ends at the first line end after so many words. */
const passageWords = 64
/** Or in the middle of a line, so that a slot holds it. */
const longestPassage = span - 64

export const pageTerms = (page: PageText): PageTerms => {
  const terms = new Map<string, Array<number>>()
  let length = 0
  const add = (text: string, slot: number, from = 0): number => {
    const base = slot * span
    const end = eachTerm(
      text,
      (term, word) => {
        const at = base + Math.min(word, span - 1)
        const known = terms.get(term)
        if (known === undefined) terms.set(term, [at])
        else known.push(at)
      },
      from
    )
    length += end - from
    return end
  }
  add(page.slug, 0)
  add(page.tags.join("\n"), 1)
  add(page.summary, 2)
  add(page.about, 3)
  let slot = fields.length
  for (const part of outline(page.body)) {
    if (part.heading !== "") add(part.heading, slot)
    let word = 0
    for (const [start, end] of lines(page.body, part.start, part.end)) {
      if (word >= passageWords) {
        word = 0
        slot += 2
      }
      word = add(page.body.slice(start, end), slot + 1, word)
    }
    slot += 2
  }
  return { length, terms }
}

/** The lines of a text, a very long one in pieces that no passage is shorter than. */
function* lines(text: string, from: number, to: number): Iterable<readonly [number, number]> {
  for (let start = from; start < to;) {
    const newline = text.indexOf("\n", start)
    const line = newline === -1 || newline >= to ? to : newline + 1
    const end = line - start <= longestPassage ? line : pieceEnd(text, start + longestPassage)
    yield [start, Math.min(end, line)]
    start = Math.min(end, line)
  }
}

/** A blank within reach, so that no word is cut. */
const pieceEnd = (text: string, end: number): number => {
  const blank = text.lastIndexOf(" ", end)
  return blank > end - 200 ? blank + 1 : (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end
}
