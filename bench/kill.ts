/**
 * `node bench/kill.ts [--rounds N] [--seed N] [--worlds N] [--only KIND]`: kills real processes N times (default 1,000), and fails at
 * the first broken promise. Needs a build.
 */
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Kind, killLoop, kinds } from "../test/support/kill.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    worlds: { type: "string", default: String(Math.min(2, cpus().length)) },
    only: { type: "string" }
  }
})
const total = Number(values.rounds)
const only = kinds.filter((kind) => values.only === undefined || values.only.split(",").includes(kind))

/** Worlds are made anew every so many rounds, so that none grows too large to be checked whole. */
const batch = 100
const [processor] = cpus()
console.log(
  `kill -9, ${total} rounds, seed ${values.seed}; ${cpus().length} x ${processor?.model ?? "unknown"}, Node ${process.version}`
)

const started = performance.now()
const sum = new Map<Kind, { rounds: number; kills: number; missed: number; halfway: number; acknowledged: number }>()
for (let done = 0, n = 0; done < total; done += batch, n++) {
  const count = Math.min(batch, total - done)
  const share = (at: number) => Math.floor(count / only.length) + (at < count % only.length ? 1 : 0)
  const rounds = { write: 0, mcp: 0, push: 0, pull: 0, serve: 0 }
  for (const [at, kind] of only.entries()) rounds[kind] = share(at)
  const folder = mkdtempSync(join(tmpdir(), "ctx-kill-"))
  const tallies = await Effect.runPromise(
    Effect.scoped(killLoop({ rounds, seed: Number(values.seed) + n, folder, worlds: Number(values.worlds) }))
  )
  for (const kind of only) {
    const before = sum.get(kind) ?? { rounds: 0, kills: 0, missed: 0, halfway: 0, acknowledged: 0 }
    const tally = tallies[kind]
    sum.set(kind, {
      rounds: before.rounds + tally.rounds,
      kills: before.kills + tally.kills,
      missed: before.missed + tally.missed,
      halfway: before.halfway + tally.halfway,
      acknowledged: before.acknowledged + tally.acknowledged
    })
  }
  rmSync(folder, { recursive: true })
  console.log(`${done + count} rounds, ${((performance.now() - started) / 1000).toFixed(0)} s`)
}
console.table(Object.fromEntries(sum))
console.log("no promise was broken")
