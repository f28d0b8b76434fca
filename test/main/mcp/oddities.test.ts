import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger, TestClock } from "effect"
import { PassThrough } from "node:stream"
import { makeOddities } from "../../../src/main/mcp/oddities.ts"
import { serve } from "../../../src/main/mcp/serve.ts"
import { peer } from "../../support/mcp.ts"
import { freshPlace } from "../../support/place.ts"

/** Runs with what is logged in a list. */
const logged = <A, E, R>(run: (lines: ReadonlyArray<unknown>) => Effect.Effect<A, E, R>) => {
  const lines: Array<unknown> = []
  const logger = Logger.make(({ message }) => void lines.push(...[message].flat()))
  return Effect.provide(run(lines), Logger.replace(Logger.defaultLogger, logger))
}

describe("warnings of what a client sent that could not be used", () => {
  it.scoped("are a line of a kind, then its number once a minute, then nothing", () =>
    logged((lines) =>
      Effect.gen(function* () {
        const odd = yield* makeOddities
        const flood = Effect.repeatN(odd("Bad Request: Unsupported protocol version: 1999"), 999)
        yield* flood
        yield* odd("Method not allowed.")
        expect(lines).toEqual(["Bad Request: Unsupported protocol version: 1999", "Method not allowed."])
        yield* TestClock.adjust("1 minute")
        yield* odd("Bad Request: Unsupported protocol version: 2000")
        expect(lines.slice(2)).toEqual(["999 more within 1 minute: Bad Request: Unsupported protocol version"])
        yield* TestClock.adjust("1 minute")
        expect(lines.slice(3)).toEqual(["1 more within 1 minute: Bad Request: Unsupported protocol version"])
        yield* TestClock.adjust("1 hour")
        expect(lines).toHaveLength(4)
        yield* flood
        expect(lines).toHaveLength(5)
      })
    )
  )

  it.scoped("are bounded, safe and without what was sent, whatever a client makes up", () =>
    logged((lines) =>
      Effect.gen(function* () {
        const odd = yield* makeOddities
        yield* Effect.forEach(Array.from({ length: 1000 }).keys(), (n) =>
          odd(`made up ${n}\n\u001b[31m${"x".repeat(999)}`)
        )
        expect(lines).toHaveLength(17)
        for (const line of lines) expect(line).toMatch(/^made up \d+ x{1,200}$/)
        yield* TestClock.adjust("1 minute")
        expect(lines.slice(17)).toEqual(["983 more within 1 minute: more messages that could not be used"])
        yield* TestClock.adjust("1 minute")
        yield* odd('Received a response for an unknown message ID: {"id":9,"result":"ghp_planted"}')
        expect(lines.slice(18)).toEqual(["Received a response for an unknown message ID"])
      })
    )
  )

  it.scopedLive("hold on the wire", () =>
    logged((lines) =>
      Effect.gen(function* () {
        const { folder } = yield* freshPlace
        const [input, output] = [new PassThrough(), new PassThrough()]
        yield* Effect.forkScoped(serve({ where: { cwd: folder }, input, output }))
        const client = peer(input, output)
        yield* client.greet("flooding")
        input.write("nonsense\n".repeat(500))
        input.write('{"jsonrpc":"2.0","id":9,"result":{"a":"ghp_planted"}}\n'.repeat(500))
        yield* client.request("ping")
        expect(lines).toEqual([
          "a line was not JSON, and was left out",
          "Received a response for an unknown message ID"
        ])
      })
    ).pipe(Effect.provide(NodeContext.layer))
  )
})
