import { connect, type Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { land } from "../../services/server/fixtures.ts"
import { json, observed, request, running } from "./running.ts"

const push = "/v1/repos/team/sync/push"
const path = "wiki/concepts/a.md"

/** A connection on which anything can be said, and all that came back on it. */
const dial = (url: string) =>
  Effect.acquireRelease(
    Effect.async<{ readonly socket: Socket; readonly heard: () => string; readonly closed: Effect.Effect<void> }>(
      (resume) => {
        const { hostname, port } = new URL(url)
        const parts: Array<Buffer> = []
        const socket = connect(Number(port), hostname, () => {
          const closed = Effect.async<void>((done) => {
            if (socket.destroyed) return done(Effect.void)
            socket.once("close", () => done(Effect.void))
          })
          resume(Effect.succeed({ socket, heard: () => Buffer.concat(parts).toString(), closed }))
        })
        socket.on("data", (part: Buffer) => parts.push(part))
        socket.on("error", () => undefined)
      }
    ),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

/** Says something, and gives what is answered until the server hangs up. */
const saying = (url: string, ...lines: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { closed, heard, socket } = yield* dial(url)
      socket.write(lines.join("\r\n"))
      yield* closed
      return heard()
    })
  )

const statusOf = (heard: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1])

/** Writes as fast as the server reads, until it hangs up. */
const pourInto = (socket: Socket, bytes: Buffer): void => {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on("drain", more)
  more()
}

