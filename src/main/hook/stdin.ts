import { fstatSync, readSync } from "node:fs"

const maxBytes = 64 * 1024 * 1024

/** The event on stdin; undefined where there is none. Not every host closes it: a whole object is enough. */
export const readEvent = (): unknown => {
  // A terminal, or nothing.
  if (fstatSync(0).isCharacterDevice()) return undefined
  const parts: Array<Buffer> = []
  const chunk = Buffer.allocUnsafe(64 * 1024)
  let total = 0
  while (total < maxBytes) {
    const got = readSome(chunk)
    if (got === 0) break
    parts.push(Buffer.from(chunk.subarray(0, got)))
    total += got
    if (chunk.subarray(0, got).toString("latin1").trimEnd().endsWith("}")) {
      const event = parsed(Buffer.concat(parts))
      if (event !== undefined) return event
    }
  }
  return parsed(Buffer.concat(parts))
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""))
  } catch {
    return undefined
  }
}

const waiting = new Int32Array(new SharedArrayBuffer(4))

/** Bytes read, 0 at the end; waits up to five seconds where nothing is there yet. */
const readSome = (chunk: Buffer): number => {
  for (let tries = 0; tries < 500; tries++) {
    try {
      return readSync(0, chunk, 0, chunk.length, null)
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined
      if (code !== "EAGAIN") return 0
      Atomics.wait(waiting, 0, 0, 10)
    }
  }
  return 0
}
