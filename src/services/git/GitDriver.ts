/**
 * Driver over `node:child_process` for git, with arguments and never through a shell. A run is stopped with everything it
 * started: git talks to a server through children of its own.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { Effect, Schema } from "effect"
import { errnoOf } from "../files/Errno.ts"

export interface GitRun {
  readonly args: ReadonlyArray<string>
  /** Absolute. */
  readonly cwd: string
  /** On top of this process's own environment, without what points git to another repository. */
  readonly env?: Readonly<Record<string, string>>
  /** Bytes of stdout that are taken; more of them end the run. */
  readonly most: number
}

export interface GitEnded {
  readonly code: number | null
  readonly stdout: Uint8Array
  readonly stderr: string
  /** It said more than was to be taken, and was stopped. */
  readonly overflow: boolean
}

/** There is no git to run. */
export class GitMissing extends Schema.TaggedError<GitMissing>()("GitMissing", { reason: Schema.String }) {
  override get message() {
    return `git could not be run (${this.reason}). Install git, or name a folder instead.`
  }
}

/** Runs git to its end. An interruption waits until git and its children are gone. */
export const runGit = (run: GitRun): Effect.Effect<GitEnded, GitMissing> =>
  Effect.async((resume) => {
    const child = spawn("git", run.args, {
      cwd: run.cwd,
      env: { ...environment(), ...run.env },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: it can be stopped as a whole, and no child can ask at our terminal.
      detached: process.platform !== "win32",
      windowsHide: true
    })
    const out: Array<Buffer> = []
    let size = 0
    let overflow = false
    let stderr = ""
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= run.most) out.push(chunk)
      else if (!overflow) {
        overflow = true
        stop(child)
      }
    })
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-mostErrors)
    })
    child.once("error", (error) => resume(new GitMissing({ reason: errnoOf(error) })))
    child.once("close", (code) => resume(Effect.succeed({ code, stdout: Buffer.concat(out), stderr, overflow })))
    return Effect.async<void>((stopped) => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
        stop(child)
        return stopped(Effect.void)
      }
      child.once("close", () => stopped(Effect.void))
      stop(child)
    })
  })

const mostErrors = 16 * 1024

/** At once: what is half done lies in a folder that is thrown away. */
const stop = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  try {
    if (process.platform === "win32") spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore" })
    else process.kill(-child.pid, "SIGKILL")
  } catch {
    // Gone already, or a runtime that knows no groups.
    child.kill("SIGKILL")
  }
}

/** What of git's own variables describes how to reach a server, and not which repository this process works in. */
const kept = /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|SSL_.*|PROXY_.*|HTTP_.*|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH)$/

const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_") || kept.test(name)))
