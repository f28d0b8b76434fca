import { Option, Predicate } from "effect"
import { Buffer } from "node:buffer"

/** One line of input. */
export type Line =
  | { readonly _tag: "Value"; readonly value: unknown }
  /** Longer than is read. The id, where it stands at the line's beginning or end, lets its sender have an answer. */
  | { readonly _tag: "TooLong"; readonly id: Option.Option<string | number> }

const newline = 0x0a
const margin = 512

/**
 * Cuts a stream of bytes into lines of JSON. Blank lines are nothing; a line that is no JSON goes to `onBad`, and the next
 * one is read as usual. Holds at most `longest` bytes of a line, however long it is.
 */
export const lineReader = (
  longest: number,
  onLine: (line: Line) => void,
  onBad: (reason: string) => void
): ((chunk: Uint8Array) => void) => {
  let pieces: Array<Uint8Array> = []
  let size = 0
  let head = ""
  let tail = ""

  const take = (bytes: Uint8Array) => {
    const before = size
    size += bytes.length
    if (before <= longest) pieces.push(bytes)
    else tail = (tail + ends(bytes)[1]).slice(-margin)
    if (before <= longest && size > longest) {
      ;[head, tail] = ends(Buffer.concat(pieces))
      pieces = []
    }
  }

  const finish = () => {
    const tooLong = size > longest
    const text = tooLong ? "" : Buffer.concat(pieces).toString("utf8").trim()
    const id = tooLong ? idIn(head, tail) : Option.none()
    pieces = []
    size = 0
    head = ""
    tail = ""
    if (tooLong) return onLine({ _tag: "TooLong", id })
    if (text === "") return
    Option.match(parse(text), {
      onNone: () => onBad("a line was not JSON, and was left out"),
      onSome: (value) => onLine({ _tag: "Value", value })
    })
  }

  return (chunk) => {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      take(chunk.subarray(from, at))
      finish()
      from = at + 1
    }
    if (from < chunk.length) take(chunk.subarray(from))
  }
}

/** The first and the last characters of a piece. */
const ends = (bytes: Uint8Array): readonly [string, string] => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return [buffer.toString("utf8", 0, margin), buffer.toString("utf8", Math.max(0, buffer.length - margin))]
}

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** The id of a request of which only the ends are known: where clients write it, before or after everything else. */
const idIn = (head: string, tail: string): Option.Option<string | number> => {
  const found =
    /"id"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)\s*\}\s*$/.exec(tail) ??
    /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)\s*,/.exec(head)
  return Option.flatMap(Option.flatMap(Option.fromNullable(found?.[1]), parse), (id) => idOf({ id }))
}

/** The id of a request. */
export const idOf = (value: unknown): Option.Option<string | number> =>
  Predicate.hasProperty(value, "id")
    ? Option.liftPredicate(value.id, Predicate.or(Predicate.isString, Predicate.isNumber))
    : Option.none()
