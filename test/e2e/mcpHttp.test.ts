import { describe, expect, it } from "@effect/vitest"
// @ts-types="@modelcontextprotocol/sdk/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
// @ts-types="@modelcontextprotocol/sdk/shared/transport"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Effect, Option } from "effect"
import { spawn } from "node:child_process"
import { request as httpRequest } from "node:http"
import { cleanEnv, ctx, execute, folder, program } from "../support/cli.ts"
import { refusalOf } from "../../src/main/mcp/http/guard.ts"

/** `ctx-mcp --http` in a process of its own, ended with the scope. */
const serving = (cwd: string, env: Readonly<Record<string, string>> = {}, args: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const [file, ...words] = program("ctx-mcp")
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(file, [...words, "--http", "--port", "0", ...args], {
          cwd,
          env: cleanEnv(cwd, env),
          stdio: ["ignore", "pipe", "inherit"]
        })
      ),
      (running) => Effect.sync(() => running.kill("SIGKILL"))
    )
    const url = yield* Effect.async<string>((resume) => {
      child.stdout.once("data", (chunk: Buffer) => resume(Effect.succeed(chunk.toString().trim())))
      child.once("close", (code) => resume(Effect.dieMessage(`ended with ${code} before it was ready`)))
    })
    const stopped = Effect.async<number | null>((resume) => {
      child.once("close", (code) => resume(Effect.succeed(code)))
      child.kill("SIGTERM")
    })
    return { url, stopped }
  })

const project = Effect.gen(function* () {
  const root = yield* folder
  expect((yield* ctx(root, ["init", "--no-mcp"])).code).toBe(0)
  return root
})

/** The SDK's own client, greeted. */
const client = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
    const sdk = new Client({ name: "tester", version: "1" })
    // The SDK types its own transport for looser settings than ours.
    const wire: Transport = Reflect.get({ transport }, "transport")
    yield* Effect.acquireRelease(
      Effect.promise(() => sdk.connect(wire)),
      () => Effect.promise(() => sdk.close())
    )
    const call = (name: string, input: Record<string, unknown>) =>
      Effect.map(
        Effect.promise(() => sdk.callTool({ name, arguments: input })),
        (result) => JSON.stringify(result.content)
      )
    return { sdk, transport, call }
  })

interface Said {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly path?: string
}

/** A request as no client sends it; `fetch` would not let us say which Host. */
const say = (url: string, { body = "", headers = {}, method = "POST", path = "/mcp" }: Said) =>
  Effect.async<{ readonly status: number; readonly text: string; readonly session: string }>((resume) => {
    const { hostname, port } = new URL(url)
    const json = { "content-type": "application/json", accept: "application/json, text/event-stream" }
    const asked = httpRequest({ hostname, port, path, method, headers: { ...json, ...headers } }, (answer) => {
      const chunks: Array<Buffer> = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.on("end", () =>
        resume(
          Effect.succeed({
            status: answer.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            session: String(answer.headers["mcp-session-id"])
          })
        )
      )
    })
    // Refused early, a long body is cut off while it is sent.
    asked.on("error", () => undefined)
    asked.end(body)
  })

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } }
})

