import { FetchHttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import {
  Cause,
  Chunk,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  Option,
  Queue,
  Redacted,
  TestClock
} from "effect"
import type { ServerResponse } from "node:http"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { Sha } from "../../../src/model/page/Sha.ts"
import type { PushBody } from "../../../src/services/sync/SyncApi.ts"
import type { SyncConnection } from "../../../src/services/sync/SyncClient.ts"
import { ClientName, SyncConnect } from "../../../src/services/sync/SyncConnect.ts"
import { layer } from "../../../src/services/sync/SyncConnectLive.ts"
import { answerJson, type Behaviour, stubServer } from "../../support/stubServer.ts"

const token = "ctxp_planted-token-0123456789"
const sha = Sha.make("a".repeat(40))
const head = Sha.make("b".repeat(40))
const path = PagePath.make("wiki/concepts/retry.md")
const http = layer.pipe(Layer.provide(FetchHttpClient.layer))

const pushBody: PushBody & { readonly push_id: string } = {
  push_id: "push-0001",
  message: "m",
  files: [{ path, content: "text\n", parent_sha: sha }]
}

/** A stub that behaves so, and a connection to it. */
const talk = (behave: Behaviour, repo: string | undefined = "acme-api") =>
  Effect.gen(function* () {
    const stub = yield* stubServer(behave)
    const connect = yield* SyncConnect
    return { stub, server: connect.to({ serverUrl: `${stub.url}/`, bearer: Redacted.make(token), repo }) }
  })

const page = (response: ServerResponse, bytes: Uint8Array | string) => {
  response.writeHead(200, { "content-type": "text/markdown; charset=utf-8", "x-page-sha": sha })
  response.end(bytes)
}

const html = "<html><head><title>Sign in</title></head><body>please</body></html>"

describe("requests", () => {
  it.scopedLive("each call asks its route once, with the bearer in its header and nowhere else", () =>
    Effect.gen(function* () {
      const commit = { sha, author: "Dev", email: "dev@example.com", time: "2026-07-05T09:00:00Z", message: "m" }
      const answers: Record<string, unknown> = {
        "GET /v1/me": { id: "1", email: "dev@example.com", name: "Dev" },
        "PATCH /v1/me": { id: "1", email: "dev@example.com", name: "New" },
        "GET /v1/repos": { repos: [{ id: "acme-api", role: "owner", page_count: 2, last_commit: null }] },
        "POST /v1/repos": { id: "fresh", role: "owner" },
        "GET /v1/repos/acme-api/pages": { pages: [{ path, ...commit }] },
        "POST /v1/repos/acme-api/sync/push": { new_head: head, pushed: [{ path, sha: head }], conflicts: null },
        "GET /v1/repos/acme-api/sync/pull": { new_head: head, files: null },
        "GET /v1/repos/acme-api/timeline": { commits: [commit] },
        "GET /v1/repos/acme-api/diff/wiki/concepts/retry.md": {
          from_sha: sha,
          to_sha: head,
          frontmatter: {},
          sections: null
        }
      }
      const { server, stub } = yield* talk((response, { method, url }) =>
        answerJson(response, 200, answers[`${method} ${url.split("?")[0]}`])
      )
      expect((yield* server.me).name).toBe("Dev")
      expect((yield* server.updateMe({ name: "New" })).name).toBe("New")
      expect(yield* server.repos).toEqual([{ id: "acme-api", role: "owner", page_count: 2, last_commit: null }])
      yield* server.createRepo("fresh")
      expect((yield* server.pages).map((one) => one.path)).toEqual([path])
      expect((yield* server.push(pushBody)).new_head).toBe(head)
      expect((yield* server.pull({ since: sha, known: head })).files).toBeNull()
      expect(yield* server.timeline(5)).toEqual([commit])
      expect((yield* server.diff(path, { from: sha, to: head })).sections).toBeNull()
      expect(stub.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
        "GET /v1/me",
        "PATCH /v1/me",
        "GET /v1/repos",
        "POST /v1/repos",
        "GET /v1/repos/acme-api/pages",
        "POST /v1/repos/acme-api/sync/push",
        `GET /v1/repos/acme-api/sync/pull?since=${sha}&known=${head}`,
        "GET /v1/repos/acme-api/timeline?limit=5",
        `GET /v1/repos/acme-api/diff/wiki/concepts/retry.md?from=${sha}&to=${head}`
      ])
      for (const { body, headers, url } of stub.received) {
        expect(headers.authorization).toBe(`Bearer ${token}`)
        expect(url + body).not.toContain(token)
      }
      expect(
        stub.received
          .map(({ body }) => body)
          .filter((body) => body !== "")
          .map((body) => JSON.parse(body))
      ).toEqual([{ name: "New" }, { id: "fresh" }, pushBody])
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("a page's past: each call asks its route, and a server without a page's evolution has none", () =>
    Effect.gen(function* () {
      const commit = { sha, author: "Dev", email: "dev@example.com", time: "2026-07-05T09:00:00Z", message: "m" }
      const answers: Record<string, unknown> = {
        history: { commits: [{ ...commit, deleted: true }], next_cursor: "7" },
        revert: { new_head: head, pushed: [{ path, sha: head }] },
        purge: { new_head: head, purged: 3, still_in: ["wiki/concepts/twin.md"] }
      }
      const { server, stub } = yield* talk((response, { url }) => {
        const answer = answers[url.split("/")[4] ?? ""]
        answerJson(response, answer === undefined ? 404 : 200, answer ?? { error: "page not found" })
      })
      expect(yield* server.history(path, { limit: 3, cursor: "9" })).toEqual({
        commits: [{ ...commit, deleted: true }],
        nextCursor: Option.some("7")
      })
      expect((yield* server.evolution(path, { blame: true, lines: false })).entries).toEqual([])
      expect((yield* server.revert(path, { to: sha, parent: "", push_id: "push-0001" })).new_head).toBe(head)
      expect((yield* server.purge(path, { keepCurrent: true, reason: "leak" })).purged).toBe(3)
      expect(stub.received.map(({ body, method, url }) => [method, url.split("acme-api/")[1], body])).toEqual([
        ["GET", `history/${path}?limit=3&cursor=9`, ""],
        ["GET", `evolution/${path}?blame=true&lines=false`, ""],
        ["POST", `revert/${path}`, JSON.stringify({ to: sha, parent_sha: "", push_id: "push-0001" })],
        ["POST", `purge/${path}`, JSON.stringify({ keep_current: true, reason: "leak" })]
      ])
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("a page at a commit is only taken from a server that knows the question", () =>
    Effect.gen(function* () {
      const { server } = yield* talk((response, { url }, n) => {
        if (n === 0) response.setHeader("x-page-at", new URL(url, "http://x").searchParams.get("at") ?? "")
        page(response, "then\n")
      })
      expect(yield* server.pageAt(path, head)).toEqual(Option.some({ sha, text: "then\n" }))
      expect((yield* Effect.flip(server.pageAt(path, head))).message).toContain("does not tell a page as it was")
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("a pull names the client, and the name cannot break the header", () =>
    Effect.gen(function* () {
      const { server, stub } = yield* talk((response) => answerJson(response, 200, { new_head: head, files: [] }))
      yield* server.pull({})
      yield* server.pull({}).pipe(Effect.provideService(ClientName, "Claude\r\nX-Evil: 1 é"))
      expect(stub.received.map(({ headers }) => headers["x-contexo-client"])).toEqual(["ctx-mcp", "ClaudeX-Evil: 1"])
      expect(stub.received.map(({ url }) => url)).toEqual([
        "/v1/repos/acme-api/sync/pull",
        "/v1/repos/acme-api/sync/pull"
      ])
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("A13: an odd repository id stays one segment, and dots alone are no id", () =>
    Effect.gen(function* () {
      const { server, stub } = yield* talk((response) => answerJson(response, 200, { pages: [] }), "a/../b?c=#d")
      yield* server.pages
      expect(stub.received[0]?.url).toBe("/v1/repos/a%2F..%2Fb%3Fc%3D%23d/pages")
      const dots = yield* talk((response) => answerJson(response, 200, { pages: [] }), "..")
      expect((yield* Effect.flip(dots.server.pages))._tag).toBe("NotConfigured")
      expect(dots.stub.received).toEqual([])
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("a path prefix of the server is kept; an address with a password is refused without showing it", () =>
    Effect.gen(function* () {
      const stub = yield* stubServer((response) => answerJson(response, 403, { error: "no" }))
      const connect = yield* SyncConnect
      const ask = (serverUrl: string) => Effect.flip(connect.to({ serverUrl, bearer: Redacted.make(token) }).me)
      const error = yield* ask(`${stub.url}/team/ctx/`)
      expect(stub.received[0]?.url).toBe("/team/ctx/v1/me")
      expect(error.message).toBe(`${stub.url}/team/ctx/v1/me answered 403: no`)
      const secret = yield* ask(stub.url.replace("//", "//user:secret@"))
      expect(secret.message).toContain("it carries a user name or password")
      expect(secret.message).not.toContain("secret")
      expect(stub.received).toHaveLength(1)
    }).pipe(Effect.provide(http))
  )
})

describe("a page", () => {
  it.scopedLive("A04: comes byte for byte, a byte order mark and CRLF included", () =>
    Effect.gen(function* () {
      const text = "\uFEFF---\r\ntitle: x\r\n---\r\nbody 🟡 \u0000 end"
      const { server } = yield* talk((response) => page(response, text))
      expect(yield* server.page(path)).toEqual(Option.some({ sha, text }))
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("that the server does not have is None", () =>
    Effect.gen(function* () {
      const { server } = yield* talk((response) => answerJson(response, 404, { error: "page not found" }))
      expect(yield* server.page(path)).toEqual(Option.none())
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("A37: behind a login page, without its sha, or not in UTF-8, is no page", () =>
    Effect.gen(function* () {
      const { server } = yield* talk((response, _request, n) => {
        if (n === 0) response.writeHead(200, { "content-type": "text/html", "x-page-sha": sha }).end(html)
        if (n === 1) response.writeHead(200, { "content-type": "text/markdown" }).end("text")
        if (n === 2) page(response, new Uint8Array([0x61, 0xff, 0x62]))
        if (n === 3) response.writeHead(404, { "content-type": "text/html" }).end(html)
      })
      const messages = yield* Effect.replicateEffect(Effect.flip(server.page(path)), 4)
      expect(messages.map(({ _tag }) => _tag)).toEqual([
        "UnexpectedAnswer",
        "UnexpectedAnswer",
        "UnexpectedAnswer",
        "UnexpectedAnswer"
      ])
      expect(messages.map(({ message }) => message.replace(/^.*as a ctx server does \((.*)\)\..*$/, "$1"))).toEqual([
        "text/html: Sign in please",
        "a page without its X-Page-SHA header",
        "its body is not UTF-8",
        "text/html: Sign in please"
      ])
    }).pipe(Effect.provide(http))
  )
})

describe("A37: answers that are not the API's", () => {
  const calls: ReadonlyArray<readonly [string, (server: SyncConnection) => Effect.Effect<unknown, Error>]> = [
    ["me", (server) => server.me],
    ["pages", (server) => server.pages],
    ["push", (server) => server.push(pushBody)],
    ["pull", (server) => server.pull({})],
    ["timeline", (server) => server.timeline(1)],
    ["diff", (server) => server.diff(path, {})]
  ]
  const answers: ReadonlyArray<readonly [string, (response: ServerResponse) => void, string]> = [
    [
      "a gateway's page with 200",
      (r) => r.writeHead(200, { "content-type": "text/html" }).end(html),
      "text/html: Sign in please"
    ],
    ["an empty body", (r) => r.writeHead(200, { "content-type": "application/json" }).end(), "an empty body"],
    ["nothing at all with 204", (r) => r.writeHead(204).end(), "an empty body"],
    [
      "malformed JSON",
      (r) => r.writeHead(200, { "content-type": "application/json" }).end('{"new_head": '),
      "not the JSON of this call"
    ],
    ["other JSON", (r) => answerJson(r, 200, { hello: 1 }), "not the JSON of this call"],
    [
      "a redirect to a login",
      (r) => r.writeHead(302, { location: "https://sso.example/login?next=%2F" }).end(),
      "it redirects to https://sso.example,"
    ]
  ]
  for (const [kind, behave, reason] of answers) {
    it.scopedLive(`${kind} is an UnexpectedAnswer on every call`, () =>
      Effect.gen(function* () {
        const { server, stub } = yield* talk((response) => behave(response))
        for (const [name, call] of calls) {
          const error = yield* Effect.flip(call(server))
          expect(error.name, name).toBe("UnexpectedAnswer")
          expect(error.message, name).toContain(reason)
          expect(error.message, name).toContain(stub.url)
          expect(error.message, name).not.toContain("\n")
        }
        expect(stub.received).toHaveLength(calls.length)
      }).pipe(Effect.provide(http))
    )
  }

  it.scopedLive("a 502 page is refused with a short excerpt of its text, on one line and without terminal codes", () =>
    Effect.gen(function* () {
      const body = `<html>\n<h1>502\u001b[31m Bad\u202e Gateway</h1>\n<PUSH_PAUSED>${"🟡".repeat(500)}</html>`
      const { server, stub } = yield* talk((r) => r.writeHead(502, { "content-type": "text/html" }).end(body))
      const error = yield* Effect.flip(server.createRepo("x"))
      expect(error._tag === "ServerRefused" && error.status).toBe(502)
      expect(error.message).toMatch(/answered 502: 502 Bad Gateway 🟡+…$/u)
      expect(Array.from(error.message.slice(error.message.indexOf("502: ") + 5))).toHaveLength(200)
      expect(stub.received).toHaveLength(1)
    }).pipe(Effect.provide(http))
  )
})

describe("refusals", () => {
  it.scopedLive("401 names the server's reason, 402 gives its sentence alone, others status and sentence", () =>
    Effect.gen(function* () {
      const { server, stub } = yield* talk((response, _request, n) =>
        answerJson(response, [401, 402, 403, 413][n] ?? 500, {
          error: ["invalid API key", "The free plan ends at 5 repositories.", "not a member of this repo", "too large"][
            n
          ],
          code: "some_code",
          limit: 5,
          upgrade_url: "https://pay.example"
        })
      )
      expect((yield* Effect.flip(server.me)).message).toBe(
        `${stub.url}/v1/me refused the token (invalid API key). Run 'ctx login'.`
      )
      expect((yield* Effect.flip(server.push(pushBody))).message).toBe("The free plan ends at 5 repositories.")
      const forbidden = yield* Effect.flip(server.pages)
      expect(forbidden).toMatchObject({ _tag: "ServerRefused", status: 403, code: "some_code" })
      expect(forbidden.message).toBe(`${stub.url}/v1/repos/acme-api/pages answered 403: not a member of this repo`)
      expect(yield* Effect.flip(server.push(pushBody))).toMatchObject({ status: 413, reason: "too large" })
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("409 is an answer to a push, and history that the server does not know to a pull", () =>
    Effect.gen(function* () {
      const conflict = {
        path,
        current_sha: head,
        current_content: "dGV4dA==",
        expected_parent_sha: sha,
        ancestor_content: null
      }
      const { server } = yield* talk((response, { method }, n) =>
        method === "POST"
          ? answerJson(response, 409, { new_head: head, pushed: null, conflicts: [conflict] })
          : answerJson(response, 409, { error: "unknown version", code: n === 1 ? "unknown_history" : "other" })
      )
      expect((yield* server.push(pushBody)).conflicts).toEqual([conflict])
      expect((yield* Effect.flip(server.pull({ since: sha })))._tag).toBe("UnknownHistory")
      expect(yield* Effect.flip(server.pull({ since: sha }))).toMatchObject({ _tag: "ServerRefused", status: 409 })
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("a 409 on push that names no conflict is a refusal, not an answer", () =>
    Effect.gen(function* () {
      const { server } = yield* talk((response) => answerJson(response, 409, { error: "repository is being moved" }))
      expect(yield* Effect.flip(server.push(pushBody))).toMatchObject({
        _tag: "ServerRefused",
        status: 409,
        reason: "repository is being moved"
      })
    }).pipe(Effect.provide(http))
  )
})

describe("trying again", () => {
  it.scopedLive("a read and a push are tried three times, the push under the same push_id", () =>
    Effect.gen(function* () {
      const { server, stub } = yield* talk((response, _request, n) =>
        n < 2
          ? answerJson(response, n === 0 ? 503 : 504, { error: "busy" })
          : answerJson(response, 200, { new_head: head, pushed: [] })
      )
      expect((yield* server.push(pushBody)).new_head).toBe(head)
      expect(stub.received.map(({ body }) => JSON.parse(body).push_id)).toEqual(["push-0001", "push-0001", "push-0001"])
      const down = yield* talk((response) => answerJson(response, 503, { error: "busy" }))
      expect(yield* Effect.flip(down.server.me)).toMatchObject({ status: 503, reason: "busy" })
      expect(down.stub.received).toHaveLength(3)
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("a connection that breaks, before or within the answer, is tried again", () =>
    Effect.gen(function* () {
      const { server, stub } = yield* talk((response, _request, n) => {
        if (n === 0) response.destroy()
        if (n === 1) {
          response.writeHead(200, { "content-type": "application/json", "content-length": "100" })
          response.write('{"new_head":', () => response.destroy())
        }
        if (n === 2) answerJson(response, 200, { new_head: head, files: [] })
      })
      expect((yield* server.pull({})).new_head).toBe(head)
      expect(stub.received).toHaveLength(3)
    }).pipe(Effect.provide(http))
  )

  it.scopedLive(
    "what is not safe to repeat is sent once: creating a repository, changing the user; so is a plain 500",
    () =>
      Effect.gen(function* () {
        const { server, stub } = yield* talk((response, _request, n) =>
          answerJson(response, n === 2 ? 500 : 503, { error: "no" })
        )
        yield* Effect.flip(server.createRepo("x"))
        yield* Effect.flip(server.updateMe({ name: "n" }))
        yield* Effect.flip(server.pull({ since: sha }))
        expect(stub.received).toHaveLength(3)
      }).pipe(Effect.provide(http))
  )

  it.scopedLive("429 waits as long as it says, unless that is too long", () =>
    Effect.gen(function* () {
      const { server, stub } = yield* talk((response, _request, n) =>
        n === 0
          ? answerJson(response, 429, { error: "slow down" }, { "retry-after": "1" })
          : answerJson(response, 200, { repos: null })
      )
      const [elapsed] = yield* Effect.timed(server.repos)
      expect(Duration.toMillis(elapsed)).toBeGreaterThanOrEqual(1_000)
      expect(stub.received).toHaveLength(2)
      const long = yield* talk((response) =>
        answerJson(response, 429, { error: "slow down" }, { "retry-after": "3600" })
      )
      expect(yield* Effect.flip(long.server.repos)).toMatchObject({ status: 429, reason: "slow down" })
      expect(long.stub.received).toHaveLength(1)
      const dated = yield* talk((response) =>
        answerJson(response, 503, { error: "back soon" }, { "retry-after": "Fri, 31 Dec 2999 23:59:59 GMT" })
      )
      expect(yield* Effect.flip(dated.server.repos)).toMatchObject({ status: 503, reason: "back soon" })
      expect(dated.stub.received).toHaveLength(1)
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("nobody there is ServerUnreachable, with the reason in words", () =>
    Effect.gen(function* () {
      const closed = yield* Effect.scoped(
        Effect.map(
          stubServer(() => {}),
          ({ url }) => url
        )
      )
      const connect = yield* SyncConnect
      const to = (serverUrl: string) => Effect.flip(connect.to({ serverUrl, bearer: Redacted.make(token) }).me)
      expect((yield* to(closed)).message).toBe(
        `${closed}/v1/me did not answer (connection refused). Check 'ctx status', or work on: nothing was changed here.`
      )
      expect((yield* to("ftp://files.example")).message).toContain("it must begin with https://")
    }).pipe(Effect.provide(http))
  )
})

const slow = (name: string, behave: (response: ServerResponse) => void) =>
  it.scoped(`A37: ${name} is given up after its time, and not tried again`, () =>
    Effect.gen(function* () {
      const arrived = yield* Queue.unbounded<void>()
      const { server, stub } = yield* talk((response) => {
        behave(response)
        Queue.unsafeOffer(arrived, undefined)
      })
      const calls: ReadonlyArray<readonly [Effect.Effect<unknown, Error>, number]> = [
        [server.me, 10],
        [server.pull({}), 60]
      ]
      for (const [call, seconds] of calls) {
        const fiber = yield* Effect.fork(Effect.map(Effect.flip(call), ({ message }) => message))
        yield* Queue.take(arrived)
        yield* TestClock.adjust(`${seconds - 1} seconds`)
        expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
        yield* TestClock.adjust("1 seconds")
        expect(yield* Fiber.join(fiber)).toContain(`no complete answer within ${seconds} s`)
      }
      expect(stub.received).toHaveLength(2)
    }).pipe(Effect.provide(http))
  )

describe("bounds", () => {
  slow("a server that never answers", () => {})
  slow("a body that never ends", (response) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.write('{"id":')
  })

  it.scopedLive("an endless body is cut off at the bound, without being held", () =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<void>()
      const { server } = yield* talk((response) => {
        response.writeHead(200, { "content-type": "application/json" })
        const more = () => {
          if (response.write(" ".repeat(65_536))) setImmediate(more)
        }
        response.on("drain", more)
        response.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        more()
      })
      const error = yield* Effect.flip(server.me)
      expect(error._tag).toBe("UnexpectedAnswer")
      expect(error.message).toContain("larger than 4194304 bytes")
      yield* Deferred.await(closed)
    }).pipe(Effect.provide(http))
  )
})

const show = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.match(exit, {
    onSuccess: () => "no failure",
    onFailure: (cause) =>
      [
        Cause.pretty(cause, { renderErrorCause: true }),
        JSON.stringify(cause),
        ...Chunk.map(Cause.failures(cause), String)
      ].join("\n")
  })

describe("the token", () => {
  it.scopedLive("does not follow a redirect to another origin, nor to the same", () =>
    Effect.gen(function* () {
      const elsewhere = yield* stubServer((response) => answerJson(response, 200, { id: "1", email: "e", name: "n" }))
      for (const status of [301, 302, 303, 307, 308]) {
        const { server, stub } = yield* talk((response) =>
          response.writeHead(status, { location: `${elsewhere.url}/v1/me?token=x` }).end()
        )
        const error = yield* Effect.flip(server.me)
        expect(error.message).toContain(`it redirects to ${elsewhere.url}, and redirects are not followed`)
        expect(stub.received).toHaveLength(1)
      }
      expect(elsewhere.received).toEqual([])
    }).pipe(Effect.provide(http))
  )

  it.scopedLive("is in no error and no log line, even where the server or the platform repeats it", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make(({ annotations, cause, message }) => {
        lines.push(JSON.stringify([message, Cause.pretty(cause), [...annotations]]))
      })
      const kinds: ReadonlyArray<Behaviour> = [
        (response, { headers }) => answerJson(response, 401, { error: `bad ${headers.authorization}` }),
        (response, { headers }) => answerJson(response, 403, { error: "no", code: `x ${headers.authorization}` }),
        (response, { headers }) =>
          response.writeHead(200, { "content-type": "text/html" }).end(`<p>${headers.authorization}</p>`),
        (response, { headers }) => response.writeHead(500).end(headers.authorization),
        (response, { headers }) => answerJson(response, 200, { id: headers.authorization }),
        (response, { headers }) => response.writeHead(302, { location: `/x?${headers.authorization}` }).end()
      ]
      const seen: Array<string> = []
      const run = Effect.gen(function* () {
        for (const kind of kinds) {
          const { server } = yield* talk(kind)
          seen.push(show(yield* Effect.exit(server.me.pipe(Effect.tapErrorCause(Effect.logError)))))
        }
        const connect = yield* SyncConnect
        const broken = connect.to({ serverUrl: "http://127.0.0.1:1", bearer: Redacted.make(`${token}\nX: y`) })
        seen.push(show(yield* Effect.exit(broken.me.pipe(Effect.tapErrorCause(Effect.logError)))))
        const nobody = connect.to({ serverUrl: "http://127.0.0.1:1", bearer: Redacted.make(token) })
        seen.push(show(yield* Effect.exit(nobody.me.pipe(Effect.tapErrorCause(Effect.logError)))))
      })
      yield* run.pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      expect(seen).toHaveLength(8)
      expect(lines.length).toBeGreaterThanOrEqual(8)
      for (const text of [...seen, ...lines]) expect(text).not.toContain(token)
    }).pipe(Effect.provide(http))
  )
})
