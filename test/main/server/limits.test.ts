import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Option } from "effect"
import { configuredLimits } from "../../../src/main/server/limits.ts"
import { json, running } from "./running.ts"

const environment = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables))))

/** So slow to grow again that the time the test takes does not matter. */
const tight = environment({
  CONTEXO_RATELIMIT_PER_MIN: "1",
  CONTEXO_RATELIMIT_BURST: "5",
  CONTEXO_AUTH_RATELIMIT_PER_MIN: "1",
  CONTEXO_AUTH_RATELIMIT_BURST: "2"
})

describe("rate limits of the server", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("too many requests are 429 with the time to wait; health never is; others' tokens go on", () =>
      Effect.gen(function* () {
        const { call } = yield* tight(running)
        const created = yield* call("POST", "/v1/pats", { body: { label: "second" } })
        const second = /ctxp_[\w-]+/.exec(created.text)?.[0]
        const statuses = yield* Effect.replicateEffect(
          Effect.map(call("GET", "/v1/me"), ({ status }) => status),
          6
        )
        expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
        const refused = yield* call("POST", "/v1/repos/team/sync/push", { body: { files: [] } })
        expect(refused.status).toBe(429)
        expect(refused.headers["content-type"]).toBe("application/json")
        const seconds = Number(refused.headers["retry-after"])
        expect(seconds).toBeGreaterThan(50)
        expect(seconds).toBeLessThanOrEqual(60)
        expect(json(refused)).toEqual({
          error: expect.stringMatching(/^too many requests; try again in \d+ s$/),
          code: "rate_limited"
        })
        for (let n = 0; n < 10; n++) expect((yield* call("GET", "/health", { authorization: null })).status).toBe(200)
        expect((yield* call("GET", "/v1/me", { authorization: `Bearer ${second}` })).status).toBe(200)
      })
    )

    it.scoped(
      "wrong tokens are 401 as long as they are few; then they are not even looked up, and right ones are",
      () =>
        Effect.gen(function* () {
          const { call, logged } = yield* tight(running)
          expect((yield* call("GET", "/v1/me")).status).toBe(200)
          const wrong = (n: number) => call("GET", "/v1/me", { authorization: `Bearer ctxp_wrong-${n}` })
          const statuses = yield* Effect.forEach([1, 2, 3, 4], (n) => Effect.map(wrong(n), ({ status }) => status))
          expect(statuses).toEqual([401, 401, 429, 429])
          expect((yield* call("GET", "/v1/me")).status).toBe(200)
          expect(logged.join()).not.toContain("ctxp_")
        })
    )

    it.scoped("on an address that only this machine reaches nothing is limited, unless a limit is given", () =>
      Effect.gen(function* () {
        const at = (host: string, variables: Readonly<Record<string, string>> = {}) =>
          environment(variables)(configuredLimits(host))
        const usual = { requests: { perMinute: 300, burst: 100 }, failures: { perMinute: 15, burst: 8 } }
        for (const host of ["127.0.0.1", "::1", "localhost", "127.8.0.1"]) {
          expect([host, yield* at(host)]).toEqual([host, Option.none()])
        }
        for (const host of ["0.0.0.0", "::", "192.0.2.7", "localhost.example", ""]) {
          expect([host, yield* at(host)]).toEqual([host, Option.some(usual)])
        }
        expect(yield* at("127.0.0.1", { CONTEXO_RATELIMIT_BURST: "7" })).toEqual(
          Option.some({ ...usual, requests: { perMinute: 300, burst: 7 } })
        )
        for (const yes of ["1", "true", "YES"]) {
          expect(yield* at("0.0.0.0", { CONTEXO_RATELIMIT_DISABLE: yes })).toEqual(Option.none())
        }
        expect(yield* at("0.0.0.0", { CONTEXO_RATELIMIT_DISABLE: "0" })).toEqual(Option.some(usual))
        for (const value of ["0", "-1", "many", "1.5"]) {
          const failure = yield* Effect.flip(at("0.0.0.0", { CONTEXO_AUTH_RATELIMIT_PER_MIN: value }))
          expect(failure.message).toBe(
            `ctx serve: CONTEXO_AUTH_RATELIMIT_PER_MIN is "${value}"; want a whole number above 0.`
          )
        }
      })
    )
  })
})