describe("ctx-mcp --http", () => {
  it.scopedLive("serves several clients at once, each in its session, all in one project", () =>
    Effect.gen(function* () {
      const { stopped, url } = yield* Effect.flatMap(project, serving)
      const [ada, ben] = [yield* client(url), yield* client(url)]
      expect(ada.transport.sessionId).not.toBe(ben.transport.sessionId)
      const { tools } = yield* Effect.promise(() => ada.sdk.listTools())
      expect(tools.map(({ name }) => name)).toContain("ctx_write_page")
      const page = { slug: "ports", type: "concept", body: "We listen on loopback." }
      expect(yield* ada.call("ctx_write_page", page)).toContain("Wrote wiki/concepts/ports.md")
      expect(yield* ben.call("ctx_read_page", { slug: "ports" })).toContain("We listen on loopback.")

      yield* Effect.promise(() => ada.transport.terminateSession())
      const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" })
      expect((yield* say(url, { headers: { "mcp-session-id": "no-such-session" }, body: list })).status).toBe(404)
      expect((yield* say(url, { body: list })).status).toBe(400)
      // Ben's stream of notifications is open: that keeps no server alive.
      expect(yield* stopped).toBe(0)
    })
  )

  it.scopedLive(
    "speaks the protocol in a session: 202, a batch, the version, an open stream, and 404 after DELETE",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Effect.flatMap(project, serving)
        const session = { "mcp-session-id": (yield* say(url, { body: initialize })).session }
        const inSession = (said: Said) => say(url, { ...said, headers: { ...session, ...said.headers } })
        const list = { jsonrpc: "2.0", id: 2, method: "tools/list" }

        const told = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })
        expect(yield* inSession({ body: told })).toMatchObject({ status: 202, text: "" })
        const both = yield* inSession({ body: JSON.stringify([list, { jsonrpc: "2.0", id: 3, method: "ping" }]) })
        expect(both).toMatchObject({
          status: 200,
          text: expect.stringMatching(/ctx_write_page[^]*"id":3|"id":3[^]*ctx_write_page/)
        })
        const old = { "mcp-protocol-version": "1999-01-01" }
        expect((yield* inSession({ headers: old, body: JSON.stringify(list) })).status).toBe(400)

        // Nothing has happened that it could tell, and it is seen to be open all the same.
        const accept = { ...session, accept: "text/event-stream" }
        const stream = yield* Effect.promise((signal) => fetch(url, { headers: accept, signal }))
        expect(stream.headers.get("content-type")).toBe("text/event-stream")

        expect((yield* inSession({ method: "DELETE" })).status).toBe(200)
        // The stream ends with its session.
        expect(yield* Effect.promise(() => stream.text())).toMatch(/^:\n/)
        expect((yield* inSession({ body: JSON.stringify(list) })).status).toBe(404)
      })
  )

  it.scopedLive("A29: answers no other Host and no other Origin, and reads no body that it will not take", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.flatMap(project, serving)
      const status = (said: Said) => Effect.map(say(url, said), (answer) => answer.status)
      expect(yield* status({ body: initialize })).toBe(200)
      expect(yield* status({ headers: { host: "evil.example" }, body: initialize })).toBe(403)
      expect(yield* status({ headers: { host: "127.0.0.1.evil.example:80" }, body: initialize })).toBe(403)
      expect(yield* status({ headers: { origin: "https://evil.example" }, body: initialize })).toBe(403)
      expect(yield* status({ headers: { origin: "null" }, body: initialize })).toBe(403)
      expect(yield* status({ headers: { origin: "http://localhost:6274" }, body: initialize })).toBe(200)
      expect(yield* status({ path: "/other", body: initialize })).toBe(404)
      expect(yield* status({ body: `{"a":"${"x".repeat(9 * 1024 * 1024)}"}` })).toBe(413)
      expect(yield* say(url, { body: "{" })).toMatchObject({ status: 400, text: expect.stringContaining("-32700") })
      expect(yield* status({ headers: { accept: "text/plain" }, body: initialize })).toBe(406)
    })
  )

  it.scopedLive("asks for its token where there is one, and listens to others than this machine only with one", () =>
    Effect.gen(function* () {
      const root = yield* project
      const { url } = yield* serving(root, { CONTEXO_HTTP_TOKEN: "s3cret" })
      expect((yield* say(url, { body: initialize })).status).toBe(401)
      expect((yield* say(url, { headers: { authorization: "Bearer s3cre" }, body: initialize })).status).toBe(401)
      const { sdk } = yield* client(url, { authorization: "Bearer s3cret" })
      expect(sdk.getServerVersion()?.name).toBe("contexo")

      const open = yield* execute([...program("ctx-mcp"), "--http", "--host", "0.0.0.0", "--port", "0"], { cwd: root })
      expect(open).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("CONTEXO_HTTP_TOKEN") })
      const misused = yield* execute([...program("ctx-mcp"), "--port", "1"], { cwd: root })
      expect(misused).toMatchObject({ code: 2, stderr: expect.stringContaining("go with --http") })
    })
  )
})

describe("who is listened to", () => {
  const claims = { host: "127.0.0.1:4849", origin: undefined, authorization: undefined }
  const status = (changed: Partial<typeof claims>, served = "127.0.0.1") =>
    Option.getOrUndefined(refusalOf({ ...claims, ...changed }, served, Option.none()))?.status

  it.each(["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.2:1", "[::1]:80"])("%s", (host) =>
    expect(status({ host })).toBeUndefined()
  )
  it.each(["", "evil.example", "localhost.evil.example", "127.0.0.1@evil.example", "a b"])("not %s", (host) =>
    expect(status({ host })).toBe(403)
  )
  it("the host that is served", () => {
    expect(status({ host: "wiki.lan:1" }, "wiki.lan")).toBeUndefined()
  })
})
