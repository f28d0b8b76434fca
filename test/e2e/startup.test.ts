import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { ctx, execute, folder } from "../support/cli.ts"

const repository = resolve(import.meta.dirname, "..", "..")
const bin = join(repository, "dist", "bin")

const Contents = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }))

/** Which modules are in which chunk, as the build noted it. */
const contents = Schema.decodeSync(Contents)(
  readFileSync(join(repository, "node_modules", ".cache", "bundle.json"), "utf8")
)

/** Notes every file that Node loads. */
const watch = (file: string) =>
  `data:text/javascript,${encodeURIComponent(
    `import { appendFileSync } from "node:fs"
     import { registerHooks } from "node:module"
     registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(file)}, url + "\\n"), next(url, context)) })`
  )}`

/** The modules of ours and of others, by path from the repository, that a command has loaded when it ends. */
const loadedBy = (name: "ctx" | "ctx-mcp", args: ReadonlyArray<string>, stdin = "", at?: string) =>
  Effect.gen(function* () {
    const root = at ?? (yield* folder)
    yield* ctx(root, ["init", "--no-mcp"])
    const seen = join(root, "loaded")
    const command = [process.execPath, "--import", watch(seen), join(bin, `${name}.cjs`), ...args] as const
    const { code, stderr } = yield* execute(command, { cwd: root, stdin })
    expect(code, stderr).toBe(0)
    const urls = new Set(readFileSync(seen, "utf8").trim().split("\n"))
    return [...urls]
      .filter((url) => url.startsWith("file:"))
      .flatMap((url) => contents[relative(bin, fileURLToPath(url))] ?? [])
      .map((path) => relative(repository, path))
  })

const serverOnly = [
  "src/main/server/",
  "src/services/server/",
  "src/effects/server/",
  "/@effect/platform/dist/esm/HttpApiBuilder.js",
  "/@effect/platform/dist/esm/OpenApi.js"
]
const webTransport = ["webStandardStreamableHttp", "src/main/mcp/http/main.ts"]
const commandLine = ["/@effect/cli/", "/@effect/printer/"]
/** They come when a page is read. */
const parsers = ["/yaml/dist/", "/diff/libesm/"]
/** They come when there is text to look for secrets in. */
const scanner = ["/@secretlint/", "src/model/secrets/"]
const protocol = ["/@modelcontextprotocol/sdk/dist/esm/server/index.js", "/zod/"]

const none = (modules: ReadonlyArray<string>, ...heavy: ReadonlyArray<string>) =>
  expect(modules.filter((path) => heavy.some((part) => `/${path}`.includes(part)))).toEqual([])

describe("a start loads what it needs, and nothing heavy besides", () => {
  it.scopedLive("ctx-mcp up to its tools", () =>
    Effect.gen(function* () {
      const modules = yield* loadedBy("ctx-mcp", [], '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
      expect(modules).toContain("src/main/mcp/serve.ts")
      none(modules, ...serverOnly, ...webTransport, ...commandLine, ...parsers, ...scanner, "/ajv/")
    })
  )

  it.scopedLive("ctx status", () =>
    Effect.gen(function* () {
      const modules = yield* loadedBy("ctx", ["status", "--no-drift"])
      expect(modules).toContain("src/effects/sync/status.ts")
      none(modules, ...serverOnly, ...webTransport, ...protocol, ...parsers, ...scanner)
    })
  )

  it.scopedLive("a command that parses pages loads the parsers, so this watches the right files", () =>
    Effect.gen(function* () {
      const modules = yield* loadedBy("ctx", ["write", "one", "--type", "concept"], "---\nx: {a: [1]}\n---\n## A\n")
      expect(modules.filter((path) => path.includes("/yaml/dist/"))).not.toEqual([])
      none(modules, ...serverOnly, ...webTransport, ...protocol)
    })
  )

  it.scopedLive("ctx search, with nothing new to index: no parser", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const page = join(root, ".contexo", "wiki", "concepts", "one.md")
      mkdirSync(dirname(page), { recursive: true })
      writeFileSync(page, "---\nx: {a: [1]}\n---\nWords.\n")
      expect((yield* ctx(root, ["search", "words"])).stdout).toContain("wiki/concepts/one.md")
      const modules = yield* loadedBy("ctx", ["search", "zeppelin"], "", root)
      expect(modules).toContain("src/services/search/PageSearchLive.ts")
      none(modules, ...serverOnly, ...webTransport, ...protocol, ...parsers, ...scanner)
    })
  )

  it.scopedLive("the versions and a hook with nothing to do: next to nothing", () =>
    Effect.gen(function* () {
      none(yield* loadedBy("ctx-mcp", ["--version"]), "/effect/")
      expect(yield* loadedBy("ctx-mcp", ["hook", "--agent", "claude"])).toEqual([])
    })
  )

  it.scopedLive(
    "a hook that records a turn: one bundle without Effect; one that finds nothing new, not even that",
    () =>
      Effect.gen(function* () {
        const root = yield* folder
        const transcript = join(root, "s1.jsonl")
        const line = { type: "user", uuid: "u1", sessionId: "s1", message: { role: "user", content: "why?" } }
        writeFileSync(transcript, `${JSON.stringify(line)}\n`)
        const stop = {
          hook_event_name: "Stop",
          session_id: "s1",
          transcript_path: transcript,
          last_assistant_message: "so"
        }
        const hook = loadedBy("ctx-mcp", ["hook", "--agent", "claude"], JSON.stringify({ ...stop, cwd: root }), root)
        const modules = yield* hook
        expect(modules).toContain("src/main/hook/run.ts")
        expect(modules.filter((path) => path.includes("node_modules"))).toEqual([])
        rmSync(join(root, "loaded"))
        expect(yield* hook).toEqual([])
      })
  )
})
