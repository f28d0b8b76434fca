import type { ServerResponse } from "node:http"
import { createServer as createTcpServer, type Socket } from "node:net"
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib"
import { FetchHttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Option, Queue, Redacted, TestClock } from "effect"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { Sha } from "../../../src/model/page/Sha.ts"
import type { SyncConnection } from "../../../src/services/sync/SyncClient.ts"
import { SyncConnect } from "../../../src/services/sync/SyncConnect.ts"
import { layer } from "../../../src/services/sync/SyncConnectLive.ts"
import { type Behaviour, stubServer } from "../../support/stubServer.ts"

const token = "ctxp_planted-token-0123456789"
const path = PagePath.make("wiki/concepts/retry.md")
const http = layer.pipe(Layer.provide(FetchHttpClient.layer))
const MiB = 1024 * 1024

const connectTo = (url: string) =>
  Effect.map(SyncConnect, (connect) => connect.to({ serverUrl: url, bearer: Redacted.make(token), repo: "team" }))

const talk = (behave: Behaviour) =>
  Effect.gen(function* () {
    const stub = yield* stubServer(behave)
    return { stub, server: yield* connectTo(stub.url) }
  })

/** A server below HTTP: what it does with a connection on which a request has come. */
const tcpServer = (behave: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly close: Effect.Effect<void> }>((resume) => {
      const sockets = new Set<Socket>()
      const server = createTcpServer((socket) => {
        sockets.add(socket)
        socket.on("error", () => undefined)
        socket.once("data", () => behave(socket))
      })
      const close = Effect.async<void>((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done(Effect.void))
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close }))
      })
    }),
    ({ close }) => close
  )

/** Every call of a connection. */
const calls: ReadonlyArray<readonly [string, (server: SyncConnection) => Effect.Effect<unknown, Error>]> = [
  ["me", (server) => server.me],
  ["updateMe", (server) => server.updateMe({ name: "x" })],
  ["repos", (server) => server.repos],
  ["pages", (server) => server.pages],
  ["history", (server) => server.history(path, {})],
  ["evolution", (server) => server.evolution(path, {})],
  ["revert", (server) => server.revert(path, { to: Sha.make("a".repeat(40)), parent: "", push_id: "push-0001" })],
  ["purge", (server) => server.purge(path, {})],
  ["page", (server) => server.page(path)],
  ["push", (server) => server.push({ push_id: "push-0001", files: [] })],
  ["pull", (server) => server.pull({})],
  ["changes", (server) => server.changes({ since: "0", wait: 5 })],
  ["timeline", (server) => server.timeline(1)],
  ["diff", (server) => server.diff(path, {})]
]

/** How much memory a program took at its worst, in MiB beyond what was held before. */
const memoryOf = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = process.memoryUsage.rss()
    let peak = before
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5)
    const result = yield* Effect.ensuring(
      program,
      Effect.sync(() => clearInterval(watch))
    )
    return [result, (peak - before) / MiB] as const
  })

const write = (response: ServerResponse, type: string, piece: string, headers: Record<string, string> = {}) => {
  response.writeHead(200, { "content-type": type, ...headers })
  const more = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.on("drain", more)
  more()
}

describe("compressed answers", () => {
  const zeros = Buffer.alloc(256 * MiB, " ")
  const gzip = gzipSync(zeros, { level: 1 })
  const bombs: Readonly<Record<string, Buffer>> = {
    gzip,
    deflate: deflateSync(zeros, { level: 1 }),
    br: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    "gzip, gzip": gzipSync(gzip)
  }

  it.scopedLive.each(Object.entries(bombs))(
    "%s: a bomb is cut off at the bound of what it unpacks to",
    ([encoding, bomb]) =>
      Effect.gen(function* () {
        const { server } = yield* talk((response) => {
          response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding })
          response.end(bomb)
        })
        const [error, memory] = yield* memoryOf(Effect.flip(server.me))
        expect(error.message).toContain("larger than 4194304 bytes")
        expect(memory).toBeLessThan(120)
      }).pipe(Effect.provide(http))
  )

  it.scopedLive(
    "an error's bomb is read no further than an excerpt, and rubble that is not what it says is no answer",
    () =>
      Effect.gen(function* () {
        const { server } = yield* talk((response, _request, n) => {
          const type = { "content-type": "application/json", "content-encoding": "gzip" }
          if (n === 0) response.writeHead(500, type).end(gzip)
          else response.writeHead(200, type).end(n === 1 ? "no gzip" : gzip.subarray(0, 20))
        })
        const [refused, memory] = yield* memoryOf(Effect.flip(server.updateMe({ name: "x" })))
        expect(refused).toMatchObject({ _tag: "ServerRefused", status: 500, reason: "no reason given" })
        expect(memory).toBeLessThan(120)
        for (let n = 0; n < 2; n++) {
          expect((yield* Effect.flip(server.updateMe({ name: "x" })))._tag).toMatch(
            /^(ServerUnreachable|UnexpectedAnswer)$/
          )
        }
      }).pipe(Effect.provide(http))
  )
})

describe("answers that are too much", () => {
  it.scopedLive("a page without an end is cut off, without being held twice", () =>
    Effect.gen(function* () {
      const { server } = yield* talk((response) =>
        write(response, "text/markdown", "x".repeat(65_536), { "x-page-sha": "a".repeat(40) })
      )
      const [error, memory] = yield* memoryOf(Effect.flip(server.page(path)))
      expect(error.message).toContain("larger than 33554432 bytes")
      expect(memory).toBeLessThan(150)
    }).pipe(Effect.provide(http))
  )

  const bodies: ReadonlyArray<readonly [string, string, string]> = [
    ["deep JSON", `{"new_head":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "it nests more than 64 levels deep"],
    ["JSON of brackets", `{"files":[${"[],".repeat(1_200_000)}[]]}`, "it holds more than 1000000 arrays and objects"],
    [
      "a megabyte in a wrong place",
      `{"new_head":{"x":"${"x".repeat(1_100_000)}"},"id":{},"repos":0}`,
      "not the JSON of this call"
    ]
  ]
  for (const [kind, body, reason] of bodies) {
    it.scopedLive(`${kind} is an UnexpectedAnswer in one short line, whatever was asked`, () =>
      Effect.gen(function* () {
        const { server } = yield* talk((response) => {
          response.writeHead(200, { "content-type": "application/json" })
          response.end(body)
        })
        // A large one is unpacked by fewer of them, to save time.
        for (const [name, call] of body.length > 2 * MiB ? calls.slice(-4) : calls) {
          const error = yield* Effect.flip(call(server))
          const expected = name === "page" ? "a page without its X-Page-SHA header" : reason
          expect([name, error.name, error.message.includes(expected)]).toEqual([name, "UnexpectedAnswer", true])
          expect(error.message.length).toBeLessThan(500)
        }
      }).pipe(Effect.provide(http))
    )
  }

  it.scopedLive("heads that are too large, never end or lie about the length are no answers", () =>
    Effect.gen(function* () {
      const ok = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
      const endless = (socket: Socket) => {
        socket.write(ok)
        const more = () => {
          while (!socket.destroyed && socket.write(`x-more: ${"y".repeat(1_000)}\r\n`));
        }
        socket.on("drain", more)
        more()
      }
      const heads: ReadonlyArray<(socket: Socket) => void> = [
        (socket) => socket.end(`${ok}x-big: ${"x".repeat(MiB)}\r\n\r\n{}`),
        endless,
        (socket) => socket.end(`${ok}content-length: 2\r\ncontent-length: 9\r\n\r\n{}`),
        (socket) => socket.end(`${ok}content-length: 1000\r\n\r\n{}`),
        (socket) => socket.end(`${ok}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}`),
        (socket) => socket.end("no HTTP at all, but a song\r\n\r\n"),
        (socket) => socket.end(`\u0000\u0001\u0002${"\u00ff".repeat(100_000)}`)
      ]
      for (const [n, head] of heads.entries()) {
        const { url } = yield* tcpServer(head)
        const server = yield* connectTo(url)
        const [error, memory] = yield* memoryOf(Effect.flip(server.updateMe({ name: "x" })))
        expect([n, error._tag]).toEqual([n, "ServerUnreachable"])
        expect(error.message).toMatch(/^http:\S+ did not answer \([^\n]{3,250}\)\. Check/)
        expect(memory).toBeLessThan(100)
      }
    }).pipe(Effect.provide(http))
  )

  const drips: ReadonlyArray<readonly [string, string, string]> = [
    ["a body drop by drop", "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99999\r\n\r\n", " "],
    ["a head drop by drop", "HTTP/1.1 200 OK\r\nx-slow: ", "x"],
    ["early hints for ever", "", "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"]
  ]
  for (const [kind, start, drop] of drips) {
    it.scoped(`${kind} is given up when the call's time is over, however much keeps coming`, () =>
      Effect.gen(function* () {
        const dropped = yield* Queue.unbounded<void>()
        const { url } = yield* tcpServer((socket) => {
          socket.write(start)
          const timer = setInterval(() => {
            socket.write(drop)
            Queue.unsafeOffer(dropped, undefined)
          }, 2)
          socket.on("close", () => clearInterval(timer))
        })
        const server = yield* connectTo(url)
        const fiber = yield* Effect.fork(Effect.flip(server.me))
        for (let second = 0; second < 10; second++) {
          expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
          yield* Effect.replicateEffect(Queue.take(dropped), 5)
          yield* TestClock.adjust("1 seconds")
        }
        expect((yield* Fiber.join(fiber)).message).toContain("no complete answer within 10 s")
      }).pipe(Effect.provide(http))
    )
  }
})

