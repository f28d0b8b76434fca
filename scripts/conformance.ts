/**
 * The official conformance suite over `ctx-mcp --http`: all of it against a fixture that has what the suite asks for, on our
 * adapter, and against the product as it is built. What fails must be in the server's baseline, which says why, and what is
 * there must fail. `npm run test:conformance` brings the suite's command, `conformance`.
 */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { execFile, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { serveApp } from "../src/main/mcp/http/main.ts"
import { fixture } from "../test/conformance/fixture.ts"
import { mcpCommand } from "../test/support/mcp.ts"

const repository = resolve(import.meta.dirname, "..")

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "ctx-conformance-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** The built `ctx-mcp --http` in a new project. */
const product = Effect.gen(function* () {
  const cwd = yield* folder
  mkdirSync(join(cwd, ".contexo"))
  const [file, ...args] = [...mcpCommand(), "--http", "--port", "0"] as const
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(file, args, { cwd, stdio: ["ignore", "pipe", "inherit"] })),
    (running) => Effect.sync(() => running.kill("SIGTERM"))
  )
  return yield* Effect.async<string, Error>((resume) => {
    child.stdout.once("data", (chunk: Buffer) => resume(Effect.succeed(chunk.toString().trim())))
    child.once("close", (code) => resume(Effect.fail(new Error(`ctx-mcp ended with ${code} before it was ready`))))
  })
})

/** Runs the suite; gives its summary and whether it went as the baseline says. */
const suite = (name: string, url: string, cwd: string) =>
  Effect.async<{ readonly name: string; readonly good: boolean; readonly said: string }>((resume) => {
    const baseline = join(repository, "test", "conformance", `${name}.yml`)
    const options = ["server", "--url", url, "--suite", "all", "--expected-failures", baseline, "-o", "results"]
    execFile("conformance", options, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const summary = stdout.slice(Math.max(0, stdout.indexOf("=== SUMMARY")))
      resume(Effect.succeed({ name, good: error === null, said: `${summary}${stderr}${error?.code ?? ""}` }))
    })
  })

NodeRuntime.runMain(
  Effect.gen(function* () {
    const cwd = yield* folder
    const fixtureUrl = yield* serveApp(fixture, { host: "127.0.0.1", port: 0 })
    const productUrl = yield* product
    const results = [yield* suite("fixture", fixtureUrl, cwd), yield* suite("product", productUrl, cwd)]
    for (const { good, name, said } of results) {
      yield* Console.log(`conformance of the ${name}: ${good ? "as expected" : "NOT as expected"}\n${said}\n`)
    }
    process.exitCode = results.every(({ good }) => good) ? 0 : 1
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
)
