import { FastCheck as fc } from "effect"

/** Any string that JavaScript can hold, lone surrogates included. */
export const anyString = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units))
)

const assembled = (...pieces: ReadonlyArray<string>) =>
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 2 })), { maxLength: 24 })
    .map((parts) => parts.join(""))

/** Strings made of what our own tags are made of, and of what may stand between. */
export const tagLike = assembled(
  "<",
  "</",
  "/",
  "\\",
  "\\\\",
  " ",
  "\t",
  "\n",
  ">",
  "_",
  "P",
  "PUSH_PAUSED",
  "push_paused",
  "DRIFT_",
  "NOTICE",
  "Drift_Notice",
  "MIGRATE_CATALOG",
  "PUSH_PAUSEDX",
  "CAPTURE_TEMPLATE reason=x>",
  "\u200d",
  "\u200c",
  "\u200e",
  "\u00ad",
  "\ufe0f",
  "\u{e0041}",
  "S\u200dH"
)

/** Strings made of what escape sequences, emoji flags and variation selectors are made of. */
export const sequenceLike = assembled(
  "\x1b",
  "\x9b",
  "[",
  "]",
  "31m",
  "0;1",
  "8;;http://x",
  "\x07",
  "\x1b\\",
  "\x9c",
  "P",
  "(",
  "B",
  "7",
  "a",
  "\n",
  "\u200b",
  "\ufeff",
  "\u{1f3f4}",
  "\u{e0067}\u{e0062}",
  "\u{e0065}\u{e006e}\u{e0067}",
  "\u{e007f}",
  "\u{e0001}",
  "\u2764",
  "1",
  "\u20e3",
  "\ufe0f",
  "\ufe0e",
  "\ufe00",
  "\ufe05",
  "\u{e0100}",
  "\u845b",
  "\u2229",
  "\udb40",
  "\udc41",
  "\ud83c",
  "\udff4"
)

/** Text of one line, as an author, a tag or a summary may be. */
export const lineText = fc
  .oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.constantFrom(
      "on",
      "no",
      "null",
      "~",
      "010",
      "1458",
      "1e3",
      "0x1f",
      "2026-06-03",
      "12:30:45",
      ".inf",
      "-",
      "- a",
      "? b",
      "a: b",
      "a #b",
      "#a",
      "@a",
      "*a",
      "&a",
      "!a",
      "%a",
      "[a]",
      "{a}",
      "a, b",
      "'a",
      '"a"',
      "a'b",
      "`",
      "|",
      ">",
      "=",
      "<<",
      "a:",
      ": a",
      "C:\\x",
      "é",
      "名前",
      "\u2028x".trim(),
      "\u0085y".slice(1)
    )
  )
  .map((text) =>
    text
      .toWellFormed()
      .replace(/[\0\t\n\v\f\r\u0085\u2028\u2029]+/g, " ")
      .trim()
  )

/** The same, with something in it. */
export const word = lineText.filter((text) => text !== "")
