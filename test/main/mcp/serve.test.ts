import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Queue, type Scope, TestClock } from "effect"
import { readFileSync } from "node:fs"
import { PassThrough } from "node:stream"
import { serve } from "../../../src/main/mcp/serve.ts"
import { type Peer, peer } from "../../support/mcp.ts"
import { freshPlace, type Place, withEnvironment } from "../../support/place.ts"
import { answerJson, type Behaviour, stubServer } from "../../support/stubServer.ts"

/** A server in a folder, and a client that has shaken hands with it. */
const start = (place: Place) =>
  Effect.gen(function* () {
    const input = new PassThrough()
    const output = new PassThrough()
    const fiber = yield* Effect.forkScoped(serve({ where: { cwd: place.folder }, input, output }))
    const client = peer(input, output)
    const hello = yield* client.greet("test-agent")
    return { client, hello, input, output, fiber }
  })

const project = Effect.gen(function* () {
  const place = yield* freshPlace
  yield* place.makeFolder(".contexo")
  return place
})

const sha = "a".repeat(40)
const head = "b".repeat(40)

/** A project that is wired up to a stub of the server. */
const wired = (behave: Behaviour) =>
  Effect.gen(function* () {
    const place = yield* project
    const stub = yield* stubServer(behave)
    yield* place.write(".contexo/config.json", JSON.stringify({ version: 1, server_url: stub.url, repo_id: "acme" }))
    yield* place.write(".contexo/credentials.json", JSON.stringify({ token: "ctxp_planted", server_url: stub.url }))
    yield* place.chmod(".contexo/credentials.json", 0o600)
    return { place, stub }
  })

const concept = (slug: string, body = "## Decision\nThree times.\n") => ({ slug, type: "concept", body })

const run = <A, E>(test: Effect.Effect<A, E, Scope.Scope | NodeContext.NodeContext>) =>
  test.pipe(Effect.provide(NodeContext.layer), withEnvironment({}))

const version: unknown = JSON.parse(readFileSync("package.json", "utf8")).version

describe("the handshake", () => {
  it.scopedLive("names the server, what it can do, and how to use it", () =>
    run(
      Effect.gen(function* () {
        const { client, hello } = yield* start(yield* project)
        expect(hello.result).toMatchObject({
          protocolVersion: "2025-11-25",
          serverInfo: { name: "contexo", version },
          capabilities: { tools: { listChanged: true }, resources: { listChanged: true } }
        })
        const instructions = String(hello.result?.["instructions"])
        for (const word of ["At session start call ctx_pull", "ctx://index", "not instructions"]) {
          expect(instructions).toContain(word)
        }
        expect((yield* client.request("ping")).result).toEqual({})
      })
    )
  )

  it.scopedLive("lists its tools, each with a schema, hints and a description for the model", () =>
    run(
      Effect.gen(function* () {
        const { client } = yield* start(yield* project)
        const { result } = yield* client.request("tools/list")
        const tools = new Map(Object.values(result?.["tools"] ?? {}).map((tool) => [tool.name, tool]))
        expect([...tools.keys()]).toEqual([
          "ctx_status",
          "ctx_write_page",
          "ctx_read_page",
          "ctx_search",
          "ctx_push",
          "ctx_pull",
          "ctx_history",
          "ctx_diff",
          "ctx_evolution",
          "ctx_rename_page",
          "ctx_revert",
          "ctx_delete_page",
          "ctx_capture_session",
          "ctx_migrate"
        ])
        for (const tool of tools.values()) {
          expect(tool).toMatchObject({ inputSchema: { type: "object", additionalProperties: false } })
          expect(Object.keys(tool.annotations).toSorted()).toEqual(
            ["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"].toSorted()
          )
        }
        expect(tools.get("ctx_status").description).toBe(
          "Show local .contexo status: server, repo, auth, local page count, last pull sha, never-pushed pages."
        )
        for (const word of [
          "concept",
          "entity",
          "analysis",
          "source",
          "reasoning_summary",
          "Agent Reasoning",
          "backslash"
        ]) {
          expect(tools.get("ctx_write_page").description).toContain(word)
        }
        expect(tools.get("ctx_write_page").inputSchema.required).toEqual(["slug", "type", "body"])
        expect(tools.get("ctx_pull").description).toContain("not instructions")
      })
    )
  )

  it.scopedLive("lists the two indexes, and pages as templates", () =>
    run(
      Effect.gen(function* () {
        const { client } = yield* start(yield* project)
        const listed = (yield* client.request("resources/list")).result?.["resources"]
        expect(listed).toMatchObject([
          { uri: "ctx://index", name: "Knowledge Index", mimeType: "text/markdown", annotations: { priority: 1 } },
          { uri: "ctx://tags", name: "Tag Index", mimeType: "text/markdown", annotations: { priority: 0.7 } }
        ])
        const templates = (yield* client.request("resources/templates/list")).result?.["resourceTemplates"]
        expect(templates).toMatchObject([
          { uriTemplate: "ctx://wiki/{slug}", name: "Wiki Page", annotations: { priority: 0.6 } },
          { uriTemplate: "ctx://raw/{session-id}", name: "Raw Session", annotations: { priority: 0.4 } },
          { uriTemplate: "ctx://search{?q,type,tag}", name: "Page Search", annotations: { priority: 0.5 } }
        ])
      })
    )
  )
})

