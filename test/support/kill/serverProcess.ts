import { Effect, Schema } from "effect"
import { spawn } from "node:child_process"
import { cleanEnv, program } from "../cli.ts"

/** A `ctx serve` that can be killed. */
export interface ServerProcess {
  readonly url: string
  readonly port: number
  /** None but on the very first start of its data folder. */
  readonly token: string | null
  /** SIGKILL, and wait for its end. */
  readonly kill: Effect.Effect<void>
}

const Ready = Schema.parseJson(Schema.Struct({ url: Schema.String, owner_token: Schema.NullOr(Schema.String) }))

/** Starts a server over a data folder, on any free port (0) or the one that it had before. */
export const startServer = (data: string, port: number): Effect.Effect<ServerProcess> =>
  Effect.async<ServerProcess>((resume) => {
    const [file, ...args] = [...program("ctx"), "serve", "--data", data, "--port", String(port), "--json"] as const
    const child = spawn(file, args, { cwd: data, env: cleanEnv(data), stdio: ["ignore", "pipe", "pipe"] })
    let gone = false
    let text = ""
    let errors = ""
    const kill = Effect.async<void>((done) => {
      if (gone) return done(Effect.void)
      child.once("close", () => done(Effect.void))
      child.kill("SIGKILL")
    })
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      const end = text.indexOf("\n")
      if (end === -1) return
      resume(
        Effect.map(Effect.orDie(Schema.decode(Ready)(text.slice(0, end))), ({ owner_token, url }) => ({
          url,
          port: Number(new URL(url).port),
          token: owner_token,
          kill
        }))
      )
    })
    child.once("close", (code) => {
      gone = true
      resume(Effect.dieMessage(`ctx serve ended with ${code} before it was ready: ${errors}`))
    })
  })
