/**
 * Imported first by every bin: whatever a dependency logs goes to stderr, so that stdout stays the protocol's or the
 * document's (A25).
 */
import { Console } from "node:console"
import process from "node:process"

Object.assign(globalThis, { console: new Console(process.stderr, process.stderr) })
