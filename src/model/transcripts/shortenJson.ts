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
  const kept: Array<Uint8Array> = []
  let total = 0
  let inString = false
  /** Bytes kept of the string that we are in. */
  let length = 0
  /** Bytes that still belong to an escape: -1 where its first one decides. */
  let escape = 0
  let dropping = false

  const keep = (bytes: Uint8Array, from: number, to: number) => {
    total += to - from
    if (to > from && total <= maxTotal) kept.push(bytes.slice(from, to))
  }

  const push = (bytes: Uint8Array) => {
    let at = 0
    // Where the next quote and backslash are, as far as they are known.
    let nextQuote = -1
    let nextBackslash = -1
    while (at < bytes.length) {
      if (!inString) {
        const opening = bytes.indexOf(quote, at)
        const end = opening === -1 ? bytes.length : opening + 1
        keep(bytes, at, end)
        at = end
        inString = opening !== -1
        length = 0
        dropping = false
        continue
      }
      if (escape !== 0) {
        const end = escape === -1 ? at + 1 : Math.min(bytes.length, at + escape)
        if (!dropping) keep(bytes, at, end)
        length += end - at
        escape = escape === -1 ? (bytes[at] === letterU ? 4 : 0) : escape - (end - at)
        at = end
        continue
      }
      if (nextQuote < at) nextQuote = found(bytes, quote, at)
      if (nextBackslash < at) nextBackslash = found(bytes, backslash, at)
      const end = Math.min(nextQuote, nextBackslash)
      const room = Math.max(0, maxString - length)
      if (!dropping) {
        const fits = end - at <= room
        keep(bytes, at, fits ? end : codePointStart(bytes, at, at + room))
        dropping = !fits
      }
      length += end - at
      at = end
      if (at >= bytes.length) continue
      if (at === nextQuote) {
        keep(bytes, at, at + 1)
        inString = false
      } else {
        dropping ||= length + 6 > maxString
        if (!dropping) keep(bytes, at, at + 1)
        escape = -1
      }
      at++
    }
  }

  return { push, end: () => (total > maxTotal ? undefined : joined(kept, total)) }
}

const found = (bytes: Uint8Array, byte: number, from: number): number => {
  const at = bytes.indexOf(byte, from)
  return at === -1 ? bytes.length : at
}

/** The last begin of a code point at or before a byte. */
const codePointStart = (bytes: Uint8Array, from: number, to: number): number => {
  let at = to
  while (at > from && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}

const joined = (parts: ReadonlyArray<Uint8Array>, total: number): Uint8Array => {
  const whole = new Uint8Array(total)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
