import process from "node:process"
import { Writable } from "node:stream"
import { guardStdout } from "../cli/frame/stdoutGuard.ts"

/**
 * Takes stdout away from everybody but the protocol: what a dependency prints, through `console` or `process.stdout`,
 * goes to stderr (A25). A client may close its ends at any time: whoever writes hears of it, and nothing crashes (A27).
 *
 * @returns the real stdout
 */
export const takeStdout = (): Writable => {
  guardStdout()
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr)
  process.stdout.on("error", () => {})
  process.stderr.on("error", () => {})
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      write(chunk, done)
    }
  })
}
