import { type ClientRequest, request } from "node:http"
import { FetchHttpClient } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Context, Duration, Effect, Exit, Fiber, Layer, Redacted, Schedule, Scope } from "effect"
import { ChangeSignal } from "../../../src/services/server/ChangeSignal.ts"
import { SyncConnect } from "../../../src/services/sync/SyncConnect.ts"
import * as SyncConnectLive from "../../../src/services/sync/SyncConnectLive.ts"
import { json, observed, request as send, running } from "./running.ts"

const path = "wiki/concepts/auth.md"
const page = (content: string, parent_sha?: string) => ({ path, content, parent_sha })

/** Our own client, as one of the server's users. */
const client = (url: string, token: string) =>
  Effect.map(SyncConnect, (connect) => connect.to({ serverUrl: url, bearer: Redacted.make(token), repo: "team" })).pipe(
    Effect.provide(SyncConnectLive.layer.pipe(Layer.provide(FetchHttpClient.layer)))
  )

/** A server of which we see who listens. */
const listeningServer = Effect.map(observed(), ({ services, token, url }) => {
  const { listening } = Context.get(services, ChangeSignal)
  const become = (count: number) =>
    Effect.repeat(listening, { until: (now) => now === count, schedule: Schedule.spaced("5 millis") })
  return { url, token, become }
})

/** A request for changes that nobody answers yet. */
const asking = (url: string, token: string) =>
  Effect.sync(() => {
    const sent = request(`${url}/v1/repos/team/changes?since=0&wait=55`, {
      headers: { authorization: `Bearer ${token}` }
    })
    sent.on("error", () => undefined)
    sent.end()
    return sent
  })

describe("changes over HTTP", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("the head, the feed from a number or a commit, and names of what is wrong", () =>
      Effect.gen(function* () {
        const { call, push } = yield* running
        const at = (query = "") => call("GET", `/v1/repos/team/changes${query}`)
        const one = (yield* push("team", [page("one")], { message: "first" })).body.new_head
        const two = (yield* push("team", [{ path, deleted: true, parent_sha: one }])).body.new_head
        const who = { author: "owner", email: "owner@localhost", time: expect.stringMatching(/^\d{4}-.*:\d\dZ$/) }
        const commits = [
          { seq: 1, sha: one, ...who, message: "first", paths: [path], deleted: [] },
          { seq: 2, sha: two, ...who, message: "ctx push", paths: [], deleted: [path] }
        ]
        const rest = { head: two, head_seq: 2, next_since: two, more: false }
        expect(json(yield* at())).toEqual({ ...rest, commits: [] })
        expect(json(yield* at("?since=0"))).toEqual({ ...rest, commits })
        expect(json(yield* at(`?since=${one}&wait=55`))).toEqual({ ...rest, commits: commits.slice(1) })
        expect(json(yield* at("?since=0&limit=1"))).toEqual({
          ...rest,
          commits: commits.slice(0, 1),
          next_since: one,
          more: true
        })
        const foreign = yield* at(`?since=${"f".repeat(40)}`)
        expect([foreign.status, json(foreign)]).toMatchObject([409, { code: "unknown_history" }])
        for (const query of ["?wait=-1", "?wait=1.5", "?wait=soon", "?limit=0", "?since=HEAD", "?since=0&since=1"]) {
          expect([query, (yield* at(query)).status]).toEqual([query, 400])
        }
        expect((yield* call("GET", "/v1/repos/none/changes")).status).toBe(404)
      })
    )

    it.scoped("our client waits for a push of somebody else, and hears of it at once", () =>
      Effect.gen(function* () {
        const { become, token, url } = yield* listeningServer
        const server = yield* client(url, token)
        const before = yield* server.changes({})
        expect(before).toMatchObject({ head: "", next_since: "0" })
        const fibers = yield* Effect.replicateEffect(
          Effect.fork(server.changes({ since: before.next_since, wait: 55 })),
          20
        )
        yield* become(20)
        yield* send(url, token, "POST", "/v1/repos/team/sync/push", { body: { files: [page("one")] } })
        const [took, answers] = yield* Effect.timed(Fiber.join(Fiber.all(fibers)))
        expect(Duration.toSeconds(took)).toBeLessThan(4)
        for (const { commits } of answers) expect(commits.map(({ paths }) => paths)).toEqual([[path]])
        yield* become(0)
        expect(yield* server.changes({ since: answers[0]?.next_since, wait: 1 })).toMatchObject({ commits: [] })
        const unknown = yield* Effect.flip(server.changes({ since: "f".repeat(40), wait: 55 }))
        expect(unknown._tag).toBe("UnknownHistory")
      })
    )

    it.scoped("a waiting client that hangs up leaves nothing behind", () =>
      Effect.gen(function* () {
        const { become, token, url } = yield* listeningServer
        const sent: ReadonlyArray<ClientRequest> = yield* Effect.replicateEffect(asking(url, token), 10)
        yield* become(10)
        for (const one of sent) one.destroy()
        yield* become(0)
      })
    )

    it.scoped("the end of the server answers who waits, and takes no time for it", () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const { token, url } = yield* Scope.extend(running, scope)
        yield* send(url, token, "POST", "/v1/repos/team", {})
        const server = yield* client(url, token)
        const fiber = yield* Effect.fork(server.changes({ since: "0", wait: 55 }))
        // Two requests on connections of their own: by the answer to the second, the first has surely arrived.
        yield* server.changes({ since: "0", wait: 1 })
        const [took] = yield* Effect.timed(Scope.close(scope, Exit.void))
        expect(Duration.toSeconds(took)).toBeLessThan(4)
        expect(yield* Fiber.join(fiber)).toMatchObject({ head: "", commits: [], next_since: "0" })
      })
    )
  })
})
