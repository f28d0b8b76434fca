import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { FileSystem } from "@effect/platform"
import { Data, Effect, Layer } from "effect"
import { build } from "rolldown"
import { Project } from "../../../src/services/Project.ts"

export const tempFolder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped({ prefix: "ctx-" }))

/** A new project with an empty `.contexo/`. */
export const tempProject = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.realPath(yield* tempFolder)
  yield* fs.makeDirectory(`${root}/.contexo`)
  return Project.of({ root, contexo: `${root}/.contexo` })
})

export const projectAt = (root: string) => Layer.succeed(Project, { root, contexo: `${root}/.contexo` })

/** A child did not end as it should. */
export class ChildFailed extends Data.TaggedError("ChildFailed")<{
  readonly code: number | null
  readonly stderr: string
}> {
  override get message() {
    return `child ended with ${this.code}: ${this.stderr}`
  }
}

/** `limit`: the most that the child may write into one file, in units of 512 bytes. */
const command = (script: string, args: ReadonlyArray<string>, limit = "unlimited") =>
  spawn(
    "sh",
    [
      "-c",
      `ulimit -f ${limit}; exec "$0" "$@"`,
      process.execPath,
      fileURLToPath(new URL(script, import.meta.url)),
      ...args
    ],
    { stdio: ["ignore", "pipe", "pipe"] }
  )

/** A child script as one file, which starts several times faster: for loops that start many. */
export const bundled = Effect.fnUntraced(function* (script: string) {
  const file = `${yield* tempFolder}/child.mjs`
  const input = fileURLToPath(new URL(script, import.meta.url))
  yield* Effect.promise(() => build({ input, platform: "node", logLevel: "silent", output: { file } }))
  return file
})

/** Runs a child script of this folder to its end, and gives what it printed. */
export const runChild = (script: string, ...args: ReadonlyArray<string>) => ended(() => command(script, args))

/** The same, where the system refuses (EFBIG) to let a file grow beyond 4 KiB: what a full disk is to a writer. */
export const runCramped = (script: string, ...args: ReadonlyArray<string>) => ended(() => command(script, args, "8"))

const ended = (start: () => ReturnType<typeof command>) =>
  Effect.async<string, ChildFailed>((resume) => {
    const child = start()
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    child.on("close", (code) =>
      resume(code === 0 ? Effect.succeed(stdout) : Effect.fail(new ChildFailed({ code, stderr })))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Runs a child script, and kills it with SIGKILL when it has printed `word`. */
export const killChildAt = (word: string, script: string, ...args: ReadonlyArray<string>) =>
  Effect.async<void, ChildFailed>((resume) => {
    const child = command(script, args)
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString()
      if (stdout.includes(word)) child.kill("SIGKILL")
    })
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    child.on("close", (code, signal) =>
      resume(signal === "SIGKILL" ? Effect.void : Effect.fail(new ChildFailed({ code, stderr: stderr + stdout })))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })
