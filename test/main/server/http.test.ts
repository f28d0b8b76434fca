import { request } from "node:http"
import { connect } from "node:net"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json, running } from "./running.ts"

const team = "/v1/repos/team"
const push = `${team}/sync/push`

describe("the HTTP side of the server", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("health needs no token; everything else does, and says what is wrong with it", () =>
      Effect.gen(function* () {
        const { call, token } = yield* running
        expect(json(yield* call("GET", "/health", { authorization: null }))).toEqual({ status: "ok" })
        const cases = [
          [null, "missing authorization header"],
          [token, "invalid authorization format, expected Bearer <key>"],
          [`Basic ${token}`, "invalid authorization format, expected Bearer <key>"],
          [`Bearer ${token}x`, "invalid API key"],
          ["Bearer dev-key", "invalid API key"]
        ] as const
        for (const [authorization, error] of cases) {
          const answer = yield* call("GET", "/v1/me", { authorization })
          expect([answer.status, json(answer)]).toEqual([401, { error }])
        }
        const routes = [
          ["GET", "/v1/pats"],
          ["POST", "/v1/pats"],
          ["PATCH", "/v1/me"],
          ["DELETE", "/v1/pats/x"],
          ["GET", "/v1/repos"],
          ["POST", "/v1/repos"],
          ["POST", team],
          ["GET", `${team}/pages`],
          ["GET", `${team}/pages/wiki/concepts/a.md`],
          ["POST", push],
          ["GET", `${team}/sync/pull`],
          ["GET", `${team}/timeline`],
          ["GET", `${team}/diff/wiki/concepts/a.md`]
        ] as const
        for (const [method, path] of routes) {
          expect([path, (yield* call(method, path, { authorization: null })).status]).toEqual([path, 401])
        }
      })
    )

    it.scoped(
      "A37: whatever is asked, the answer is JSON: unknown routes, wrong methods, malformed bodies and parameters",
      () =>
        Effect.gen(function* () {
          const { call } = yield* running
          yield* call("POST", team)
          const cases = [
            ["GET", "/", 404],
            ["GET", "/v1", 404],
            ["PUT", "/v1/me", 404],
            ["GET", "/V1/ME", 404],
            ["GET", `${team}/`, 404],
            ["GET", `${team}/pages/%ZZ`, 404],
            ["GET", "/v1/repos/none/pages", 404],
            ["GET", "/v1/repos/a.b/pages", 400],
            ["GET", `/v1/repos/${"x".repeat(65)}/pages`, 400],
            ["GET", `${team}/timeline?limit=many`, 400],
            ["GET", `${team}/timeline?limit=-1`, 400],
            ["GET", `${team}/sync/pull?since=HEAD`, 400],
            ["GET", `${team}/sync/pull?since=abcdef0&since=abcdef1`, 400],
            ["DELETE", "/v1/pats/none", 404]
          ] as const
          for (const [method, path, status] of cases) {
            const answer = yield* call(method, path)
            expect([path, answer.status, answer.headers["content-type"]]).toEqual([path, status, "application/json"])
            expect(json(answer)).toEqual({ error: expect.any(String) })
          }
          const bodies = [
            "{",
            "[]",
            "null",
            '"x"',
            '{"files":[{"path":1}]}',
            '{"files":{}}',
            '{"push_id":"short","files":[]}'
          ]
          for (const raw of [...bodies, new Uint8Array([0x22, 0xff, 0x22]), "[".repeat(200_000)]) {
            const answer = yield* call("POST", push, { raw })
            expect([String(raw).slice(0, 20), answer.status]).toEqual([String(raw).slice(0, 20), 400])
            expect(json(answer)).toEqual({ error: expect.stringContaining("malformed request body") })
          }
        })
    )

    it.scoped("A12, A13, A15: what may not be in a page or its path is refused by name, and nothing lands", () =>
      Effect.gen(function* () {
        const { call } = yield* running
        const good = { path: "wiki/concepts/good.md", content: "x" }
        const bad = [
          [{ path: "../README.md", content: "x" }, "invalid file path: ../README.md"],
          [{ path: "config.json", content: "x" }, "invalid file path: config.json"],
          [{ path: "wiki/concepts/a/../../b.md", content: "x" }, "invalid file path"],
          [{ path: ".gitignore", content: "*" }, "invalid file path"],
          [{ path: "wiki/concepts/a\u0000.md", content: "x" }, "invalid file path"],
          [{ path: "wiki\\concepts\\a.md", content: "x" }, "invalid file path"],
          [{ path: "wiki/concepts/con.md", content: "x" }, "con"],
          [{ path: "raw/sessions/nul.txt.md", content: "x" }, "nul.txt"],
          [{ path: "wiki/concepts/name..md", content: "x" }, "name."],
          [
            { path: good.path, content: "a\u0000b" },
            "wiki/concepts/good.md: holds a NUL character (U+0000) at offset 1"
          ],
          [{ path: good.path, content: "a\ud83d" }, "wiki/concepts/good.md: holds half of a surrogate pair"],
          [{ path: good.path, content: "x", parent_sha: "--output=/tmp/x" }, "parent_sha is not a commit id"],
          [{ path: good.path }, "content is missing"],
          [{ path: good.path, content: "x", deleted: true }, "a deletion carries no content"],
          [{ path: "wiki/concepts/GOOD.md", content: "y" }, "twice"]
        ] as const
        for (const [file, error] of bad) {
          const { path } = file
          const files = path === good.path ? [file] : [good, file]
          const answer = yield* call("POST", push, { raw: JSON.stringify({ files }) })
          expect([file, answer.status, json(answer)]).toEqual([file, 400, { error: expect.stringContaining(error) }])
        }
        expect(json(yield* call("GET", "/v1/repos"))).toEqual({ repos: [] })
        for (const path of ["..%2f..%2fx", "wiki/concepts/..%2F..%2Fx.md", "wiki/concepts/%00.md", "index.md"]) {
          yield* call("POST", team)
          expect((yield* call("GET", `${team}/pages/${path}`)).status).toBe(400)
        }
      })
    )

    it.scoped("odd but legal names work on every route: 200 characters, dots, case, percent-encoded or not", () =>
      Effect.gen(function* () {
        const { call, push } = yield* running
        for (const slug of ["a".repeat(200), "v1.2-Final_3", "Con-cept", "0", "_x"]) {
          const path = `wiki/entities/${slug}.md`
          const pushed = yield* push("team", [{ path, content: slug }])
          expect(pushed.status).toBe(200)
          const encoded = [...path].map((char) => `%${char.charCodeAt(0).toString(16)}`).join("")
          for (const at of [path, path.replaceAll("/", "%2F"), encoded]) {
            expect((yield* call("GET", `${team}/pages/${at}`)).text).toBe(slug)
          }
          const changed = yield* push("team", [{ path, content: `${slug}!`, parent_sha: pushed.body.new_head }])
          const diff = yield* call("GET", `${team}/diff/${path}`)
          expect(json(diff)).toMatchObject({ to_sha: changed.body.new_head })
        }
      })
    )

    it.scoped("bytes are exact on the wire: BOM, CRLF, emoji, no final newline, and the empty page", () =>
      Effect.gen(function* () {
        const { call, pull, push } = yield* running
        const texts = ["\ufeff---\r\ntitle: x\r\n---\r\nbody", "\ud83d\udfe1\u200b\u202e", "", "\n\n", "\t"]
        for (const [index, content] of texts.entries()) {
          const path = `wiki/concepts/p${index}.md`
          yield* push("team", [{ path, content }])
          expect((yield* call("GET", `${team}/pages/${path}`)).text).toBe(content)
        }
        expect((yield* pull("team")).files?.map(({ content }) => content)).toEqual(texts)
      })
    )

    it.scoped("a body over 8 MiB is 413, announced or streamed; one just below is taken", () =>
      Effect.gen(function* () {
        const { call, url, token } = yield* running
        const limit = 8 * 1024 * 1024
        const body = (size: number) => {
          const empty = JSON.stringify({ files: [{ path: "wiki/concepts/big.md", content: "" }] })
          return empty.replace('"content":""', `"content":"${"x".repeat(size - empty.length)}"`)
        }
        const error = { error: `the request body is larger than ${limit} bytes; send fewer pages at once` }
        const announced = yield* call("POST", push, { raw: body(limit + 1) })
        expect([announced.status, json(announced)]).toEqual([413, error])
        const streamed = yield* chunked(`${url}${push}`, token, 12, 1024 * 1024)
        expect(streamed).toEqual([413, error])
        expect((yield* call("GET", "/health")).status).toBe(200)
        expect((yield* call("POST", push, { raw: body(limit) })).status).toBe(200)
      })
    )

    it.scoped("a client that hangs up in the middle of its push leaves nothing, and the server answers others", () =>
      Effect.gen(function* () {
        const { call, logged, token, url } = yield* running
        const { hostname, port } = new URL(url)
        yield* Effect.async<void>((resume) => {
          const socket = connect(Number(port), hostname, () => {
            const head = `POST ${push} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1000\r\n\r\n{"files"`
            socket.write(head, () => socket.destroy())
          })
          socket.on("close", () => resume(Effect.void))
        })
        expect(json(yield* call("GET", "/v1/repos"))).toEqual({ repos: [] })
        expect(logged).toEqual([])
      })
    )
  })
})

/** Status and body of a POST without Content-Length. */
const chunked = (url: string, token: string, chunks: number, size: number) =>
  Effect.async<readonly [number | undefined, unknown], Error>((resume) => {
    const sent = request(url, { method: "POST", headers: { authorization: `Bearer ${token}` } }, (response) => {
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("end", () =>
        resume(Effect.succeed([response.statusCode, JSON.parse(Buffer.concat(parts).toString())]))
      )
    })
    sent.on("error", (error) => resume(Effect.fail(error)))
    const write = (left: number): void => {
      if (left === 0) sent.end()
      else sent.write(Buffer.alloc(size, "x"), () => write(left - 1))
    }
    write(chunks)
  })
