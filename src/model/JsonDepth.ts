/** Deepest nesting of JSON that is read. The deepest document of the API has seven levels. */
export const maxJsonDepth = 64

const quote = 0x22
const backslash = 0x5c

/**
 * Whether a JSON text nests deeper than `maxJsonDepth`. Says so before anything is built from the text: `JSON.parse` takes
 * seconds for millions of brackets, and whatever walks the value afterwards runs out of stack.
 *
 * The text need not be valid JSON.
 */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxJsonDepth) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
    }
  }
  return false
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