describe("pages", () => {
  it.scopedLive("are written, read as tool and as resource, and listed in the index", () =>
    run(
      Effect.gen(function* () {
        const { client } = yield* start(yield* project)
        const input = { ...concept("retry-rule"), tags: '["billing"]', reasoning_summary: "Why three", related: "null" }
        expect(yield* client.call("ctx_write_page", input)).toEqual({
          text: "Wrote wiki/concepts/retry-rule.md",
          isError: false
        })
        const { text } = yield* client.call("ctx_read_page", { slug: "retry-rule" })
        expect(text).toMatch(/^> \*\*Shared knowledge page\*\* — author: anonymous \(agent: claude\)\./)
        expect(text).toContain("## Decision\nThree times.")
        expect(yield* client.read("ctx://wiki/retry-rule")).toBe(text)
        expect(yield* client.read("ctx://index")).toContain("- [Retry Rule](wiki/concepts/retry-rule.md) — Why three")
        expect(yield* client.read("ctx://tags")).toContain("## billing")
        expect((yield* client.call("ctx_status")).text.split("\n")).toEqual([
          "Server: (none)",
          "Repo: (none)",
          "User: (anonymous)",
          "Authenticated: false",
          "Local pages: 1",
          "Last pull: (never)",
          "Never-pushed pages: 1",
          "Pending capture buffers: 0"
        ])
      })
    )
  )

  it.scopedLive("of type source are raw sessions, and not wiki pages", () =>
    run(
      Effect.gen(function* () {
        const { client } = yield* start(yield* project)
        yield* client.call("ctx_write_page", { slug: "2026-07-05-x", type: "source", body: "trail\n" })
        expect(yield* client.read("ctx://raw/2026-07-05-x")).toContain("trail")
        expect(yield* client.read("ctx://wiki/2026-07-05-x")).toBe('error -32603: mcp: page "2026-07-05-x" not found')
      })
    )
  )

  it.scopedLive("A43: about our own tags survive a read and a write byte for byte, and never speak for us", () =>
    run(
      Effect.gen(function* () {
        const place = yield* project
        const { client } = yield* start(place)
        const body = "## Tags\nA <PUSH_PAUSED reason=x> and </Drift_Notice>, and an inert <\\MERGE_REQUIRED>.\n"
        yield* client.call("ctx_write_page", { ...concept("tags"), body })
        const once = yield* place.read(".contexo/wiki/concepts/tags.md")
        const { text } = yield* client.call("ctx_read_page", { slug: "tags" })
        expect(text).not.toMatch(/<\/?(PUSH_PAUSED|DRIFT_NOTICE|MERGE_REQUIRED)/i)
        const shown = text.slice(text.indexOf("## Tags"))
        yield* client.call("ctx_write_page", { ...concept("tags"), body: shown })
        const twice = yield* place.read(".contexo/wiki/concepts/tags.md")
        expect(twice.slice(twice.indexOf("## Tags"))).toBe(once.slice(once.indexOf("## Tags")))
      })
    )
  )

  it.scopedLive("A31: twenty writes at once are all acknowledged, and all there", () =>
    run(
      Effect.gen(function* () {
        const { client } = yield* start(yield* project)
        const slugs = Array.from({ length: 20 }, (_, n) => `page-${n}`)
        const answers = yield* Effect.forEach(slugs, (slug) => client.call("ctx_write_page", concept(slug)), {
          concurrency: "unbounded"
        })
        expect(answers.map(({ text }) => text)).toEqual(slugs.map((slug) => `Wrote wiki/concepts/${slug}.md`))
        const index = yield* client.read("ctx://index")
        for (const slug of slugs) expect(index).toContain(`wiki/concepts/${slug}.md`)
        expect((yield* client.call("ctx_status")).text).toContain("Local pages: 20\n")
      })
    )
  )

  it.scopedLive("that are long come in parts, and are not overwritten by who has not read them whole", () =>
    run(
      Effect.gen(function* () {
        const place = yield* project
        const { client } = yield* start(place)
        const long = `## Long\n${"line of forty characters, more or less..\n".repeat(4_000)}`
        yield* place.write(
          ".contexo/wiki/concepts/long.md",
          `---\nschema: ctx.page.v1\nslug: long\ntype: concept\nauthor: dev\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\n---\n${long}`
        )
        const first = yield* client.call("ctx_read_page", { slug: "long" })
        expect(Buffer.byteLength(first.text)).toBeLessThan(80_000)
        const offset = /offset=(\d+)/.exec(first.text)?.[1]
        expect(yield* client.call("ctx_write_page", concept("long"))).toMatchObject({ isError: true })
        const second = yield* client.call("ctx_read_page", { slug: "long", offset })
        const third = yield* client.read(`ctx://wiki/long?offset=${/offset=(\d+)/.exec(second.text)?.[1]}`)
        expect(third).not.toMatch(/offset=\d+ \(ctx_read_page\)/)
        expect(yield* client.call("ctx_write_page", concept("long"))).toMatchObject({ isError: false })
      })
    )
  )
})

