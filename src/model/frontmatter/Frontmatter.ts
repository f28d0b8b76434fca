import { Either, Option } from "effect"
import { fieldsOf, type FieldValue, parseEntries } from "./FrontmatterEntries.ts"
import { readPlainFields } from "./PlainFields.ts"

/** A page's text in its parts. `bom + open + frontmatter + close + body` is the text again, byte for byte. */
export interface SplitPage {
  readonly bom: boolean
  /** How lines end: as the opening fence does, or the first line of a text without one. */
  readonly eol: "\n" | "\r\n"
  /** The opening fence with its line end; empty without a block. */
  readonly open: string
  /** YAML text between the fences; None where the text has no complete block. */
  readonly frontmatter: Option.Option<string>
  /** The closing fence with its line end, if it has one; empty without a block. */
  readonly close: string
  /** Everything after the block. */
  readonly body: string
}

const bomCharacter = "\ufeff"
const opening = /^---[ \t]*(\r?\n)/
// `$` without the m flag is the end of the text alone: only a whole line of `---` closes.
const closing = /(?:^|\n)(---[ \t]*(?:\r?\n|$))/

/**
 * Cuts a page's text into frontmatter and body. A BOM is put aside, CRLF is accepted, the first line must be exactly
 * `---`, and only a full `---` line closes (blanks may trail). A block that is never closed is no frontmatter: everything
 * is body.
 */
export const splitPage = (text: string): SplitPage => {
  const bom = text.startsWith(bomCharacter)
  const rest = bom ? text.slice(1) : text
  const first = opening.exec(rest)
  const none = { bom, open: "", frontmatter: Option.none<string>(), close: "", body: rest }
  if (first === null) return { ...none, eol: /\r?\n/.exec(rest)?.[0] === "\r\n" ? "\r\n" : "\n" }
  const eol = first[1] === "\r\n" ? "\r\n" : "\n"
  const open = first[0]
  const inner = rest.slice(open.length)
  const end = closing.exec(inner)
  const close = end?.[1]
  if (end === null || close === undefined) return { ...none, eol }
  const until = end.index + end[0].length
  return {
    bom,
    eol,
    open,
    frontmatter: Option.some(inner.slice(0, until - close.length)),
    close,
    body: inner.slice(until)
  }
}

/** Whether a text begins with a fence that is never closed. */
export const isUnclosed = (text: string): boolean => {
  const { body, frontmatter } = splitPage(text)
  return Option.isNone(frontmatter) && opening.test(body)
}

/**
 * The fields of a frontmatter block, in the order of the file. Every scalar is the text that stands there; a nested value
 * is given as its YAML text. Left is the reason in one line.
 */
export const parseFields = (yaml: string): Either.Either<ReadonlyMap<string, FieldValue>, string> =>
  Option.match(readPlainFields(yaml), {
    onSome: (fields) => Either.right(fields),
    onNone: () => Either.map(parseEntries(yaml), fieldsOf)
  })
