import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Effect, Option } from "effect"
import { spawn } from "node:child_process"
import { cleanEnv, execute } from "../support/cli.ts"
import { mcpCommand, mcpProcess, oneSecond } from "../support/mcp.ts"
import { freshPlace } from "../support/place.ts"

const project = Effect.gen(function* () {
  const place = yield* freshPlace
  yield* place.makeFolder(".contexo")
  return place
}).pipe(Effect.provide(NodeContext.layer))

const page = (slug: string, body = "## Decision\nThree times.\n") => ({ slug, type: "concept", body })
const call = (id: number, name: string, input: object) =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } })

describe("ctx-mcp as a process", () => {
  it.scopedLive("serves the official client", () =>
    Effect.gen(function* () {
      const place = yield* project
      const client = new Client({ name: "official", version: "1.0.0" })
      const [command, ...args] = mcpCommand()
      const transport = new StdioClientTransport({
        command,
        args,
        cwd: place.folder,
        env: cleanEnv(place.folder)
      })
      yield* Effect.acquireRelease(
        Effect.promise(() => client.connect(transport)),
        () => Effect.promise(() => client.close())
      )
      const { tools } = yield* Effect.promise(() => client.listTools())
      expect(tools.map(({ name }) => name)).toContain("ctx_write_page")
      const wrote = yield* Effect.promise(() =>
        client.callTool({ name: "ctx_write_page", arguments: page("official") })
      )
      expect(wrote.content).toEqual([{ type: "text", text: "Wrote wiki/concepts/official.md" }])
      const read = yield* Effect.promise(() => client.readResource({ uri: "ctx://wiki/official" }))
      expect(read.contents[0]).toMatchObject({ uri: "ctx://wiki/official", mimeType: "text/markdown" })
      const { resourceTemplates } = yield* Effect.promise(() => client.listResourceTemplates())
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        "ctx://wiki/{slug}",
        "ctx://raw/{session-id}",
        "ctx://search{?q,type,tag}"
      ])
    })
  )

  it.scopedLive("A25: writes JSON-RPC to stdout and nothing else, whatever its dependencies print", () =>
    Effect.gen(function* () {
      const place = yield* project
      // Stands for a dependency that prints whenever it can, in every way, once the server has begun to load.
      yield* place.write(
        "chatty.mjs",
        [
          "const { console: first } = globalThis, { write } = process.stdout",
          "setInterval(() => {",
          "  if (console === first || process.stdout.write === write) return",
          "  console.log('chatty log'); console.info('chatty info'); console.table(['chatty table'])",
          "  process.stdout.write('chatty write\\n'); process.emitWarning('chatty warning')",
          "}, 2).unref()"
        ].join("\n")
      )
      const { child, exited, peer, stderr } = yield* mcpProcess(place.folder, {
        env: { CTX_DEBUG: "1" },
        preload: place.at("chatty.mjs")
      })
      yield* peer.greet()
      const slugs = Array.from({ length: 10 }, (_, n) => `page-${n}`)
      yield* Effect.forEach(slugs, (slug) => peer.call("ctx_write_page", page(slug)), { concurrency: "unbounded" })
      yield* peer.read("ctx://wiki/page-0")
      peer.send("no JSON")
      child.stdin.end()
      expect((yield* exited).code).toBe(0)
      expect(peer.garbage).toEqual([])
      const log = stderr.join("")
      for (const text of ["log", "info", "table", "write", "warning"]) expect(log).toContain(`chatty ${text}`)
      expect(log).toContain("a line was not JSON")
    })
  )
})

describe("A26: a client that dies takes its server with it", () => {
  it.scopedLive("no input at all: exit 0, nothing on stdout", () =>
    Effect.gen(function* () {
      const place = yield* project
      const finished = yield* execute(mcpCommand(), { cwd: place.folder })
      expect(finished).toMatchObject({ code: 0, stdout: "" })
    })
  )

  it.scopedLive("end of input: exit 0 within a second, the write in hand on disk and acknowledged", () =>
    Effect.gen(function* () {
      const place = yield* project
      const { child, exited, peer } = yield* mcpProcess(place.folder)
      yield* peer.greet()
      const body = `## Long\n${"x".repeat(80)}\n`.repeat(20_000)
      const second = yield* oneSecond
      peer.send(call(100, "ctx_write_page", page("in-hand", body)))
      const before = performance.now()
      child.stdin.end()
      const { at, code } = yield* exited
      expect(code).toBe(0)
      expect(at - before).toBeLessThan(second)
      expect((yield* place.read(".contexo/wiki/concepts/in-hand.md")).endsWith(body)).toBe(true)
      expect(peer.received.some(({ id }) => id === 100)).toBe(true)
    })
  )

  it.scopedLive("kill -9 of the client's process: the server is gone within a second", () =>
    Effect.gen(function* () {
      const place = yield* project
      // A client that starts the server and is then killed. Both hold the other end of a pipe to here: it closes when
      // the last of them is gone.
      const [file, ...args] = mcpCommand()
      yield* place.write(
        "client.mjs",
        [
          "import { spawn } from 'node:child_process'",
          `const stdio = ['pipe', 'pipe', 'ignore', 3]`,
          `const server = spawn(${JSON.stringify(file)}, ${JSON.stringify(args)}, { stdio })`,
          "server.stdout.once('data', (answer) => process.stdout.write(answer))",
          "server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) + '\\n')",
          "setInterval(() => {}, 1000)"
        ].join("\n")
      )
      const client = spawn(process.execPath, [place.at("client.mjs")], {
        cwd: place.folder,
        env: cleanEnv(place.folder),
        stdio: ["ignore", "pipe", "ignore", "pipe"]
      })
      const answer = yield* Effect.async<string>((resume) => {
        client.stdout?.once("data", (text: Buffer) => resume(Effect.succeed(text.toString())))
      })
      expect(JSON.parse(answer)).toEqual({ jsonrpc: "2.0", id: 1, result: {} })
      const second = yield* oneSecond
      const gone = Effect.async<void>((resume) => {
        client.stdio[3]?.once("close", () => resume(Effect.void))
        client.stdio[3]?.on("data", () => undefined)
      })
      client.kill("SIGKILL")
      expect(Option.isSome(yield* Effect.timeoutOption(gone, second))).toBe(true)
    })
  )

  it.scopedLive("SIGTERM: exit 0", () =>
    Effect.gen(function* () {
      const place = yield* project
      const { child, exited, peer } = yield* mcpProcess(place.folder)
      yield* peer.greet()
      child.kill("SIGTERM")
      expect((yield* exited).code).toBe(0)
    })
  )
})

