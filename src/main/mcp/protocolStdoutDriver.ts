/**
 * Takes stdout away from everybody but the protocol: what a dependency prints, through `console` or
 * `process.stdout`, goes to stderr (A25). Load it before anything else that might print.
 */
import "../cli/frame/stdoutGuard.ts"
import process from "node:process"
import { Writable } from "node:stream"

const write = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)

// A client may close its ends at any time: whoever writes hears of it, and nothing crashes (A27).
process.stdout.on("error", () => {})
process.stderr.on("error", () => {})

/** The real stdout. */
export const protocolOut = new Writable({
  decodeStrings: false,
  write: (chunk: string | Uint8Array, _encoding, done) => {
    write(chunk, done)
  }
})
