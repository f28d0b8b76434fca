import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { serveHttp } from "../../../src/main/mcp/http/main.ts"
import { freshPlace, withEnvironment } from "../../support/place.ts"
import { answerJson, stubServer } from "../../support/stubServer.ts"

const head = "a".repeat(40)
const next = "b".repeat(40)
const page = "wiki/concepts/ports.md"

/** A sync server that answers its long polls when the test says so. */
const newsServer = Effect.gen(function* () {
  const polls = yield* Queue.unbounded<(commits: ReadonlyArray<object>) => void>()
  const ended = yield* Queue.unbounded<string>()
  const stub = yield* stubServer((response, { url }) => {
    const rest = { head, head_seq: 1, more: false }
    if (!url.includes("since=")) return answerJson(response, 200, { ...rest, commits: [], next_since: head })
    response.on("close", () => void (response.writableFinished || Queue.unsafeOffer(ended, url)))
    Queue.unsafeOffer(polls, (commits) => answerJson(response, 200, { ...rest, head: next, commits, next_since: next }))
  })
  const asked = () => stub.received.filter(({ url }) => url.includes("/changes")).length
  return { url: stub.url, polls, ended, asked }
})

const commit = {
  seq: 2,
  sha: next,
  author: "Ben",
  email: "ben@example.com",
  time: "2026-01-01T00:00:00Z",
  message: "m",
  paths: [page],
  deleted: []
}

/** `ctx-mcp --http` in a project of that server, and clients that send what they are told to. */
const serving = (server: string, env: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const place = yield* freshPlace
    yield* place.write(".contexo/config.json", JSON.stringify({ version: 1, server_url: server, repo_id: "acme" }))
    yield* place.write(".contexo/credentials.json", JSON.stringify({ token: "ctxp_x", server_url: server }))
    const url = yield* serveHttp({ cwd: place.folder, host: "127.0.0.1", port: 0 })
    const ask = (method: string, session: string | undefined, body?: object) =>
      Effect.promise((signal) =>
        fetch(url, {
          signal,
          method,
          headers: {
            accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
            "content-type": "application/json",
            ...(session === undefined ? {} : { "mcp-session-id": session })
          },
          ...(body === undefined ? {} : { body: JSON.stringify({ jsonrpc: "2.0", ...body }) })
        })
      )
    const clientInfo = { name: "tester", version: "1" }
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }
    const begin = Effect.gen(function* () {
      const answer = yield* ask("POST", undefined, { id: 1, method: "initialize", params: hello })
      yield* Effect.promise(() => answer.text())
      const session = answer.headers.get("mcp-session-id") ?? ""
      yield* ask("POST", session, { method: "notifications/initialized" })
      const params = { uri: "ctx://wiki/ports" }
      yield* ask("POST", session, { id: 2, method: "resources/subscribe", params })
      return session
    })
    /** Opens a stream of notifications; gives its next message that is one. */
    const listen = (session: string) =>
      Effect.map(ask("GET", session), ({ body }) => {
        const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
        return {
          notification: Effect.promise(async () => {
            for (let text = ""; ;) {
              text += (await reader?.read())?.value ?? ""
              const data = /data: (\{.*\})\n/.exec(text)?.[1]
              if (data !== undefined) return JSON.parse(data)
            }
          }),
          end: Effect.promise(async () => reader?.cancel())
        }
      })
    return { begin, listen, write: place.write }
  }).pipe(Effect.provide(NodeContext.layer), withEnvironment(env))

describe("the server is asked for news", () => {
  it.scopedLive("once for all clients that listen, from the first one until the last has gone", () =>
    Effect.gen(function* () {
      const { asked, ended, polls, url } = yield* newsServer
      const { begin, listen } = yield* serving(url)
      const [ada, ben] = [yield* begin, yield* begin]
      // Nobody can be told anything yet.
      expect(asked()).toBe(0)
      const [first, second] = [yield* listen(ada), yield* listen(ben)]
      const answer = yield* Queue.take(polls)
      expect(asked()).toBe(2)

      answer([commit])
      const update = { method: "notifications/resources/updated", params: { uri: "ctx://wiki/ports" } }
      expect(yield* first.notification).toMatchObject(update)
      expect(yield* second.notification).toMatchObject(update)
      yield* Queue.take(polls)
      yield* first.end
      expect(yield* Queue.size(ended)).toBe(0)
      yield* second.end
      expect(yield* Queue.take(ended)).toContain(`since=${next}`)
      expect(asked()).toBe(3)

      // And again, when somebody comes back.
      yield* listen(ada)
      yield* Queue.take(polls)
    })
  )

  it.scopedLive("not at all where CONTEXO_DRIFT_DISABLE=1 says that nobody looks for newer versions by himself", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* newsServer
      const { begin, listen, write } = yield* serving(url, { CONTEXO_DRIFT_DISABLE: "1" })
      const stream = yield* Effect.flatMap(begin, listen)
      // The disk is looked at all the same, and later than the server would have been.
      yield* write(`.contexo/${page}`, "text")
      expect(yield* stream.notification).toMatchObject({ method: "notifications/resources/updated" })
      expect(asked()).toBe(0)
    })
  )
})
