import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Queue, Redacted } from "effect"
import { watchServer } from "../../../src/effects/sync/watchServer.ts"
import type { News } from "../../../src/model/sync/ServerNews.ts"
import { Sha } from "../../../src/model/page/Sha.ts"
import { Credentials } from "../../../src/services/sync/Credentials.ts"
import { ProjectConfig } from "../../../src/services/project/ProjectConfig.ts"
import { SyncState } from "../../../src/services/sync/SyncState.ts"
import { freshPlace } from "../../support/place.ts"
import { answerJson, type Behaviour, stubServer } from "../../support/stubServer.ts"
import { open } from "../../support/team.ts"

const sha = (digit: string) => Sha.make(digit.repeat(40))

/** A clone that pulled once, and that watches a server. */
const watching = (behave: Behaviour) =>
  Effect.gen(function* () {
    const place = yield* freshPlace
    yield* place.makeFolder(".contexo")
    const server = yield* stubServer(behave)
    const clone = yield* open(place.folder)
    const told = yield* Queue.unbounded<News>()
    yield* clone.as(
      Effect.gen(function* () {
        yield* (yield* ProjectConfig).update({ server_url: server.url, repo_id: "acme" })
        yield* (yield* Credentials).write({ bearer: Redacted.make("ctxp_x"), serverUrl: server.url })
        yield* (yield* SyncState).apply({ lastPull: sha("a") })
      })
    )
    yield* Effect.forkScoped(clone.as(watchServer((news) => Queue.offer(told, news))))
    return { told, asked: () => server.received.map(({ url }) => new URL(url, server.url).searchParams.get("since")) }
  })

const commit = (digit: string, paths: ReadonlyArray<string>) => ({
  seq: 1,
  sha: sha(digit),
  author: "Ben",
  email: "b@example.com",
  time: "2026-01-01T00:00:00Z",
  message: "m",
  paths,
  deleted: []
})

const answer = (commits: ReadonlyArray<object>, head: string, more = false) => ({
  head: sha(head),
  head_seq: 9,
  commits,
  next_since: sha(head),
  more
})

const test = (name: string, body: Effect.Effect<void, unknown, Effect.Effect.Context<ReturnType<typeof watching>>>) =>
  it.scopedLive(name, () => Effect.provide(body, NodeContext.layer))

describe("who watches the server hears", () => {
  test(
    "of what came since the last pull, page by page; names that are no page's are left out",
    Effect.gen(function* () {
      const { asked, told } = yield* watching((response, _, n) => {
        if (n === 0) answerJson(response, 200, answer([commit("b", ["wiki/concepts/Ports.md", "../config.json"])], "b"))
      })
      expect(yield* Queue.take(told)).toEqual({ pages: new Set(["wiki/concepts/ports.md"]), comeOrGone: true })
      expect(asked()[0]).toBe(sha("a"))
    })
  )

  test(
    "that everything may be different, where there is more than one would look at, and goes on from the head",
    Effect.gen(function* () {
      const { asked, told } = yield* watching((response, _, n) => {
        if (n === 0) answerJson(response, 200, answer([commit("b", [])], "e", true))
        if (n === 1) answerJson(response, 200, answer([commit("f", ["wiki/concepts/x.md"])], "f"))
      })
      expect(yield* Queue.take(told)).toEqual({ pages: "all", comeOrGone: true })
      expect(yield* Queue.take(told)).toMatchObject({ pages: new Set(["wiki/concepts/x.md"]) })
      expect(asked().slice(0, 2)).toEqual([sha("a"), sha("e")])
    })
  )

  test(
    "A40: the same of a server whose history was replaced, which is then asked where it is",
    Effect.gen(function* () {
      const { asked, told } = yield* watching((response, _, n) => {
        if (n === 0) answerJson(response, 409, { error: "unknown", code: "unknown_history" })
        if (n === 1) answerJson(response, 200, answer([], "c"))
        if (n === 2) answerJson(response, 200, answer([commit("d", ["wiki/concepts/x.md"])], "d"))
      })
      expect(yield* Queue.take(told)).toMatchObject({ pages: "all" })
      expect(yield* Queue.take(told)).toMatchObject({ pages: new Set(["wiki/concepts/x.md"]) })
      expect(asked().slice(0, 3)).toEqual([sha("a"), null, sha("c")])
    })
  )

  test(
    "nothing from one that has no such route, or answers nonsense, and what it says once it makes sense",
    Effect.gen(function* () {
      const { told } = yield* watching((response, _, n) => {
        if (n === 0) response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found")
        if (n === 1) response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>")
        if (n === 2) answerJson(response, 200, answer([commit("b", ["wiki/concepts/x.md"])], "b"))
      })
      expect(yield* Queue.take(told)).toMatchObject({ pages: new Set(["wiki/concepts/x.md"]) })
      expect(yield* Queue.size(told)).toBe(0)
    })
  )
})