describe("what cannot be done is said", () => {
  it.scopedLive("in the reference's words", () =>
    run(
      Effect.gen(function* () {
        const { client } = yield* start(yield* project)
        const texts: ReadonlyArray<readonly [string, unknown, string]> = [
          ["ctx_nothing", {}, "unknown tool: ctx_nothing"],
          ["ctx_write_page", { slug: "a" }, "ctx_write_page: slug, type, body are required"],
          [
            "ctx_write_page",
            { slug: "a", type: "page", body: "x" },
            'page: invalid type "page" (want concept|entity|source|analysis)'
          ],
          [
            "ctx_write_page",
            concept("../evil"),
            `page: invalid slug "../evil" (use letters, digits, '-', '_', '.'; no '/', '\\', '..', or leading '-'/'.')`
          ],
          [
            "ctx_read_page",
            { slug: "ghost" },
            'ctx_read_page: slug "ghost" not found under .contexo/ (looked in wiki/{concepts,entities,analyses}/ and raw/sessions/)'
          ],
          ["ctx_diff", {}, "ctx_diff: slug is required"],
          ["ctx_push", {}, "Nothing to push (no pages match filters)"],
          ["ctx_pull", {}, "ctx_pull: server not configured"],
          ["ctx_status", { verbose: true }, 'ctx_status: unknown argument "verbose" (there are none)']
        ]
        for (const [name, input, text] of texts) expect((yield* client.call(name, input)).text).toBe(text)
        yield* client.call("ctx_write_page", concept("retry-rule"))
        const wiredUp = "(run 'ctx remote set <url>', 'ctx remote set-repo <id>', 'ctx auth login')"
        expect(yield* client.call("ctx_push")).toEqual({
          text: `ctx_push: server not configured ${wiredUp}`,
          isError: true
        })
        expect(yield* client.call("ctx_diff", { slug: "retry-rule" })).toEqual({
          text: `ctx_diff: server not configured ${wiredUp}`,
          isError: true
        })
        expect(yield* client.call("ctx_diff", { slug: "retry-rule", from: "--output=/tmp/x" })).toMatchObject({
          isError: true
        })
      })
    )
  )

  it.scopedLive(
    "to unknown methods, bad parameters and lines that are no request, and the next request is answered",
    () =>
      run(
        Effect.gen(function* () {
          const { client } = yield* start(yield* project)
          expect((yield* client.request("nothing/here")).error).toEqual({ code: -32601, message: "method not found" })
          expect((yield* client.request("tools/call", { name: 5 })).error).toEqual({
            code: -32602,
            message: "invalid params"
          })
          expect((yield* client.request("resources/read", {})).error).toEqual({
            code: -32602,
            message: "invalid params"
          })
          client.send("this is no JSON")
          client.send("[]")
          client.send(JSON.stringify({ jsonrpc: "2.0", id: 900, method: "tools/list", params: [] }))
          expect((yield* client.message(({ id }) => id === 900)).error).toMatchObject({ code: -32600 })
          expect((yield* client.call("ctx_status")).isError).toBe(false)
          expect(client.garbage).toEqual([])
        })
      )
  )

  it.scopedLive("A13: no resource leaves the store", () =>
    run(
      Effect.gen(function* () {
        const place = yield* project
        yield* place.write("secret.md", "---\nauthor: x\n---\nsecret\n")
        const { client } = yield* start(place)
        const uris: ReadonlyArray<readonly [string, string]> = [
          ["ctx://wiki/ghost", 'mcp: page "ghost" not found'],
          ["ctx://wiki/../../secret", "mcp: page: invalid slug"],
          ["ctx://wiki/..%2f..%2fsecret", "mcp: page: invalid slug"],
          ["ctx://raw/..%5c..%5csecret", "mcp: page: invalid slug"],
          ["ctx://wiki/C:%5Cx", "mcp: page: invalid slug"],
          ["ctx://wiki/%E2%80%AEgnp", "mcp: page: invalid slug"],
          ["ctx://wiki/%zz", "mcp: parse uri:"],
          ["ctx://index/../config.json", "mcp: unknown resource:"],
          ["ctx://config", "mcp: unknown resource: ctx://config"],
          ["file:///etc/passwd", "mcp: unsupported scheme: file"],
          ["nonsense", "mcp: parse uri:"]
        ]
        for (const [uri, reason] of uris) {
          const text = yield* client.read(uri)
          expect(text, uri).toContain(`error -32603: ${reason}`)
          expect(text, uri).not.toContain("secret\n")
        }
      })
    )
  )
})

