/** Where a secret lies in a text, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** One kind of secret that the preset does not see, or sees only in part. */
export interface SecretRule {
  /** Kebab-case. The preset's name where both look for the same kind, so that one name allows both. */
  readonly id: string
  readonly find: (text: string) => ReadonlyArray<Span>
}

/**
 * The spans of a pattern: of its group `secret` where it has one, else of the whole match.
 *
 * @param pattern with the flags `g` and `d`. Every repetition in it is bounded, or ends in nothing that could fail, so that
 *   the time stays linear whatever the text
 * @param isReal whether what it found is more than it looks like
 */
export const spans =
  (pattern: RegExp, isReal: (secret: string, match: RegExpExecArray) => boolean = () => true): SecretRule["find"] =>
  (text) => {
    const found: Array<Span> = []
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.groups?.["secret"] ?? [match.index, match.index + match[0].length]
      const secret = text.slice(start, end)
      if (!isPlaceholder(secret) && isReal(secret, match)) found.push({ start, end })
    }
    return found
  }

/** Keys that vendors print in their manuals. */
const documented: ReadonlySet<string> = new Set([
  "AKIAIOSFODNN7EXAMPLE",
  "AKIAI44QH8DHBEXAMPLE",
  "ASIAIOSFODNN7EXAMPLE",
  "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  "je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY",
  ["sk", "test", "4eC39HqLyjWDarjtT1zdp7dc"].join("_"),
  ["sk", "test", "BQokikJOvBiI2HlWgH4olfQ2"].join("_"),
  ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_"),
  "AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe",
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
  "YWxhZGRpbjpvcGVuc2VzYW1l",
  "QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
  "dXNlcjpwYXNz",
  "dXNlcjpwYXNzd29yZA=="
])

const words = /example|placeholder|redacted|your[-_]|change[-_]?me|not[-_]a[-_]real|x{6}|\*{3}|\.{3}|…|dummy/i

/** A variable or a slot of a template: `$NAME`, `${name}`, `$(cmd)`, `%NAME%`, `{name}`, `<name>`. */
const slot = /^(?:\$(?:[{(]|[A-Za-z_]+[0-9]?$)|%[A-Z_]+%$|[{<])|\$\{|\{\{/

/** Whether text stands in for a secret: what a manual prints, a template, what was redacted already. */
export const isPlaceholder = (secret: string): boolean =>
  documented.has(secret) || words.test(secret) || slot.test(secret)

/** Whether text is what a generator makes, and not words: a long part with letters and digits, or all three kinds. */
export const looksRandom = (text: string): boolean =>
  text.split(/[-_.~/+=]/).some((part) => part.length >= 12 && /\d/.test(part) && /[A-Za-z]/.test(part)) ||
  (text.length >= 20 && /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text))
