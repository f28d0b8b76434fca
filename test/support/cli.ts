import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { Effect, Schema, type Scope } from "effect"
import { spawn } from "node:child_process"
import { join, resolve } from "node:path"

/** What a process left behind. */
export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Run {
  readonly cwd: string
  readonly stdin?: string | Uint8Array
  /** On top of a clean environment: nothing of the developer's own `CONTEXO_*` leaks in. */
  readonly env?: Readonly<Record<string, string>>
}

const repository = resolve(import.meta.dirname, "..", "..")

/**
 * The command line that starts `ctx` (or `ctx-mcp`): the built bin on this Node, or the sources on Deno where the run asks
 * for it (`npm run test:deno`).
 */
export const program = (name: "ctx" | "ctx-mcp"): readonly [string, ...Array<string>] =>
  process.env["CTX_E2E_RUNTIME"] === "deno"
    ? [join(repository, "node_modules", ".bin", "deno"), "run", "-A", join(repository, "src", "main", `${name}.ts`)]
    : [process.execPath, join(repository, "dist", "bin", `${name}.cjs`)]

/** A clean environment whose home is the given folder. */
export const cleanEnv = (home: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  USERPROFILE: home,
  DENO_DIR: process.env["DENO_DIR"] ?? join(process.env["HOME"] ?? home, ".cache", "deno"),
  ...extra
})

/** Runs a command to its end. */
export const execute = (command: readonly [string, ...ReadonlyArray<string>], run: Run): Effect.Effect<Finished> =>
  Effect.async<Finished>((resume) => {
    const [file, ...args] = command
    const child = spawn(file, args, { cwd: run.cwd, env: cleanEnv(run.cwd, run.env) })
    const out: Array<Buffer> = []
    const err: Array<Buffer> = []
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk))
    // A child that does not read its input is no failure of the test.
    child.stdin.on("error", () => undefined)
    child.stdin.end(run.stdin ?? "")
    child.on("close", (code) => {
      resume(Effect.succeed({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }))
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Runs `ctx` in a folder. */
export const ctx = (cwd: string, args: ReadonlyArray<string>, run: Omit<Run, "cwd"> = {}): Effect.Effect<Finished> =>
  execute([...program("ctx"), ...args], { cwd, ...run })

/** An empty folder that goes when the test ends; its real path, as programs report it. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "ctx-e2e-" }))
}).pipe(Effect.orDie, Effect.provide(NodeContext.layer))

const Ready = Schema.parseJson(
  Schema.Struct({ url: Schema.String, data: Schema.String, owner_token: Schema.NullOr(Schema.String) })
)

/** A server in a process of its own, on a free port unless one is named, until the scope ends. */
export const serverOn = Effect.fn("serverOn")(function* (data: string, port = "0") {
  const [file, ...args] = [...program("ctx"), "serve", "--data", data, "--port", port, "--json"] as const
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(file, args, { cwd: data, env: cleanEnv(data), stdio: ["ignore", "pipe", "inherit"] })),
    (running) =>
      Effect.async<void>((resume) => {
        if (running.exitCode !== null) resume(Effect.void)
        running.once("close", () => resume(Effect.void))
        running.kill("SIGTERM")
      })
  )
  const line = yield* Effect.async<string>((resume) => {
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      const end = text.indexOf("\n")
      if (end !== -1) resume(Effect.succeed(text.slice(0, end)))
    })
    child.once("close", (code) => resume(Effect.dieMessage(`ctx serve ended with ${code} before it was ready`)))
  })
  const { owner_token: token, url } = yield* Effect.orDie(Schema.decode(Ready)(line))
  return { url, token, pid: child.pid ?? 0 }
})

/** A new server, and its owner's token. */
export const server = Effect.gen(function* () {
  const { token, url } = yield* Effect.flatMap(folder, serverOn)
  return { url, token: token ?? "" }
})