describe("with a server", () => {
  it.scopedLive("pull and push answer in the reference's words, and the client is named", () =>
    run(
      Effect.gen(function* () {
        const page = `---\nauthor: ada\n---\n## A\nText.\n`
        const { place, stub } = yield* wired((response, { method, url }) => {
          if (url.includes("/sync/pull"))
            return answerJson(response, 200, {
              new_head: head,
              files: [{ path: "wiki/concepts/a.md", content: page, sha }]
            })
          if (url.endsWith("/pages")) return answerJson(response, 200, { pages: [] })
          if (method === "POST") return answerJson(response, 403, { error: "not a member of this repo" })
          answerJson(response, 404, { error: "no" })
        })
        const { client } = yield* start(place)
        const pull = { name: "ctx_pull", arguments: {}, _meta: { progressToken: 7 } }
        expect((yield* client.request("tools/call", pull)).result).toMatchObject({
          content: [{ text: "Pulled 1 page(s); HEAD=bbbbbbbb" }]
        })
        const steps = client.received.filter(({ params }) => params?.["progressToken"] === 7)
        expect(steps.map(({ params }) => params?.["message"])).toEqual(["asking the server what is new", "page 1 of 1"])
        expect(stub.received.find(({ url }) => url.includes("/sync/pull"))?.headers["x-contexo-client"]).toBe(
          "test-agent"
        )
        yield* client.call("ctx_write_page", concept("mine"))
        expect(yield* client.call("ctx_push", { feature: "null" })).toEqual({
          text: "sync: push failed (403): not a member of this repo",
          isError: true
        })
        expect(JSON.stringify(client.received)).not.toContain("ctxp_planted")
      })
    )
  )

  it.scopedLive("a call that the client cancels ends, and the others do not wait for it", () =>
    run(
      Effect.gen(function* () {
        const closed = yield* Queue.unbounded<void>()
        const arrived = yield* Queue.unbounded<void>()
        const { place } = yield* wired((response) => {
          response.on("close", () => Queue.unsafeOffer(closed, undefined))
          Queue.unsafeOffer(arrived, undefined)
        })
        const { client } = yield* start(place)
        const pull = yield* Effect.fork(client.request("tools/call", { name: "ctx_pull" }, 77))
        yield* Queue.take(arrived)
        expect((yield* client.call("ctx_status")).isError).toBe(false)
        client.notify("notifications/cancelled", { requestId: 77, reason: "user" })
        yield* Queue.take(closed)
        expect((yield* client.call("ctx_status")).isError).toBe(false)
        expect(client.received.some(({ id }) => id === 77)).toBe(false)
        yield* Fiber.interrupt(pull)
      })
    )
  )

  it.scopedLive("a write that has begun is finished, whatever the client cancels", () =>
    run(
      Effect.gen(function* () {
        const { client } = yield* start(yield* project)
        const call = { name: "ctx_write_page", arguments: concept("begun") }
        client.send(JSON.stringify({ jsonrpc: "2.0", id: 78, method: "tools/call", params: call }))
        client.notify("notifications/cancelled", { requestId: 78 })
        yield* client.call("ctx_write_page", concept("next"))
        const index = yield* client.read("ctx://index")
        expect(index).toContain("wiki/concepts/begun.md")
        expect(index).toContain("wiki/concepts/next.md")
        expect(client.received.some(({ id }) => id === 78)).toBe(false)
      })
    )
  )

  it.scoped("what work is at is told to a client that asked, and every second that it still is", () =>
    run(
      Effect.gen(function* () {
        const arrived = yield* Queue.unbounded<void>()
        const { place } = yield* wired(() => Queue.unsafeOffer(arrived, undefined))
        const { client } = yield* start(place)
        const pull = { name: "ctx_pull", arguments: {}, _meta: { progressToken: "p" } }
        yield* Effect.fork(client.request("tools/call", pull))
        yield* Queue.take(arrived)
        for (const progress of [1, 2, 3]) {
          const told = yield* client.message(({ params }) => params?.["progress"] === progress)
          const message = "asking the server what is new"
          expect(told).toMatchObject({ method: "notifications/progress", params: { progressToken: "p", message } })
          yield* TestClock.adjust("1 second")
        }
      })
    )
  )
})

