/** Letters whose small form SQLite's index knows too: Latin, Greek, Cyrillic, Armenian. */
const sharedCase = /[\u0080-\u058f\u1e00-\u1fff]/u

/**
 * Text whose letters all have one case, unit by unit: an offset in it is one in the text. A letter whose small form is
 * longer, or ASCII while it is not, stays as it is.
 */
export const fold = (text: string): string => {
  const lower = text.toLowerCase()
  const plain = lower.length === text.length && !/[\u0130\u03c2\u212a\u212b]/.test(text) ? lower : foldSlowly(text)
  return plain.includes("\u03c2") ? plain.replaceAll("\u03c2", "\u03c3") : plain
}

const foldSlowly = (text: string): string =>
  Array.from(text, (letter) => {
    const lower = letter.toLowerCase()
    return lower.length !== letter.length || (letter > "\u007f" && lower <= "\u007f") ? letter : lower
  }).join("")

/**
 * Groups of three letters that a text must hold to hold the query, as the index has them; some of them, where it has very
 * many. None where the query is too short, or written in letters whose cases the index does not know: then only a look at
 * every text tells.
 */
export const trigrams = (query: string): ReadonlyArray<string> => {
  const letters = Array.from(query)
  const found = new Set<string>()
  for (let index = 0; index + 3 <= letters.length; index++) {
    const three = letters.slice(index, index + 3)
    if (three.every(isIndexed)) found.add(three.join(""))
  }
  const all = [...found]
  if (all.length <= most) return all
  const step = all.length / most
  return Array.from({ length: most }, (_, index) => all[Math.floor(index * step)] ?? "")
}

const most = 24

const isIndexed = (letter: string): boolean => {
  if (letter === "\ufffd" || letter === "\0") return false
  const cased = letter.toLowerCase() !== letter || letter.toUpperCase() !== letter
  return !cased || letter <= "\u007f" || sharedCase.test(letter)
}

/** Where a text holds the query first, in UTF-16 code units; -1 where it does not. */
export const find = (text: string, query: string, matchCase: boolean): number =>
  matchCase ? text.indexOf(query) : fold(text).indexOf(fold(query))
