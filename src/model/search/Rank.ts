import { compareCodePoints } from "../text/Text.ts"
import { type Field, fieldOf, span } from "./PageTerms.ts"
import { eachPosting, positionsIn } from "./Postings.ts"

/** How much what counts. The numbers were chosen on questions about long chats; see `bench/locomo.ts`. */
export interface Ranking {
  /** BM25: how soon more of the same word says no more, and how much a long page must say to be as good. */
  readonly k1: number
  readonly b: number
  /** Of a word in a field, against the same in the body. Whole numbers: an index keeps them. */
  readonly fields: Readonly<Record<Field, number>>
  /** Another form of a word (`deploy` for `deployed`), against the word itself. */
  readonly otherForm: number
  /** A common word (`the`), against others, in a query that has others. */
  readonly common: number
  /** The best passage of a page, against the whole page; and the next best ones. */
  readonly passage: number
  readonly passageNext: number
  /** Neighbours in the query that are near each other in the page. */
  readonly proximity: number
  /** So many of the best pages are looked at closely. */
  readonly depth: number
}

export const ranking: Ranking = {
  k1: 1.2,
  b: 0.9,
  fields: { slug: 5, tags: 4, summary: 3, about: 2, heading: 3, body: 1 },
  otherForm: 0.6,
  common: 0.3,
  passage: 1,
  passageNext: 0.1,
  proximity: 0.7,
  depth: 64
}

/** One way to spell a word of the query, and where it stands. */
export interface Variant {
  /** 1: as it was asked for. */
  readonly weight: number
  /** The postings of a block of pages, whose first is page `first` of the index. */
  readonly blocks: ReadonlyArray<{ readonly first: number; readonly bytes: Uint8Array }>
}

/** A word of the query. */
export interface Wanted {
  readonly weight: number
  /** Words that follow each other in the query do so here. */
  readonly position: number
  readonly variants: ReadonlyArray<Variant>
}

export interface Ranked {
  readonly page: number
  readonly score: number
}

/** Pages in order, and how rare each of the wanted words is. */
export interface Ranks {
  readonly pages: ReadonlyArray<Ranked>
  readonly rarity: ReadonlyArray<number>
}

/**
 * The pages that hold any of the wanted words, best first; equal ones by their names.
 *
 * @param lengths the number of words of each page of the index; 0: it is gone.
 * @param names of the pages.
 */
export const rank = (
  wanted: ReadonlyArray<Wanted>,
  lengths: Uint32Array,
  names: ReadonlyArray<string>,
  options: Ranking = ranking
): Ranks => {
  const bestFirst = (one: Ranked, other: Ranked) =>
    other.score - one.score || compareCodePoints(names[one.page] ?? "", names[other.page] ?? "")
  const stock = census(lengths)
  const heard = wanted.map((word) => weigh(word, lengths, stock, options))
  const scores = new Float64Array(lengths.length)
  for (const { idf, parts } of heard) {
    for (const [page, part] of parts) {
      scores[page] = (scores[page] ?? 0) + part * idf
    }
  }
  const found: Array<Ranked> = []
  for (let page = 0; page < scores.length; page++) {
    const score = scores[page] ?? 0
    if (score > 0) found.push({ page, score })
  }
  found.sort(bestFirst)
  const close = closely(found.slice(0, options.depth), heard, options)
  return {
    pages: [...close.toSorted(bestFirst), ...found.slice(options.depth)],
    rarity: heard.map(({ idf }) => idf)
  }
}

interface Stock {
  readonly pages: number
  readonly average: number
}

const census = (lengths: Uint32Array): Stock => {
  let [pages, words] = [0, 0]
  for (const length of lengths) {
    if (length > 0) pages++
    words += length
  }
  return { pages, average: words / Math.max(1, pages) }
}

interface Heard {
  readonly word: Wanted
  readonly idf: number
  /** What the word adds to a page's score, before it is weighed by its rarity. */
  readonly parts: ReadonlyMap<number, number>
}

const weigh = (word: Wanted, lengths: Uint32Array, { average, pages }: Stock, { b, k1 }: Ranking): Heard => {
  const counts = new Map<number, number>()
  for (const { blocks, weight } of word.variants) {
    for (const { bytes, first } of blocks) {
      eachPosting(bytes, (doc, count) => {
        const page = first + doc
        if ((lengths[page] ?? 0) > 0) counts.set(page, (counts.get(page) ?? 0) + count * weight)
      })
    }
  }
  const idf = word.weight * Math.log(1 + (pages - counts.size + 0.5) / (counts.size + 0.5))
  for (const [page, count] of counts) {
    const norm = k1 * (1 - b + (b * (lengths[page] ?? 0)) / average)
    counts.set(page, (count * (k1 + 1)) / (count + norm))
  }
  return { word, idf, parts: counts }
}

/** Adds what the places of the words in a page say. */
const closely = (
  found: ReadonlyArray<Ranked>,
  heard: ReadonlyArray<Heard>,
  options: Ranking
): ReadonlyArray<Ranked> => {
  const pages = new Set(found.map(({ page }) => page))
  const places = heard.map(({ word }) => placesOf(word, pages))
  return found.map(({ page, score }) => {
    const here = heard.map(({ idf, word }, index) => ({
      idf,
      position: word.position,
      places: (places[index]?.get(page) ?? []).toSorted((a, b) => a - b)
    }))
    return { page, score: score + passages(here, options) + near(here, options) }
  })
}

interface Here {
  readonly idf: number
  readonly position: number
  readonly places: ReadonlyArray<number>
}

const placesOf = ({ variants }: Wanted, pages: ReadonlySet<number>) => {
  const places = new Map<number, Array<number>>()
  for (const { blocks } of variants) {
    for (const { bytes, first } of blocks) {
      eachPosting(bytes, (doc, _, from, to) => {
        const page = first + doc
        if (!pages.has(page)) return
        const known = places.get(page)
        if (known === undefined) places.set(page, [...positionsIn(bytes, from, to)])
        else known.push(...positionsIn(bytes, from, to))
      })
    }
  }
  return places
}

/** What the best passages say by themselves: each word counts once, as much as it is rare. */
const passages = (here: ReadonlyArray<Here>, { passage, passageNext }: Ranking): number => {
  const sums = new Map<number, number>()
  for (const { idf, places } of here) {
    let last = -1
    for (const place of places) {
      const slot = slotOf(place)
      if (slot !== last) sums.set(slot, (sums.get(slot) ?? 0) + idf)
      last = slot
    }
  }
  const [best = 0, ...next] = [...sums.values()].toSorted((a, b) => b - a)
  return passage * best + passageNext * next.slice(0, 2).reduce((sum, one) => sum + one, 0)
}

/** A heading and the passage below it are one. */
const slotOf = (place: number): number => {
  const slot = Math.floor(place / span)
  return fieldOf(slot) === "heading" ? slot + 1 : slot
}

const farthest = 12

/** How far apart neighbours in the query may be in it. */
const neighbours = 3

/** Neighbours in the query: how near they come to each other in the page, at best. */
const near = (here: ReadonlyArray<Here>, { proximity }: Ranking): number => {
  let sum = 0
  for (const [index, one] of here.entries()) {
    for (const other of here.slice(index + 1, index + 1 + neighbours)) {
      const off = closest(one.places, other.places, other.position - one.position)
      if (off < farthest) sum += (Math.min(one.idf, other.idf) * (farthest - off)) / farthest
    }
  }
  return proximity * sum
}

/** By how many words the best pair of places misses the distance that the query has. */
const closest = (one: ReadonlyArray<number>, other: ReadonlyArray<number>, distance: number): number => {
  let best = Infinity
  let at = 0
  for (const place of one) {
    const aim = place + distance
    while (at < other.length - 1 && Math.abs((other[at + 1] ?? 0) - aim) <= Math.abs((other[at] ?? 0) - aim)) at++
    const found = other[at]
    if (found !== undefined && Math.floor(found / span) === Math.floor(place / span)) {
      best = Math.min(best, Math.abs(found - aim))
    }
  }
  return best
}
