import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder } from "../support/cli.ts"
import { killLoop, kinds } from "../support/kill.ts"

/** Forty rounds; `node bench/kill.ts` plays a thousand. */
const rounds = { write: 6, mcp: 8, push: 12, pull: 7, serve: 7 }
const seed = Number(process.env["KILL_SEED"] ?? Math.floor(Math.random() * 1_000_000))

describe("A31, A36: kill -9 at any moment", () => {
  it.scopedLive(
    `of writes, pushes, pulls and servers breaks no promise (KILL_SEED=${seed})`,
    () =>
      Effect.gen(function* () {
        const tallies = yield* killLoop({ rounds, seed, folder: yield* folder, worlds: 2 })
        for (const kind of kinds) expect(tallies[kind].rounds).toBe(rounds[kind])
        const kills = kinds.reduce((sum, kind) => sum + tallies[kind].kills, 0)
        expect(kills).toBeGreaterThanOrEqual(30)
      }),
    600_000
  )
})
