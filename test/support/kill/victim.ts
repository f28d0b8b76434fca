import { Effect } from "effect"
import { spawn } from "node:child_process"
import { watch } from "node:fs"
import { cleanEnv, type Finished, program } from "../cli.ts"

/** When a process is killed. */
export interface Moment {
  /** Milliseconds after its start, or, with `watch`, after it first changes something in that folder. */
  readonly after: number
  readonly watch?: string
  /** With `watch`: only a file that carries the number of the process counts. */
  readonly named?: boolean
  /** With `watch`: kill at the latest so many milliseconds after the start. */
  readonly latest?: number
}

export interface Ended extends Finished {
  /** Whether the signal ended it: false where it was through before. */
  readonly killed: boolean
  readonly milliseconds: number
}

/** Runs `ctx` in a folder to its end, or to the moment at which it is killed with SIGKILL. */
export const runCtx = (
  cwd: string,
  args: ReadonlyArray<string>,
  options: { readonly stdin?: string; readonly moment?: Moment } = {}
): Effect.Effect<Ended> =>
  Effect.async<Ended>((resume) => {
    const { moment, stdin = "" } = options
    const [file, ...first] = program("ctx")
    const started = performance.now()
    const child = spawn(file, [...first, ...args], { cwd, env: cleanEnv(cwd) })
    const timers: Array<NodeJS.Timeout> = []
    const killIn = (milliseconds: number) => timers.push(setTimeout(() => child.kill("SIGKILL"), milliseconds))
    let stopWatching = () => {}
    if (moment?.watch === undefined) {
      if (moment !== undefined) killIn(moment.after)
    } else {
      const watcher = watch(moment.watch, (_, name) => {
        // Temporary files carry the number of their process; another one's change is no moment of this one.
        const [, owner] = /^\.ctx-(\d+)-/.exec(name ?? "") ?? []
        if (owner === undefined ? moment.named === true : owner !== String(child.pid)) return
        stopWatching()
        killIn(moment.after)
      })
      stopWatching = () => watcher.close()
      if (moment.latest !== undefined) killIn(moment.latest)
    }
    const out: Array<Buffer> = []
    const err: Array<Buffer> = []
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk))
    child.stdin.on("error", () => undefined)
    child.stdin.end(stdin)
    child.on("close", (code, signal) => {
      for (const timer of timers) clearTimeout(timer)
      stopWatching()
      resume(
        Effect.succeed({
          code,
          killed: signal === "SIGKILL",
          stdout: Buffer.concat(out).toString(),
          stderr: Buffer.concat(err).toString(),
          milliseconds: performance.now() - started
        })
      )
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })
