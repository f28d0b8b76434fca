import type { CountedSections, Section } from "../markdown/Sections.ts"

/**
 * For each section of `to`, the index of the section of `from` that it was, or undefined if it is new. Sections belong
 * together by heading and ordinal; of what is left, a removed and an added one with nearly the same words are one that was
 * renamed (Jaccard similarity of at least 0.7, each removed one in turn taking the best that is free).
 *
 * The search is bounded: on pages with very many renames at once, only those with exactly the same text are found.
 */
export const originsOf = (from: CountedSections, to: ReadonlyArray<Section>): ReadonlyArray<number | undefined> => {
  const origins = sameKeys(from, to)
  const kept = new Uint8Array(from.sections.length)
  for (const origin of origins) if (origin !== undefined) kept[origin] = 1
  const removed = candidates(from.sections, (index) => kept[index] === 0)
  const added = candidates(to, (index) => origins[index] === undefined)
  if (removed.length === 0 || added.length === 0) return origins
  const renamed = new Map(pair(removed, added))
  return origins.map((origin, index) => origin ?? renamed.get(index))
}

/** Most sections stand behind the one that they stood behind: only for others is it looked up where they were. */
const sameKeys = (
  { counts, sections: from }: CountedSections,
  to: ReadonlyArray<Section>
): ReadonlyArray<number | undefined> => {
  let known: Map<string, number> | undefined
  let next = 0
  return to.map((section) => {
    const expected = from[next]
    if (expected !== undefined && sameKey(expected, section)) return next++
    if (!counts.has(section.heading)) return undefined
    if (known === undefined) {
      known = new Map()
      for (const [index, one] of from.entries()) known.set(keyOf(one), index)
    }
    const origin = known.get(keyOf(section))
    if (origin !== undefined) next = origin + 1
    return origin
  })
}

/** What sections are matched by. A heading begins with hashes, so that it is no key of a later one. */
export const keyOf = ({ heading, ordinal }: Section): string => (ordinal === 0 ? heading : `${ordinal} ${heading}`)

/** Whether two sections have the same key. */
export const sameKey = (left: Section, right: Section): boolean =>
  left.ordinal === right.ordinal && left.heading === right.heading

/** A section's words under its heading: line ends as LF, without the blank lines around it. */
export const plainBody = (text: string): string => {
  const lf = text.replace(/\r\n?/g, "\n")
  let end = lf.length
  while (end > 0 && " \t\n".includes(lf.charAt(end - 1))) end--
  let start = 0
  for (let index = 0; index < end && " \t\n".includes(lf.charAt(index)); index++) {
    if (lf.charAt(index) === "\n") start = index + 1
  }
  return lf.slice(start, end)
}

const threshold = 0.7

/** Words compared in one search. */
const budget = 2_000_000

/** Pairs of sections beyond which words are not even counted. */
const manyPairs = 1_000_000

interface Candidate {
  readonly index: number
  readonly section: Section
}

const candidates = (sections: ReadonlyArray<Section>, among: (index: number) => boolean): ReadonlyArray<Candidate> => {
  const found: Array<Candidate> = []
  for (const [index, section] of sections.entries()) if (among(index)) found.push({ index, section })
  return found
}

interface Words {
  readonly index: number
  /** Sorted numbers, one for each different word. */
  readonly words: ReadonlyArray<number>
  /** Equal for sections of the same words. */
  readonly key: string
}

/** Pairs of an added section's index and the removed one's. */
const pair = (removed: ReadonlyArray<Candidate>, added: ReadonlyArray<Candidate>): Array<[number, number]> => {
  const exact = removed.length * added.length > manyPairs
  const numbers = new Map<string, number>()
  const wordsOf = ({ index, section }: Candidate): Words => {
    const body = plainBody(section.body)
    if (exact || body === "") return { index, words: [], key: `text ${body}` }
    const words = [...new Set(tokens(body).map((token) => numberOf(numbers, token)))].toSorted((a, b) => a - b)
    // The key of mere punctuation is not that of an empty section.
    return { index, words, key: words.join(" ") }
  }
  const free = new Map(added.map(wordsOf).map((words) => [words.index, words]))
  // The first that is free stands last, to be popped.
  const sameWords = Map.groupBy([...free.values()].toReversed(), ({ key }) => key)
  const pairs: Array<[number, number]> = []
  let work = 0
  for (const old of removed.map(wordsOf)) {
    const twins = sameWords.get(old.key) ?? []
    let best = twins.pop()?.index
    while (best !== undefined && !free.has(best)) best = twins.pop()?.index
    let similarity = threshold
    for (const one of best === undefined && old.words.length > 0 ? free.values() : []) {
      if (work > budget) break
      work++
      const [left, right] = [old.words.length, one.words.length]
      if (Math.min(left, right) < Math.max(left, right) * threshold) continue
      work += left + right
      const found = jaccard(old.words, one.words)
      if (found > similarity || (found === similarity && best === undefined)) [best, similarity] = [one.index, found]
    }
    if (best === undefined) continue
    free.delete(best)
    pairs.push([best, old.index])
  }
  return pairs
}

const tokens = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(/\s+/)
    .map(withoutPunctuation)
    .filter((token) => token !== "")

const punctuation = `.,;:!?"'()[]{}`

const withoutPunctuation = (token: string): string => {
  let [start, end] = [0, token.length]
  while (start < end && punctuation.includes(token.charAt(start))) start++
  while (end > start && punctuation.includes(token.charAt(end - 1))) end--
  return token.slice(start, end)
}

const numberOf = (numbers: Map<string, number>, token: string): number => {
  const known = numbers.get(token)
  if (known !== undefined) return known
  numbers.set(token, numbers.size)
  return numbers.size - 1
}

const jaccard = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): number => {
  let [common, l, r] = [0, 0, 0]
  while (l < left.length && r < right.length) {
    const difference = (left[l] ?? 0) - (right[r] ?? 0)
    if (difference === 0) common++
    if (difference <= 0) l++
    if (difference >= 0) r++
  }
  const union = left.length + right.length - common
  return union === 0 ? 0 : common / union
}