describe("A27: nobody reads any more", () => {
  it.scopedLive("the server ends quietly with 0", () =>
    Effect.gen(function* () {
      const place = yield* project
      const { child, exited, peer, stderr } = yield* mcpProcess(place.folder)
      yield* peer.greet()
      child.stdout.destroy()
      for (let id = 200; id < 210; id++) peer.send(call(id, "ctx_status", {}))
      expect((yield* exited).code).toBe(0)
      expect(stderr.join("")).toBe("")
    })
  )
})

describe("a line of more than 10 MiB", () => {
  it.scopedLive("is refused by its id, and the server goes on", () =>
    Effect.gen(function* () {
      const place = yield* project
      const { peer } = yield* mcpProcess(place.folder)
      yield* peer.greet()
      peer.send(call(300, "ctx_write_page", page("huge", "x".repeat(10 * 1024 * 1024))))
      expect((yield* peer.message(({ id }) => id === 300)).error).toEqual({
        code: -32600,
        message: "a line of more than 10485760 bytes was left unread; send less at once"
      })
      expect((yield* peer.call("ctx_status")).text).toContain("Local pages: 0")
    })
  )
})

describe("outside a project", () => {
  it.scopedLive("the server sleeps, wakes when .contexo/ appears, and says so", () =>
    Effect.gen(function* () {
      const place = yield* Effect.provide(freshPlace, NodeContext.layer)
      const { peer } = yield* mcpProcess(place.folder)
      yield* peer.greet()
      expect((yield* peer.request("tools/list")).result).toEqual({ tools: [] })
      yield* place.makeFolder(".contexo")
      yield* peer.message(({ method }) => method === "notifications/tools/list_changed")
      yield* peer.message(({ method }) => method === "notifications/resources/list_changed")
      expect((yield* peer.call("ctx_write_page", page("awake"))).text).toBe("Wrote wiki/concepts/awake.md")
    })
  )

  it.scopedLive("--root names the project", () =>
    Effect.gen(function* () {
      const place = yield* project
      const elsewhere = yield* Effect.provide(freshPlace, NodeContext.layer)
      const { peer } = yield* mcpProcess(elsewhere.folder, { args: [`--root=${place.folder}`] })
      yield* peer.greet()
      expect((yield* peer.call("ctx_write_page", page("rooted"))).isError).toBe(false)
      expect(yield* place.exists(".contexo/wiki/concepts/rooted.md")).toBe(true)
    })
  )
})

describe("the command line of ctx-mcp", () => {
  it.scopedLive("help, version, a hook that is silent, and bad usage", () =>
    Effect.gen(function* () {
      const place = yield* project
      const run = (...args: ReadonlyArray<string>) =>
        execute([...mcpCommand(), ...args], { cwd: place.folder, stdin: "{}" })
      expect(yield* run("--help")).toMatchObject({
        code: 0,
        stderr: "",
        stdout: expect.stringContaining("Usage: ctx-mcp [--root DIR]")
      })
      expect(yield* run("--version")).toMatchObject({
        code: 0,
        stderr: "",
        stdout: expect.stringMatching(/^ctx-mcp \d+\.\d+\.\d+\n$/)
      })
      expect(yield* run("hook", "--agent", "claude")).toEqual({ code: 0, stderr: "", stdout: "" })
      expect(yield* run("sevre")).toEqual({
        code: 2,
        stdout: "",
        stderr: "ctx-mcp: unexpected sevre. See 'ctx-mcp --help'.\n"
      })
      expect(yield* run("--root")).toMatchObject({ code: 2, stdout: "" })
    })
  )
})