describe("hostile clients", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("a compressed body is refused as such, however small, and never unpacked", () =>
      Effect.gen(function* () {
        const { token, url } = yield* running
        const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
        for (const encoding of ["gzip", "br", "gzip, gzip", "x".repeat(300)]) {
          const response = yield* Effect.promise(() =>
            fetch(`${url}${push}`, {
              method: "POST",
              headers: { authorization: `Bearer ${token}`, "content-encoding": encoding },
              body: bomb
            })
          )
          const body: unknown = yield* Effect.promise(() => response.json())
          expect([encoding, response.status]).toEqual([encoding, 415])
          expect(body).toEqual({ error: expect.stringContaining("takes no Content-Encoding") })
        }
        const plain = yield* Effect.promise(() =>
          fetch(`${url}${push}`, {
            method: "POST",
            headers: { authorization: `Bearer ${token}`, "content-encoding": "identity" },
            body: JSON.stringify({ files: [{ path, content: "x" }] })
          })
        )
        expect(plain.status).toBe(200)
      })
    )

    it.scoped("JSON of a million levels, or of a million wrong pieces, is refused in words and at once", () =>
      Effect.gen(function* () {
        const { call, logged } = yield* running
        const deep = (text: string) => `{"files":[],"x":${"[".repeat(1_000_000)}${text}${"]".repeat(1_000_000)}}`
        const bodies = [
          [deep("1"), "it nests more than 64 levels deep"],
          [`{"files":[${'{"a":'.repeat(1_000_000)}1${"}".repeat(1_000_000)}]}`, "it nests more than 64 levels deep"],
          [`{"files":[${"[],".repeat(2_000_000)}[]]}`, "it holds more than 250000 arrays and objects"],
          [`{"files":"${"\\u0000".repeat(1_000_000)}"}`, "it is not what this route takes"],
          [`{"files":[{"path":${"[".repeat(60)}${"]".repeat(60)}}]}`, "files.0.path: Expected string"]
        ] as const
        for (const [raw, reason] of bodies) {
          const answer = yield* call("POST", push, { raw })
          expect([answer.status, json(answer)]).toEqual([400, { error: expect.stringContaining(reason) }])
        }
        expect(logged).toEqual([])
      })
    )

    it.scoped("a body that is announced as giant is refused before any of it is sent", () =>
      Effect.gen(function* () {
        const { token, url } = yield* running
        const { heard, socket } = yield* dial(url)
        const answered = Effect.async<void>((resume) => void socket.once("data", () => resume(Effect.void)))
        const head = [`POST ${push} HTTP/1.1`, "Host: x", `Authorization: Bearer ${token}`]
        socket.write([...head, "Content-Length: 9007199254740991", "", ""].join("\r\n"))
        yield* answered
        expect(statusOf(heard())).toBe(413)
      })
    )

    it.scoped("a body without an end is refused, and cut off when the time for a request is up", () =>
      Effect.gen(function* () {
        const { logged, token, url } = yield* observed({ head: 500, request: 3_000, silence: 9_000, idle: 9_000 })
        const chunk = Buffer.alloc(65_536, "x")
        const framed = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")])
        const statuses = yield* Effect.forEach(
          [token, "nobody"],
          (bearer) =>
            Effect.gen(function* () {
              const { closed, heard, socket } = yield* dial(url)
              const head = [`POST ${push} HTTP/1.1`, "Host: x", `Authorization: Bearer ${bearer}`]
              socket.write([...head, "Transfer-Encoding: chunked", "", ""].join("\r\n"))
              pourInto(socket, framed)
              yield* closed
              return statusOf(heard())
            }),
          { concurrency: "unbounded" }
        )
        expect(statuses).toEqual([413, 401])
        expect(logged).toEqual([])
      })
    )

    it.scoped("who does not read the answer is cut off; so is who sends a head or a body drop by drop", () =>
      Effect.gen(function* () {
        const patience = { head: 500, request: 1_000, silence: 500, idle: 9_000 }
        const { logged, services, token, url } = yield* observed(patience)
        const content = "x".repeat(7 * 1024 * 1024)
        for (const n of [1, 2, 3]) {
          yield* Effect.provide(land(PagePath.make(`wiki/concepts/big${n}.md`), content), services)
        }
        const deaf = yield* dial(url)
        deaf.socket.pause()
        deaf.socket.write(`GET /v1/repos/team/sync/pull HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)

        const head = `POST ${push} HTTP/1.1\r\nHost: x\r\n`
        for (const start of [
          `${head}X-Slow: `,
          `${head}Authorization: Bearer ${token}\r\nContent-Length: 9999\r\n\r\n{`
        ]) {
          const { closed, socket } = yield* dial(url)
          socket.write(start)
          const drops = setInterval(() => socket.write("x"), 50)
          yield* Effect.ensuring(
            closed,
            Effect.sync(() => clearInterval(drops))
          )
        }
        // That took longer than the server's silence: what it had still to say is lost.
        deaf.socket.resume()
        yield* deaf.closed
        expect(deaf.heard().length).toBeLessThan(3 * content.length)
        expect((yield* request(url, token, "GET", "/v1/me", {})).status).toBe(200)
        expect(logged).toEqual([])
      })
    )

    it.scoped("odd hosts, targets, methods, upgrades and heads get an answer, and nothing breaks", () =>
      Effect.gen(function* () {
        const { call, logged, token, url } = yield* running
        const close = ["Connection: close", "", ""]
        const auth = `Authorization: Bearer ${token}`
        const hosts = ["evil.example", "a b", "[::1", "127.0.0.1:99999", "%00", "../..", "x\u00e9", "@", ""]
        for (const host of hosts) {
          const heard = yield* saying(url, "GET /v1/me HTTP/1.1", `Host: ${host}`, auth, ...close)
          expect([host, [200, 400].includes(statusOf(heard))]).toEqual([host, true])
        }
        const cases = [
          [["GET /v1/me HTTP/1.1", auth, ...close], 400],
          [["GET http://evil.example/v1/me HTTP/1.1", "Host: x", auth, ...close], 200],
          [["GET //evil.example/v1/me HTTP/1.1", "Host: x", auth, ...close], 404],
          [["GET * HTTP/1.1", "Host: x", ...close], 404],
          [["OPTIONS * HTTP/1.1", "Host: x", ...close], 404],
          [["PROPFIND /v1/me HTTP/1.1", "Host: x", auth, ...close], 404],
          [["HEAD /v1/me HTTP/1.1", "Host: x", auth, ...close], 200],
          [["NONSENSE /v1/me HTTP/1.1", "Host: x", "", ""], 400],
          [["GET /v1/me?a[]=%E0%A4%A HTTP/1.1", "Host: x", auth, ...close], 200],
          [[`GET /${"x".repeat(20_000)} HTTP/1.1`, "Host: x", "", ""], 431],
          [["GET /v1/me HTTP/1.1", "Host: x", `X-Big: ${"x".repeat(20_000)}`, "", ""], 431],
          [
            [
              `POST ${push} HTTP/1.1`,
              "Host: x",
              auth,
              "Content-Length: 1",
              "Transfer-Encoding: chunked",
              "",
              "0",
              "",
              ""
            ],
            400
          ],
          [["GET /v1/me HTTP/1.1", "Host: x", auth, "Connection: Upgrade, close", "Upgrade: websocket", "", ""], 200],
          [["GET /v1/me HTTP/1.1", "Host: x", `Authorization: Bearer ${token},${token}`, ...close], 401]
        ] as const
        for (const [lines, status] of cases) {
          const heard = yield* saying(url, ...lines)
          expect([lines[0].slice(0, 60), statusOf(heard)]).toEqual([lines[0].slice(0, 60), status])
          expect(heard).not.toContain(token)
        }
        // An upgrade that nobody here does is an ordinary request: its body ends.
        const body = JSON.stringify({ files: [{ path, content: "x" }] })
        const upgrade = ["Connection: Upgrade, close", "Upgrade: websocket", `Content-Length: ${body.length}`, "", body]
        expect(statusOf(yield* saying(url, `POST ${push} HTTP/1.1`, "Host: x", auth, ...upgrade))).toBe(200)
        expect((yield* call("GET", "/health")).status).toBe(200)
        expect(logged).toEqual([])
      })
    )
  })
})
