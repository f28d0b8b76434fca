import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Data, Deferred, Effect } from "effect"
import { build } from "rolldown"
import { tempFolder } from "./project.ts"

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
  yield* Effect.promise(() =>
    build({
      input,
      platform: "node",
      logLevel: "silent",
      resolve: { mainFields: ["module", "main"] },
      output: { file, minify: true }
    })
  )
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
      resume(code === 0 ? Effect.succeed(stdout) : Effect.fail(new ChildFailed({ code, stderr: stderr + stdout })))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/**
 * A child script that has printed `word`, for the length of the scope; then it is killed with SIGKILL. `kill` does so
 * sooner, and waits for its end.
 */
export const childAt = Effect.fnUntraced(function* (word: string, script: string, ...args: ReadonlyArray<string>) {
  const ready = yield* Deferred.make<void, ChildFailed>()
  const gone = yield* Deferred.make<void>()
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => command(script, args)),
    (running) =>
      Effect.zipRight(
        Effect.sync(() => running.kill("SIGKILL")),
        Deferred.await(gone)
      )
  )
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString()
    if (stdout.includes(word)) Deferred.unsafeDone(ready, Effect.void)
  })
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
  child.on("close", (code) => {
    Deferred.unsafeDone(ready, new ChildFailed({ code, stderr }))
    Deferred.unsafeDone(gone, Effect.void)
  })
  yield* Deferred.await(ready)
  return {
    kill: Effect.zipRight(
      Effect.sync(() => child.kill("SIGKILL")),
      Deferred.await(gone)
    )
  }
})
