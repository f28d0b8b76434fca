/**
 * What stands between text that somebody else wrote and an agent (rule 6): characters that hide or steer are removed, and
 * our own tags are made inert, reversibly. Nothing here judges words: "ignore previous instructions" stays as it is.
 *
 * Everything is linear in the length of the text.
 */

/**
 * Text without what rule 6 removes: C0 controls but TAB, LF and CR; DEL; C1; U+200B; bidi embeddings and isolates; U+FEFF
 * (a leading BOM too); Unicode tag characters outside emoji flags; variation selectors that select nothing; ANSI escape
 * sequences, whole. A lone surrogate becomes U+FFFD, as it would in UTF-8.
 *
 * Idempotent: what is left never forms a new sequence.
 */
export const removeUnsafe = (text: string): string => {
  if (!suspicious.test(text) && text.isWellFormed()) return text
  // Two passes: a selector is judged by what stands before it once the rest is gone.
  return text.toWellFormed().replace(removed, "$<flag>").replace(straySelectors, "")
}

/** The same, but a leading BOM stays: what `ctx_write_page` and pull do to a page's text. */
export const removeUnsafeKeepingBom = (text: string): string =>
  text.startsWith(bom) ? bom + removeUnsafe(text.slice(1)) : removeUnsafe(text)

/** Whether text, a leading BOM excepted, holds something that `removeUnsafe` drops. */
export const hasUnsafe = (text: string): boolean => removeUnsafeKeepingBom(text) !== text

/**
 * Makes our own tags inert: `<PUSH_PAUSED` becomes `<\PUSH_PAUSED`, opening or closing, in any case, also where blanks or
 * invisible characters stand between. A tag that already carries backslashes gets one more, so that the undo is exact.
 *
 * @example neutralise("</DRIFT_NOTICE>") // "</\\DRIFT_NOTICE>"
 */
export const neutralise = (text: string): string => text.replace(tag, "$<before>$<slashes>\\$<name>")

/** The exact undo: `deneutralise(neutralise(s)) === s` for every `s`. */
export const deneutralise = (text: string): string =>
  text.replace(tag, (match: string, before: string, slashes: string, name: string) =>
    slashes === "" ? match : before + slashes.slice(1) + name
  )

/** Text as an agent may see it. */
export const forAgent = (text: string): string => neutralise(removeUnsafe(text))

/** `forAgent` for a field of one line: any run of line breaks and tabs becomes one space; trimmed. */
export const forAgentLine = (text: string): string =>
  harmless.test(text)
    ? text.trim()
    : neutralise(removeUnsafe(text.replace(softBreaks, "\n")).replace(lineBreaks, " ").trim())

const bom = "\ufeff"

// Printable ASCII without `<`: most fields of most pages, and an index has tens of thousands of them.
const harmless = /^[ -;=-~]*$/

// Vertical tab, form feed and NEL part words too; as controls they would vanish and join them.
const softBreaks = /[\v\f\u0085]/g
const lineBreaks = /[\t\n\r\u2028\u2029]+/g

const suspicious =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}\p{Variation_Selector}]/u

const removed = new RegExp(
  [
    // A flag of a region's part (England, Texas, ...): black flag, its code in tag characters, cancel tag. Stays.
    String.raw`(?<flag>\u{1f3f4}(?:[\u{e0061}-\u{e007a}]{2}|[\u{e0030}-\u{e0039}]{3})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,4}\u{e007f})`,
    // CSI. The 8-bit introducer needs a parameter: mis-decoded text holds U+009B too, and its next letter is text.
    String.raw`(?:\x1b\[|\x9b(?=[0-?]))[0-?]*[ -/]*[@-~]`,
    // OSC to BEL or ST; DCS, SOS, PM and APC to ST. Another ESC, CAN or SUB aborts them, as in a terminal.
    String.raw`\x1b\][^\x07\x1b\x9c\x18\x1a]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`\x1b[PX^_][^\x1b\x9c\x18\x1a]*(?:\x1b\\|\x9c)`,
    // A sequence that never ends loses its introducer only.
    String.raw`\x1b[\[\]PX^_]`,
    // Character sets and the like (ESC, intermediates, final), and the two-byte escapes that terminals act on. After any
    // other letter the escape is just a stray control, and the letter is text.
    String.raw`\x1b[ -/]+[0-~]`,
    String.raw`\x1b[6-9=>DEFHMNOVWZ\\clmno|}~]`,
    // The last of a run may begin a sequence.
    String.raw`\x1b+(?=\x1b)|\x1b`,
    String.raw`[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9a\x9c-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff]+`,
    String.raw`\x9b+(?=\x9b)|\x9b`,
    String.raw`[\u{e0000}-\u{e007f}]+`
  ].join("|"),
  "gu"
)

// Kept: text and emoji style after an emoji, the standardised variants of ideographs, mathematical signs and Myanmar
// letters, and registered variants of ideographs.
const straySelectors = new RegExp(
  [
    String.raw`(?<!\p{Emoji})[\ufe0e\ufe0f]`,
    String.raw`(?<![\p{Ideographic}\p{Script=Myanmar}]|(?![\0-\x7f])\p{Sm})[\ufe00-\ufe02]`,
    String.raw`[\ufe03-\ufe0d]`,
    String.raw`(?<!\p{Ideographic})[\u{e0100}-\u{e01ef}]`
  ].join("|"),
  "gu"
)

const tagNames = [
  "PUSH_PAUSED",
  "MERGE_REQUIRED",
  "DRIFT_NOTICE",
  "MIGRATE_CATALOG",
  "MIGRATE_RESUME",
  "GENERATE_CATALOG",
  "GENERATE_RESUME",
  "CAPTURE_TEMPLATE"
] as const

const ignorable = String.raw`\p{Default_Ignorable_Code_Point}`

// Each `<` begins at most one match, and no match holds a second `<`: so one more backslash in a match makes no new match.
const tag = new RegExp(
  String.raw`(?<before><[\s${ignorable}]*(?:\/[\s${ignorable}]*)?)(?<slashes>\\*)` +
    `(?<name>${tagNames.map((name) => [...name].join(`${ignorable}*`)).join("|")})(?![A-Za-z0-9_])`,
  "giu"
)
