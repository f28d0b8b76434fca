/**
 * In which pages a term stands, and where: bytes, as an index stores them. For each page, ascending: its distance to the
 * one before, its weight, how many bytes its positions take, and the distances between them.
 */

/** Page `doc` (0 and up) holds a term at these ascending positions; `weight` is 1 to 255. */
export const writePosting = (
  out: Array<number>,
  doc: number,
  weight: number,
  positions: ReadonlyArray<number>
): void => {
  let [size, last] = [0, 0]
  for (const position of positions) {
    size += bytesFor(position - last)
    last = position
  }
  writeNumber(out, doc)
  out.push(weight)
  writeNumber(out, size)
  last = 0
  for (const position of positions) {
    writeNumber(out, position - last)
    last = position
  }
}

/** Visits the pages of a term; `from` and `to` bound the bytes of its positions. Stops at bytes that make no sense. */
export const eachPosting = (
  bytes: Uint8Array,
  visit: (doc: number, weight: number, from: number, to: number) => void
): void => {
  const length = bytes.length
  let at = 0
  // Written out: this is where a search spends its time.
  while (at < length) {
    let doc = 0
    for (let shift = 0, byte = 0x80; byte >= 0x80 && at < length; shift += 7) {
      byte = bytes[at++] ?? 0
      doc += (byte & 0x7f) << shift
    }
    const weight = bytes[at++] ?? 0
    let size = 0
    for (let shift = 0, byte = 0x80; byte >= 0x80 && at < length; shift += 7) {
      byte = bytes[at++] ?? 0
      size += (byte & 0x7f) << shift
    }
    if (at + size > length) return
    visit(doc, weight, at, at + size)
    at += size
  }
}

/** The positions between two bounds. */
export const positionsIn = (bytes: Uint8Array, from: number, to: number): ReadonlyArray<number> => {
  const positions: Array<number> = []
  let position = 0
  for (let at = from; at < to;) {
    let delta = 0
    for (let shift = 0, byte = 0x80; byte >= 0x80 && at < to; shift += 7) {
      byte = bytes[at++] ?? 0
      delta += (byte & 0x7f) * 2 ** shift
    }
    position += delta
    positions.push(position)
  }
  return positions
}

/** How many bytes `writeNumber` takes. */
const bytesFor = (number: number): number => {
  let bytes = 1
  for (let rest = number; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++
  return bytes
}

/** Seven bits a byte, the lowest first; the eighth says that more follow. */
const writeNumber = (out: Array<number>, number: number): void => {
  let rest = number
  while (rest >= 0x80) {
    out.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  out.push(rest)
}
