/**
 * What an English word has in common with its other forms: M. F. Porter, "An algorithm for suffix stripping" (1980), with
 * the changes he made to it later. `decisions` and `decision` are `decis`.
 */
export const stem = (word: string): string => {
  if (word.length < 3 || word.length > 40 || !/^[a-z]+$/.test(word)) return word
  const initialY = word.startsWith("y")
  const begun = initialY ? `Y${word.slice(1)}` : word
  const done = [plural, pastAndProgressive, finalY, doubleSuffix, singleSuffix, residualSuffix, finalE].reduce(
    (text, step) => step(text),
    begun
  )
  return initialY ? `y${done.slice(1)}` : done
}

const consonant = "[^aeiou]"
const vowel = "[aeiouy]"
const consonants = `${consonant}[^aeiouy]*`
const vowels = `${vowel}[aeiou]*`

/** At least one, exactly one, and more than one vowel-consonant sequence. */
const measured = new RegExp(`^(?:${consonants})?${vowels}${consonants}`)
const measuredOnce = new RegExp(`^(?:${consonants})?${vowels}${consonants}(?:${vowels})?$`)
const measuredTwice = new RegExp(`^(?:${consonants})?${vowels}${consonants}${vowels}${consonants}`)
const hasVowel = new RegExp(`^(?:${consonants})?${vowel}`)
const shortSyllable = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`)

const plural = (word: string): string =>
  /(?:ss|i)es$/.test(word) ? word.slice(0, -2) : /[^s]s$/.test(word) ? word.slice(0, -1) : word

const pastAndProgressive = (word: string): string => {
  if (word.endsWith("eed")) return measured.test(word.slice(0, -3)) ? word.slice(0, -1) : word
  const match = /^(.+?)(?:ed|ing)$/.exec(word)
  const root = match?.[1]
  if (root === undefined || !hasVowel.test(root)) return word
  if (/(?:at|bl|iz)$/.test(root)) return `${root}e`
  if (/([^aeiouylsz])\1$/.test(root)) return root.slice(0, -1)
  return shortSyllable.test(root) ? `${root}e` : root
}

/** As in his later algorithm: only behind a consonant, so that `deploy` stays with `deployment`. */
const finalY = (word: string): string => (/.[^aeiouy]y$/.test(word) ? `${word.slice(0, -1)}i` : word)

const doubles: ReadonlyArray<readonly [string, string]> = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
  ["logi", "log"]
]

const singles: ReadonlyArray<readonly [string, string]> = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""]
]

const replaced = (word: string, suffixes: ReadonlyArray<readonly [string, string]>): string => {
  const found = suffixes.find(([suffix]) => word.endsWith(suffix))
  if (found === undefined) return word
  const root = word.slice(0, -found[0].length)
  return measured.test(root) ? root + found[1] : word
}

const doubleSuffix = (word: string): string => replaced(word, doubles)
const singleSuffix = (word: string): string => replaced(word, singles)

const residual = /^(.+?)(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/

const residualSuffix = (word: string): string => {
  const root = residual.exec(word)?.[1]
  return root !== undefined && measuredTwice.test(root) ? root : word
}

const finalE = (word: string): string => {
  const root = word.endsWith("e") ? word.slice(0, -1) : undefined
  const dropped =
    root !== undefined && (measuredTwice.test(root) || (measuredOnce.test(root) && !shortSyllable.test(root)))
      ? root
      : word
  return dropped.endsWith("ll") && measuredTwice.test(dropped) ? dropped.slice(0, -1) : dropped
}
