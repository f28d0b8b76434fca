const quote = 0x22
const backslash = 0x5c
const letterU = 0x75

/** Takes the bytes of one JSON text in pieces and gives them back with every long string cut. */
export interface JsonShortener {
  readonly push: (bytes: Uint8Array) => void
  /** The shortened text; undefined where it is still longer than the limit. */
  readonly end: () => Uint8Array | undefined
}

/**
 * Shortens JSON text without parsing it, so that a line of 60 MB costs no more memory than what is kept of it: strings
 * are cut after `maxString` bytes, on a code point and never inside an escape; everything else stays. What is no JSON
 * comes out as no JSON.
 */
export const jsonShortener = (maxString: number, maxTotal: number): JsonShortener => {
  let kept = new Uint8Array(4096)
  let total = 0
  let inString = false
  /** Bytes kept of the string that we are in. */
  let length = 0
  /** Bytes that still belong to an escape: -1 where its first one decides. */
  let escape = 0
  let dropping = false

  const keep = (bytes: Uint8Array, from: number, to: number) => {
    const before = total
    total += Math.max(0, to - from)
    if (total > maxTotal || total === before) return
    if (total > kept.length) {
      const larger = new Uint8Array(Math.max(total, kept.length * 2))
      larger.set(kept)
      kept = larger
    }
    kept.set(bytes.subarray(from, to), before)
  }

  const push = (bytes: Uint8Array) => {
    if (total > maxTotal) return
    // The first byte that is to be kept and is not yet, while nothing is dropped.
    let run = 0
    for (let at = 0; at < bytes.length; at++) {
      // Most of what is long has no escapes: on to where the string ends, or to the next escape.
      if (dropping && escape === 0) at = ends(bytes, at)
      const byte = bytes[at]
      if (!inString) {
        inString = byte === quote
        length = 0
        continue
      }
      if (escape !== 0) escape = escape === -1 ? (byte === letterU ? 4 : 0) : escape - 1
      else if (byte === quote) {
        if (dropping) run = at
        dropping = false
        inString = false
      } else {
        // An escape is kept whole or not at all.
        if (!dropping && length + (byte === backslash ? 6 : 1) > maxString) {
          keep(bytes, run, codePointStart(bytes, run, at))
          dropping = true
        }
        if (byte === backslash) escape = -1
      }
      length++
    }
    if (!dropping) keep(bytes, run, bytes.length)
  }

  return { push, end: () => (total > maxTotal ? undefined : kept.subarray(0, total)) }
}

/** The next quote or backslash; tried byte by byte first, since some strings have little but escapes. */
const ends = (bytes: Uint8Array, from: number): number => {
  const near = Math.min(bytes.length, from + 64)
  for (let at = from; at < near; at++) if (bytes[at] === quote || bytes[at] === backslash) return at
  const escaped = bytes.indexOf(backslash, near)
  const end = (escaped === -1 ? bytes : bytes.subarray(0, escaped)).indexOf(quote, near)
  return end === -1 ? (escaped === -1 ? bytes.length : escaped) : end
}

/** The last begin of a code point at or before a byte. */
const codePointStart = (bytes: Uint8Array, from: number, to: number): number => {
  let at = to
  while (at > from && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}
