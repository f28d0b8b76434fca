import { Deferred, Effect, FiberId } from "effect"
import { spawn } from "node:child_process"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Readable, Writable } from "node:stream"
import { cleanEnv, execute, program } from "./cli.ts"

export interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string }
}

/** An MCP client that sees every line, right or wrong. */
export interface Peer {
  /** Everything that came, in order. */
  readonly received: Array<Message>
  /** Lines that were no JSON. */
  readonly garbage: Array<string>
  /** Sends a line as it is; the newline is added. */
  readonly send: (line: string) => void
  readonly notify: (method: string, params?: object) => void
  readonly request: (method: string, params?: object, id?: number) => Effect.Effect<Message>
  /** Waits for a message, also for one that has come already. */
  readonly message: (wanted: (message: Message) => boolean) => Effect.Effect<Message>
  readonly call: (name: string, input?: unknown) => Effect.Effect<{ readonly text: string; readonly isError: boolean }>
  readonly read: (uri: string) => Effect.Effect<string>
  /** Initialises as the given client. */
  readonly greet: (client?: string) => Effect.Effect<Message>
}

export const peer = (input: Writable, output: Readable): Peer => {
  const received: Array<Message> = []
  const garbage: Array<string> = []
  const waiting = new Set<() => void>()
  let text = ""
  let nextId = 1
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (text + chunk).split("\n")
    text = lines.pop() ?? ""
    for (const line of lines) {
      try {
        received.push(JSON.parse(line))
      } catch {
        garbage.push(line)
      }
    }
    for (const look of waiting) look()
  })
  // A server that has gone is what some tests are about.
  input.on("error", () => undefined)

  const send = (line: string) => void input.write(`${line}\n`)
  const message = (wanted: (message: Message) => boolean) =>
    Effect.async<Message>((resume) => {
      const look = () => {
        const found = received.find(wanted)
        if (found === undefined) return
        waiting.delete(look)
        resume(Effect.succeed(found))
      }
      waiting.add(look)
      look()
    })
  const request: Peer["request"] = (method, params = {}, id = nextId++) =>
    Effect.suspend(() => {
      send(JSON.stringify({ jsonrpc: "2.0", id, method, params }))
      return message((one) => one.id === id && one.method === undefined)
    })
  const notify: Peer["notify"] = (method, params = {}) => send(JSON.stringify({ jsonrpc: "2.0", method, params }))
  return {
    received,
    garbage,
    send,
    notify,
    request,
    message,
    call: (name, input = {}) =>
      Effect.map(request("tools/call", { name, arguments: input }), ({ error, result }) => ({
        text: error === undefined ? textOf(result?.["content"]) : `error ${error.code}: ${error.message}`,
        isError: error !== undefined || result?.["isError"] === true
      })),
    read: (uri) =>
      Effect.map(request("resources/read", { uri }), ({ error, result }) =>
        error === undefined ? textOf(result?.["contents"]) : `error ${error.code}: ${error.message}`
      ),
    greet: (client = "test-client") =>
      Effect.tap(
        request("initialize", {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: client, version: "1" }
        }),
        () => notify("notifications/initialized")
      )
  }
}

const textOf = (blocks: unknown): string => {
  if (!Array.isArray(blocks) || blocks.length !== 1) return `not one block: ${JSON.stringify(blocks)}`
  return String(blocks[0].text)
}

export interface Exited {
  readonly code: number | null
  readonly signal: string | null
  /** `performance.now()` when it was gone. */
  readonly at: number
}

/**
 * The command line that starts `ctx-mcp`: as `program` says, or, with `CTX_E2E_RUNTIME=source`, the sources on this Node,
 * which needs no build.
 *
 * @param preload a module that the runtime loads before
 */
export const mcpCommand = (preload?: string): readonly [string, ...ReadonlyArray<string>] => {
  const runtime = process.env["CTX_E2E_RUNTIME"]
  const source = resolve(import.meta.dirname, "..", "..", "src", "main", "ctx-mcp.ts")
  const [file, ...args] = runtime === "source" ? ([process.execPath, source] as const) : program("ctx-mcp")
  if (preload === undefined) return [file, ...args]
  return runtime === "deno"
    ? [file, ...args.slice(0, -1), "--preload", preload, ...args.slice(-1)]
    : [file, "--import", pathToFileURL(preload).href, ...args]
}

/** A real `ctx-mcp` in a folder, until the scope ends. */
export const mcpProcess = (
  cwd: string,
  options: {
    readonly args?: ReadonlyArray<string>
    readonly env?: Readonly<Record<string, string>>
    readonly preload?: string
  } = {}
) =>
  Effect.gen(function* () {
    const [file, ...args] = [...mcpCommand(options.preload), ...(options.args ?? [])] as const
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(file, args, { cwd, env: cleanEnv(cwd, options.env) })),
      (running) => Effect.sync(() => running.kill("SIGKILL"))
    )
    const stderr: Array<string> = []
    child.stderr.setEncoding("utf8").on("data", (text: string) => stderr.push(text))
    const exited = Deferred.unsafeMake<Exited>(FiberId.none)
    child.once("close", (code, signal) => {
      Deferred.unsafeDone(exited, Effect.succeed({ code, signal, at: performance.now() }))
    })
    return { child, exited: Deferred.await(exited), stderr, peer: peer(child.stdin, child.stdout) }
  })

/** A second of an idle machine, in milliseconds of this one: a busy one is given as much more as a bare Node takes. */
export const oneSecond = Effect.gen(function* () {
  const before = performance.now()
  yield* execute([process.execPath, "-e", "0"], { cwd: process.cwd() })
  return 1_000 + 4 * (performance.now() - before)
})
