const encoder = new TextEncoder()

/** Length of text in UTF-8, in bytes. A lone surrogate counts three: it is written as U+FFFD. */
export const byteLength = (text: string): number => encoder.encode(text).length

/**
 * The longest beginning of `text` that takes at most `maxBytes` bytes of UTF-8 and ends on a code point, so that no
 * emoji is cut in half.
 */
export const truncateBytes = (text: string, maxBytes: number): string => {
  const room = Math.max(0, Math.floor(maxBytes))
  // A UTF-16 unit never takes more than three bytes, and never less than one.
  if (text.length * 3 <= room) return text
  const { read } = encoder.encodeInto(text.slice(0, room), new Uint8Array(room))
  return endsInsidePair(text, read) ? text.slice(0, read - 1) : text.slice(0, read)
}

/** Orders text by code point, so that sorted output is the same everywhere (`<` compares UTF-16 units). */
export const compareCodePoints = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

const endsInsidePair = (text: string, end: number) =>
  end > 0 && end < text.length && isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end))

// Surrogates stand for code points above every other UTF-16 unit.
const rank = (unit: number) => (isHigh(unit) || isLow(unit) ? unit + 0x10000 : unit)
