import { describe, it } from "@effect/vitest"
import { NodeContext } from "@effect/platform-node"
import { Effect } from "effect"
import { expect } from "vitest"
import { simulate } from "./simulate.ts"

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const steps = number("CTX_SIM_STEPS", 60)
const seeds =
  process.env["CTX_SIM_SEED"] === undefined
    ? Array.from({ length: 10 }, (_, index) => index + 1)
    : [number("CTX_SIM_SEED", 1)]

describe("clients and a server under every misfortune that a seed draws", () => {
  for (const seed of seeds) {
    it.effect(`seed ${seed}: ${steps} steps lose nothing, forge nothing, and end in agreement`, () =>
      Effect.gen(function* () {
        const report = yield* simulate({ seed, steps, verbose: process.env["CTX_SIM_VERBOSE"] === "1" })
        expect(report.versions).toBeGreaterThan(0)
      }).pipe(Effect.provide(NodeContext.layer))
    )
  }

  it.effect("a seed replays: the same steps, the same misfortunes, the same answers", () =>
    Effect.gen(function* () {
      const { log } = yield* simulate({ seed: 7, steps: 25 })
      expect((yield* simulate({ seed: 7, steps: 25 })).log).toEqual(log)
      expect((yield* simulate({ seed: 8, steps: 25 })).log).not.toEqual(log)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
