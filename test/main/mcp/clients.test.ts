import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { App } from "../../../src/main/mcp/App.ts"
import { mostClients } from "../../../src/main/mcp/http/clients.ts"
import { serveApp } from "../../../src/main/mcp/http/main.ts"

/** What looks for news every second would make an hour of the test's clock long; this has none to tell. */
const silent: App = { answer: () => Effect.succeed({}), follow: () => Effect.never, odd: () => Effect.void }

/** A server in this process, on the test's clock, and what a client may ask it. */
const serving = Effect.gen(function* () {
  const url = yield* serveApp(silent, { host: "127.0.0.1", port: 0 })
  const ask = (method: string, accept: string, session?: string, body?: object) =>
    Effect.promise((signal) => {
      const headers = { accept, "content-type": "application/json" }
      return fetch(url, {
        signal,
        method,
        headers: session === undefined ? headers : { ...headers, "mcp-session-id": session },
        ...(body === undefined ? {} : { body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }) })
      })
    })
  // A stream that nobody holds on to is closed by the garbage collector.
  const streams: Array<Response> = []
  const post = (body: object, session?: string) => ask("POST", "application/json, text/event-stream", session, body)
  const clientInfo = { name: "tester", version: "1" }
  const initialize = Effect.flatMap(
    post({ method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } }),
    (answer) =>
      Effect.map(
        Effect.promise(() => answer.text()),
        (text) => ({ status: answer.status, text, session: answer.headers.get("mcp-session-id") ?? "" })
      )
  )
  return {
    initialize,
    /** A client that is being sent notifications. */
    listening: Effect.tap(initialize, ({ session }) =>
      Effect.map(ask("GET", "text/event-stream", session), (stream) => void streams.push(stream))
    ),
    /** The status of a question in a session: 404 where there is none. */
    asks: (session: string) =>
      Effect.flatMap(post({ method: "tools/list" }, session), (answer) =>
        Effect.as(
          Effect.promise(() => answer.text()),
          answer.status
        )
      ),
    ends: (session: string) => ask("DELETE", "*/*", session)
  }
}).pipe(Effect.provide(NodeContext.layer))

describe("the clients of ctx-mcp --http", () => {
  it.scoped("are 64: while all are at work the next one is told so, else it takes the place of a quiet one", () =>
    Effect.gen(function* () {
      const { asks, ends, initialize, listening } = yield* serving
      expect(mostClients).toBe(64)
      const quiet = yield* initialize
      const first = yield* listening
      yield* Effect.replicateEffect(listening, mostClients - 2, { concurrency: 8, discard: true })
      expect(yield* asks(quiet.session)).toBe(200)

      const last = yield* listening
      expect(last.status).toBe(200)
      expect([yield* asks(quiet.session), yield* asks(first.session)]).toEqual([404, 200])

      expect(yield* initialize).toMatchObject({
        status: 503,
        text: expect.stringContaining("64 clients are at work here, and no more are taken; end one")
      })
      yield* ends(first.session)
      expect((yield* initialize).status).toBe(200)
    })
  )

  it.scoped("are forgotten when they were quiet for half an hour, but not while something is being sent to them", () =>
    Effect.gen(function* () {
      const { asks, initialize, listening } = yield* serving
      const [{ session }, other] = [yield* initialize, yield* listening]
      for (let round = 0; round < 3; round++) {
        yield* TestClock.adjust("29 minutes")
        expect(yield* asks(session)).toBe(200)
      }
      yield* TestClock.adjust("31 minutes")
      expect([yield* asks(session), yield* asks(other.session)]).toEqual([404, 200])
    })
  )
})
