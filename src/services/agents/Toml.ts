import { Either, Option } from "effect"
import { parse, TomlError, type TomlTable } from "smol-toml"

/**
 * Where things stand in a TOML text, for edits by splicing: comments, order and layout stay byte for byte. What a text
 * says is `smol-toml`'s business; each edit is checked by reading its result again.
 */

/** A header, or a key with its value. */
export interface Item {
  readonly kind: "table" | "list" | "key"
  /** From the document's top. Elements of lists of tables have no part of their own in it. */
  readonly path: ReadonlyArray<string>
  /** Whole lines, the line end included. */
  readonly start: number
  readonly end: number
  /** A key's value. */
  readonly valueStart: number
  readonly valueEnd: number
}

/** What a text says. Left: why it is not valid. */
export const parseToml = (text: string): Either.Either<TomlTable, string> =>
  Either.try({
    try: () => parse(text.replace(/^\uFEFF/, ""), { integersAsBigInt: "asNeeded" }),
    catch: (error) => `it is not valid TOML${error instanceof TomlError ? `, line ${error.line}` : ""}`
  })

/** Headers and keys of a valid text, in their order. Keys inside inline tables are part of their values. */
export const itemsOf = (text: string): ReadonlyArray<Item> => {
  const items: Array<Item> = []
  let header: ReadonlyArray<string> = []
  let at = text.startsWith("\uFEFF") ? 1 : 0
  for (;;) {
    at = past(text, at, /(?:\s|#[^\n]*)*/y)
    if (at >= text.length) return items
    const start = text.lastIndexOf("\n", at - 1) + 1
    const brackets = past(text, at, /\[{0,2}/y) - at
    const key = keyPath(text, at + brackets)
    if (brackets > 0) {
      header = key.path
      const end = lineEnd(text, key.end + brackets)
      items.push({ kind: brackets === 2 ? "list" : "table", path: header, start, end, valueStart: end, valueEnd: end })
      at = end
      continue
    }
    const valueStart = past(text, key.end, /[ \t]*=[ \t]*/y)
    const valueEnd = pastValue(text, valueStart)
    const end = lineEnd(text, valueEnd)
    items.push({ kind: "key", path: [...header, ...key.path], start, end, valueStart, valueEnd })
    at = end
  }
}

/** Cuts items out, with one blank line before each of them that a blank line or nothing follows. */
export const cutItems = (text: string, items: ReadonlyArray<Item>): string => {
  let rest = text
  for (const { end, start } of items.toReversed()) {
    const before = rest.slice(0, start)
    const after = rest.slice(end)
    const blank = /(?<=^|\n)[ \t]*\r?\n$/.exec(before)?.[0] ?? ""
    const closes = blank !== "" && /^[ \t]*(\r?\n|$)/.test(after)
    rest = (closes ? before.slice(0, before.length - blank.length) : before) + after
  }
  return rest
}

/** Adds blocks of lines at the end, each after a blank line, with the text's own line ends. */
export const appendBlocks = (text: string, blocks: ReadonlyArray<ReadonlyArray<string>>): string => {
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  const added = blocks.map((lines) => lines.map((line) => line + eol).join("")).join(eol)
  if (text.replace(/^\uFEFF/, "").trim() === "") return text + added
  return text + (text.endsWith("\n") ? "" : eol) + eol + added
}

const past = (text: string, at: number, pattern: RegExp): number => {
  pattern.lastIndex = at
  return at + (pattern.exec(text)?.[0].length ?? 0)
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at)
  return end === -1 ? text.length : end + 1
}

const keyPath = (text: string, from: number): { readonly path: ReadonlyArray<string>; readonly end: number } => {
  const path: Array<string> = []
  let at = from
  for (;;) {
    at = past(text, at, /[ \t]*/y)
    const end = past(text, at, /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+/y)
    path.push(partOf(text.slice(at, end)))
    at = past(text, end, /[ \t]*/y)
    if (text[at] !== ".") return { path, end: at }
    at++
  }
}

const partOf = (raw: string): string => {
  if (!/^["']/.test(raw)) return raw
  const value = Option.map(Either.getRight(parseToml(`key = ${raw}`)), ({ key }) => key)
  return Option.match(value, { onNone: () => raw, onSome: String })
}

const string = /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}|'''(?:[^']|'(?!''))*'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y

const pastValue = (text: string, from: number): number => {
  let at = from
  let depth = 0
  for (;;) {
    const next = past(text, at, string)
    if (next > at) at = next
    else if (text[at] === "[" || text[at] === "{") {
      depth++
      at++
    } else if (text[at] === "]" || text[at] === "}") {
      depth--
      at++
    } else if (text[at] === "#") at = lineEnd(text, at)
    else at = Math.max(at + (depth > 0 ? 1 : 0), past(text, at, /[^\s"'[\]{}#,]+/y))
    if (depth === 0 || at >= text.length) return Math.min(at, text.length)
  }
}
