/**
 * Driver over `node:fs`: whole lines of a transcript from a byte on, in bounded memory. Without Effect, for the capture
 * hook, whose start would take longer than its work.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import type { Cursor } from "../../model/capture/CaptureState.ts"
import type { Line } from "../../model/transcripts/Entry.ts"
import { jsonShortener } from "../../model/transcripts/shortenJson.ts"
import { textHash } from "../../model/text/TextHash.ts"

export interface ReadLine extends Line {
  /** Where to read on after it: behind its line break, or at its begin while it has none. */
  readonly next: number
  /** It could not be shortened, and `text` is empty. */
  readonly tooLong: boolean
  /** False: it has no line break yet. Where its text is whole JSON already, nothing can be added to it. */
  readonly ended: boolean
}

export interface OpenTranscript {
  readonly inode: string
  readonly size: number
  readonly changed: number
  /**
   * Where to go on: the cursor's offset, or 0 where the file is another one by now, has shrunk, or was written anew (its
   * consumer then meets entries that it has).
   */
  readonly resume: (cursor: Cursor | undefined) => number
  readonly cursor: (offset: number) => Cursor
  /** The lines from a byte on, and last what stands behind the last line break. */
  readonly lines: (from: number, options?: ReadOptions) => Generator<ReadLine>
  readonly close: () => void
}

export interface ReadOptions {
  /** In a line over 256 KB, cut its strings after so many bytes. Without it lines are exact. */
  readonly maxString?: number
  /** Lines that a consumer has no use for, seen by their bytes: they are passed over before they become text. */
  readonly isIdle?: (bytes: Buffer) => boolean
}

const chunkSize = 256 * 1024
const headSize = 1024
const tailSize = 256
/** A line that is longer than this with all its strings cut has no conversation in it. */
const maxShortened = 8 * 1024 * 1024

/**
 * Opens a transcript. Reading never takes more memory than some chunks and the line in hand, of which `maxString` bounds
 * the texts.
 *
 * @throws the system's error where the file cannot be opened or is not a regular one.
 * Source: paging.md 3.6; public cases A34, A35.
 */
export const openTranscript = (path: string): OpenTranscript => {
  // A pipe in its place would otherwise wait for a writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const stats = fstatSync(file)
  if (!stats.isFile()) {
    closeSync(file)
    throw Object.assign(new Error("not a regular file"), { code: "EINVAL" })
  }
  const inode = `${stats.dev}:${stats.ino}`
  const print = (from: number, to: number) => textHash(readRange(file, from, to).toString("latin1"))

  const isSame = ({ head, headBytes, offset, tail }: Cursor) =>
    stats.size >= offset && print(0, headBytes) === head && print(Math.max(0, offset - tailSize), offset) === tail

  const cursor = (offset: number): Cursor => {
    const headBytes = Math.min(headSize, offset)
    return {
      offset,
      inode,
      size: stats.size,
      changed: stats.mtimeMs,
      headBytes,
      head: print(0, headBytes),
      tail: print(Math.max(0, offset - tailSize), offset)
    }
  }
  return {
    inode,
    size: stats.size,
    changed: stats.mtimeMs,
    resume: (known) => (known !== undefined && isSame(known) ? known.offset : 0),
    cursor,
    lines: (from, options = {}) => linesFrom(file, from, options),
    close: () => closeSync(file)
  }
}

function* linesFrom(file: number, from: number, { isIdle, maxString }: ReadOptions): Generator<ReadLine> {
  const chunk = Buffer.allocUnsafe(chunkSize)
  for (let start = from; ;) {
    const got = readFull(file, chunk, start)
    const bytes = chunk.subarray(0, got)
    let at = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, at)) {
      const next = start + end + 1
      const line = bytes.subarray(at, end)
      const idle = isIdle?.(line) === true
      if (!idle) yield { text: decode(line, start + at), offset: start + at, next, tooLong: false, ended: true }
      at = end + 1
    }
    if (at > 0) {
      start += at
      continue
    }
    if (got < chunkSize) {
      if (got > 0) yield { text: decode(bytes, start), offset: start, next: start, tooLong: false, ended: false }
      return
    }
    const end = lineBreakAfter(file, start + got)
    if (end === -1) return
    const long = maxString === undefined ? readRange(file, start, end) : shortened(file, start, end, maxString)
    const text = long === undefined ? "" : decode(long, start)
    yield { text, offset: start, next: end + 1, tooLong: long === undefined, ended: true }
    start = end + 1
  }
}

/** Bytes that are no UTF-8 become U+FFFD, and the line stays readable; a BOM belongs to the file, not to its first line. */
const decode = (bytes: Buffer, offset: number): string => {
  const hasBom = offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString("utf8", hasBom ? 3 : 0)
}

const readFull = (file: number, into: Buffer, position: number): number => {
  let got = 0
  while (got < into.length) {
    const read = readSync(file, into, got, into.length - got, position + got)
    if (read === 0) break
    got += read
  }
  return got
}

const readRange = (file: number, from: number, to: number): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, to - from))
  return bytes.subarray(0, readFull(file, bytes, from))
}

const lineBreakAfter = (file: number, from: number): number => {
  const chunk = Buffer.allocUnsafe(chunkSize)
  for (let start = from; ; start += chunkSize) {
    const got = readFull(file, chunk, start)
    const at = chunk.subarray(0, got).indexOf(10)
    if (at !== -1) return start + at
    if (got < chunkSize) return -1
  }
}

const shortened = (file: number, from: number, to: number, maxString: number): Buffer | undefined => {
  const shortener = jsonShortener(maxString, maxShortened)
  const chunk = Buffer.allocUnsafe(chunkSize)
  for (let start = from; start < to; start += chunkSize) {
    const got = readFull(file, chunk.subarray(0, Math.min(chunkSize, to - start)), start)
    shortener.push(chunk.subarray(0, got))
  }
  const bytes = shortener.end()
  return bytes === undefined ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