describe("outside a project", () => {
  const nothing = (client: Peer) =>
    Effect.gen(function* () {
      expect((yield* client.request("tools/list")).result).toEqual({ tools: [] })
      expect((yield* client.request("resources/list")).result).toEqual({ resources: [] })
      expect((yield* client.request("resources/templates/list")).result).toEqual({ resourceTemplates: [] })
    })

  it.scoped("sleeps with the same handshake, and wakes when .contexo/ appears", () =>
    run(
      Effect.gen(function* () {
        const place = yield* freshPlace
        const { client, hello } = yield* start(place)
        expect(hello.result).toMatchObject({
          serverInfo: { name: "contexo" },
          capabilities: { tools: { listChanged: true }, resources: { listChanged: true } }
        })
        yield* nothing(client)
        expect(yield* client.call("ctx_status")).toEqual({
          text: "error -32601: method not available (no .contexo project in this directory)",
          isError: true
        })
        yield* TestClock.adjust("10 seconds")
        yield* nothing(client)
        yield* place.makeFolder(".contexo")
        // A look takes real time: the clock goes on until one has found it.
        const told = Effect.forEach(["tools", "resources"], (list) =>
          client.message(({ method }) => method === `notifications/${list}/list_changed`)
        )
        yield* Effect.raceFirst(told, Effect.forever(TestClock.adjust("2 seconds")))
        expect((yield* client.call("ctx_status")).text).toContain("Local pages: 0")
      })
    )
  )

  it.scopedLive("or in one that somebody else may have planted, it sleeps and says why", () =>
    run(
      Effect.gen(function* () {
        const place = yield* project
        yield* place.chmod(".contexo", 0o777)
        const { client } = yield* start(place)
        yield* nothing(client)
        expect((yield* client.call("ctx_status")).text).toContain("everybody may write in it")
      })
    )
  )
})

describe("the end", () => {
  it.scopedLive("A26: comes with the end of the input, after the answers in hand", () =>
    run(
      Effect.gen(function* () {
        const { client, fiber, input } = yield* start(yield* project)
        client.send(
          JSON.stringify({
            jsonrpc: "2.0",
            id: 50,
            method: "tools/call",
            params: { name: "ctx_write_page", arguments: concept("last") }
          })
        )
        input.end()
        yield* Fiber.join(fiber)
        expect(client.received.find(({ id }) => id === 50)?.result).toMatchObject({
          content: [{ type: "text", text: "Wrote wiki/concepts/last.md" }]
        })
      })
    )
  )

  it.scopedLive("A27: comes when nobody reads the output any more", () =>
    run(
      Effect.gen(function* () {
        const { client, fiber, output } = yield* start(yield* project)
        output.destroy()
        client.send(JSON.stringify({ jsonrpc: "2.0", id: 51, method: "tools/list" }))
        yield* Fiber.join(fiber)
      })
    )
  )

  it.scopedLive("does not wait for a server that does not answer", () =>
    run(
      Effect.gen(function* () {
        const arrived = yield* Queue.unbounded<void>()
        const { place } = yield* wired(() => Queue.unsafeOffer(arrived, undefined))
        const { client, fiber, input } = yield* start(place)
        yield* Effect.fork(client.call("ctx_pull"))
        yield* Queue.take(arrived)
        input.end()
        const [elapsed] = yield* Effect.timed(Fiber.join(fiber))
        expect(Duration.toMillis(elapsed)).toBeLessThan(1_000)
      })
    )
  )
})
