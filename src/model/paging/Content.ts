import { sha256 } from "../text/Hash.ts"
import { decodeUtf8 } from "../text/Utf8.ts"

/**
 * Content as a row holds it. `text` is what is searched and shown; `raw` are the exact bytes where the text does not give
 * them: a NUL (which SQLite's text functions and Deno stop at), a lone surrogate, bytes that are no UTF-8.
 */
export interface StoredContent {
  readonly text: string
  readonly raw: Uint8Array | null
  /** Of the exact bytes. */
  readonly sha256: string
  /** How many exact bytes there are. */
  readonly bytes: number
}

/** A text as a row. A lone surrogate keeps its own three bytes, as no UTF-8 has them. */
export const ofText = (text: string): StoredContent => {
  const exact = text.isWellFormed() ? new TextEncoder().encode(text) : generalisedUtf8(text)
  const faithful = text.isWellFormed() && !text.includes("\0")
  return {
    text: faithful ? text : readable(text),
    raw: faithful ? null : exact,
    sha256: sha256(exact),
    bytes: exact.length
  }
}

/** Bytes as a row. */
export const ofBytes = (bytes: Uint8Array): StoredContent => {
  const strict = decodeUtf8(bytes)
  if (strict._tag === "Some") return ofText(strict.value)
  return {
    text: readable(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)),
    raw: bytes,
    sha256: sha256(bytes),
    bytes: bytes.length
  }
}

/** The exact bytes of a row. */
export const exactBytes = ({ raw, text }: Pick<StoredContent, "text" | "raw">): Uint8Array =>
  raw ?? new TextEncoder().encode(text)

/** Whether a row holds what was put in. */
export const isIntact = (row: StoredContent): boolean => {
  const exact = exactBytes(row)
  return exact.length === row.bytes && sha256(exact) === row.sha256
}

const readable = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd")

const generalisedUtf8 = (text: string): Uint8Array => {
  const encoder = new TextEncoder()
  const parts: Array<Uint8Array> = []
  let length = 0
  const push = (part: Uint8Array) => {
    parts.push(part)
    length += part.length
  }
  const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
  let at = 0
  for (const match of text.matchAll(lone)) {
    const unit = match[0].charCodeAt(0)
    push(encoder.encode(text.slice(at, match.index)))
    push(Uint8Array.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)))
    at = match.index + 1
  }
  push(encoder.encode(text.slice(at)))
  const all = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}
