/**
 * Cuts text into the terms under which it is found: words, the parts of identifiers, and pairs of characters in scripts that
 * do not part words with blanks. A query is cut the same way, so nothing a user types is ever grammar.
 */

/** `position` counts words; `start` and `end` are UTF-16 offsets of what the term was made of. */
export type Visit = (term: string, position: number, start: number, end: number) => void

/**
 * Visits every term of a text, and returns the position after the last.
 *
 * `getUserByID` is `get`, `user`, `by`, `id`, and as a whole `getuserbyid` at the position of the first part; so are words
 * with `-` and `_` in them. `部署方案` is `部署`, `署方`, `方案` and `案`. Terms are folded: case, width and accents do not count.
 *
 * @param from the position of the first word.
 */
export const eachTerm = (text: string, visit: Visit, from = 0): number => {
  let position = from
  let index = 0
  const length = text.length
  while (index < length) {
    const kind = kindAt(text, index)
    if (kind === letters) {
      let whole = ""
      let parts = 0
      const [first, begin] = [position, index]
      for (;;) {
        const end = endOfRun(text, index)
        for (const [start, stop] of partsOf(text, index, end)) {
          const term = termOf(text.slice(start, stop))
          if (term === "") continue
          visit(term, position, start, stop)
          position++
          parts++
          if (whole.length <= longestWhole) whole += term
        }
        index = end
        const joint = text.charCodeAt(index)
        if ((joint !== hyphen && joint !== underscore) || kindAt(text, index + 1) !== letters) break
        index++
      }
      if (parts > 1 && whole.length <= longestWhole) visit(whole, first, begin, index)
      if (parts === 1 && whole.length <= 2) index = visitSigned(text, begin, index, whole, first, visit)
    } else if (kind === dense) {
      const end = endOfDense(text, index)
      position = visitPairs(text, index, end, position, visit)
      index = end
    } else index++
  }
  return position
}

/** Case, width, accents and final sigma go. */
export const fold = (text: string): string => {
  if (ascii.test(text)) return text.toLowerCase()
  const plain = text.normalize("NFKC").toLowerCase().normalize("NFD")
  return plain.replace(accents, "").normalize("NFC").replaceAll("ς", "σ")
}

/** A longer run of letters is found by its beginning. */
const longestTerm = 100
const longestWhole = 64
const hyphen = 0x2d
const underscore = 0x5f
const apostrophe = 0x27
const curly = 0x2019

const ascii = /^[\0-\x7f]*$/
const accents = /[\u0300-\u036f]/g

const [nothing, letters, dense] = [1, 2, 3]

const wordPart = /[\p{L}\p{N}\p{M}]/u
const densePart =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\u3005\uff70]/u

/** What kind each UTF-16 unit is; 0: not looked up yet. */
const kinds = new Uint8Array(0x10000)

const kindAt = (text: string, index: number): number => {
  const unit = text.charCodeAt(index)
  if (Number.isNaN(unit)) return nothing
  const known = kinds[unit]
  if (known !== undefined && known !== 0) return known
  if (unit >= 0xd800 && unit <= 0xdbff) return kindOf(String.fromCodePoint(text.codePointAt(index) ?? 0))
  // The second half of a pair belongs to the kind of the first: whoever walks steps over both.
  const kind = kindOf(text.charAt(index))
  kinds[unit] = kind
  return kind
}

const kindOf = (character: string): number =>
  densePart.test(character) ? dense : wordPart.test(character) ? letters : nothing

const step = (text: string, index: number): number => {
  const unit = text.charCodeAt(index)
  return unit >= 0xd800 && unit <= 0xdbff && (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
}

/** The end of a run of letters and digits; an apostrophe between letters is within. */
const endOfRun = (text: string, start: number): number => {
  let index = start
  while (index < text.length) {
    if (kindAt(text, index) === letters) index += step(text, index)
    else if (isApostrophe(text.charCodeAt(index)) && index > start && kindAt(text, index + 1) === letters) index++
    else break
  }
  return index
}

const endOfDense = (text: string, start: number): number => {
  let index = start
  while (index < text.length && (kindAt(text, index) === dense || (index > start && isMark(text, index)))) {
    index += step(text, index)
  }
  return index
}

const marks = /\p{M}/u
const isMark = (text: string, index: number): boolean => text.charCodeAt(index) > 0x7f && marks.test(text.charAt(index))

const isApostrophe = (unit: number): boolean => unit === apostrophe || unit === curly

const humps = /\p{Lu}*\p{Lu}(?=\p{Lu}\p{Ll})|\p{Lu}+\P{Lu}+|\P{Lu}+|\p{Lu}+/gu
const hasHumps = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u

/** The parts of `getHTTPResponse`, as offsets. */
const partsOf = (text: string, start: number, end: number): ReadonlyArray<readonly [number, number]> => {
  if (end - start > longestTerm) return [[start, start + longestTerm]]
  const run = text.slice(start, end)
  if (!hasHumps.test(run)) return [[start, end]]
  return [...run.matchAll(humps)].map(({ 0: part, index }) => [start + index, start + index + part.length])
}

/** `John's` is `john`, `don't` is `dont`. */
const termOf = (run: string): string => {
  const plain = /['\u2019]/.test(run) ? run.replace(/['\u2019]s$/i, "").replace(/['\u2019]/g, "") : run
  return fold(plain)
}

/** `C++`, `C#`, `F#`: a term of its own beside the letter. */
const visitSigned = (
  text: string,
  start: number,
  end: number,
  term: string,
  position: number,
  visit: Visit
): number => {
  const sign = text.startsWith("++", end) ? "++" : text.startsWith("#", end) ? "#" : ""
  if (sign === "") return end
  visit(term + sign, position, start, end + sign.length)
  return end + sign.length
}

/** Every two neighbours, and the last one alone, so that each character begins a term. */
const visitPairs = (text: string, start: number, end: number, from: number, visit: Visit): number => {
  let position = from
  let index = start
  while (index < end) {
    const next = index + step(text, index)
    const after = next < end ? next + step(text, next) : next
    visit(fold(text.slice(index, after)), position, index, after)
    position++
    index = next
  }
  return position
}
