import { Console } from "node:console"
import process from "node:process"

/**
 * Called first by every bin: whatever a dependency logs goes to stderr, so that stdout stays the protocol's or the
 * document's (A25). A call, because a bundler drops an import that nobody uses.
 */
export const guardStdout = (): void => {
  Object.assign(globalThis, { console: new Console(process.stderr, process.stderr) })
}