describe("the token goes to one origin", () => {
  it.scopedLive("no call follows a redirect, to another host, port, scheme, or by any other header", () =>
    Effect.gen(function* () {
      const elsewhere = yield* stubServer((response) => response.end("{}"))
      const { port } = new URL(elsewhere.url)
      const targets = [
        `${elsewhere.url}/v1/me`,
        `//localhost:${port}/v1/me`,
        `http://user@127.0.0.1:${port}/`,
        "ftp://x/",
        "\\\\x",
        ""
      ]
      for (const [n, location] of targets.entries()) {
        const { server, stub } = yield* talk((response) => {
          const status = [301, 302, 303, 307, 308, 300][n] ?? 302
          response.writeHead(status, {
            location,
            refresh: `0; url=${elsewhere.url}`,
            "alt-svc": `h2="127.0.0.1:${port}"`,
            link: `<${elsewhere.url}>; rel=preload`
          })
          response.end()
        })
        for (const [name, call] of calls) {
          const exit = yield* Effect.exit(call(server))
          expect([name, Exit.isFailure(exit)]).toEqual([name, true])
          const shown = Exit.isFailure(exit) ? Cause.pretty(exit.cause, { renderErrorCause: true }) : ""
          expect(shown).toContain("redirects are not followed")
          expect(shown).not.toContain(token)
        }
        expect(stub.received).toHaveLength(calls.length)
      }
      expect(elsewhere.received).toEqual([])
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("cookies that a server sets come back to nobody", () =>
    Effect.gen(function* () {
      const { server, stub } = yield* talk((response) => {
        response.writeHead(200, { "content-type": "application/json", "set-cookie": "session=1; Path=/" })
        response.end('{"id":"1","email":"e","name":"n"}')
      })
      yield* Effect.replicateEffect(server.me, 2)
      expect(stub.received.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined])
    }).pipe(Effect.provide(http))
  )
})
