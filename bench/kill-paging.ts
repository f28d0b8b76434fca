/**
 * `node bench/kill-paging.ts [rounds] [seed]`: kills the capture hook so many times (default 1,000) while a transcript grows, and
 * counts the rows: none may be lost, none doubled. Needs a build.
 */
import { Effect } from "effect"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { killHook } from "../test/support/killHook.ts"

const rounds = Number(process.argv[2] ?? 1_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const folder = realpathSync(mkdtempSync(join(tmpdir(), "ctx-kill-paging-")))
const started = performance.now()
const { expected, kills, messages, ok } = await Effect.runPromise(killHook(folder, rounds, seed))
console.log(
  `${rounds} rounds, seed ${seed}, ${kills} killed, ${((performance.now() - started) / 1_000).toFixed(0)} s: ${messages} of ${expected} rows, check ${ok ? "clean" : "NOT CLEAN"}`
)
rmSync(folder, { recursive: true })
process.exitCode = ok && messages === expected ? 0 : 1
