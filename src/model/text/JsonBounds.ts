/** Deepest nesting of JSON that is read. The deepest document of the API has seven levels. */
export const maxJsonDepth = 64

const quote = 0x22
const backslash = 0x5c

/**
 * What is excessive about a JSON text from somebody who need not mean well: that it nests deeper than `maxJsonDepth`, or
 * that it holds more arrays and objects than `maxPieces`. undefined: nothing. The text need not be valid JSON.
 *
 * Says so before anything is built from the text. A few bytes of brackets become a hundred bytes of memory, `JSON.parse`
 * takes seconds for millions of them, and whatever walks a deep value afterwards runs out of stack.
 */
export const jsonExcess = (text: string, maxPieces: number): string | undefined => {
  let depth = 0
  let pieces = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxJsonDepth) return `it nests more than ${maxJsonDepth} levels deep`
        if (++pieces > maxPieces) return `it holds more than ${maxPieces} arrays and objects`
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
    }
  }
  return undefined
}

/** Where the string that begins at `start` ends. Pages are strings: they are skipped as fast as the engine searches. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}
