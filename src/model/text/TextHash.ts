/**
 * A short fingerprint of a text, 14 hex digits: tells texts apart that nobody chose to collide. It needs no module, and
 * loading the real hash functions would cost the capture hook more than its work.
 *
 * `src/main/launch/hook.cjs` has the same one.
 */
export const textHash = (text: string): string => {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    a = Math.imul(a ^ unit, 2654435761)
    b = Math.imul(b ^ unit, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(16).padStart(14, "0")
}
