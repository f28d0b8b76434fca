import { Effect, Schema } from "effect"
import { spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { cleanEnv, ctx, execute, program } from "./cli.ts"

/** What stands in the database at the end, beside what has to. */
export interface Survived {
  readonly expected: number
  readonly messages: number
  /** Whether every row, reference and index is sound. */
  readonly ok: boolean
  readonly kills: number
}

const perRound = 20

const line = (index: number): string =>
  `${JSON.stringify({
    type: "user",
    uuid: `u${index}`,
    sessionId: "S",
    timestamp: new Date(index).toISOString(),
    message: { role: "user", content: `prompt ${index} ${"x".repeat(2_000)}` }
  })}\n`

const Stats = Schema.parseJson(Schema.Struct({ messages: Schema.Number }))
const Checked = Schema.parseJson(Schema.Struct({ ok: Schema.Boolean }))

/**
 * Kills the capture hook at random moments while a transcript grows, so many times, and sweeps once more.
 *
 * @param folder A repository of the test's own, which is its home too.
 */
export const killHook = Effect.fn("killHook")(function* (folder: string, rounds: number, seed: number) {
  const transcript = join(folder, "t.jsonl")
  const event = JSON.stringify({ hook_event_name: "Stop", session_id: "S", cwd: folder, transcript_path: transcript })
  const [file, ...args] = [...program("ctx-mcp"), "hook", "--agent", "claude"] as const
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  let kills = 0
  yield* ctx(folder, ["paging", "subscribe"])
  for (let round = 0; round < rounds; round++) {
    for (let more = 0; more < perRound; more++) appendFileSync(transcript, line(round * perRound + more))
    yield* Effect.async<void>((resume) => {
      const child = spawn(file, args, { cwd: folder, env: cleanEnv(folder) })
      child.stdin.on("error", () => undefined)
      child.stdin.end(event)
      const moment = setTimeout(() => child.kill("SIGKILL"), 30 + random(150))
      child.once("close", (_code, signal) => {
        clearTimeout(moment)
        if (signal === "SIGKILL") kills++
        resume(Effect.void)
      })
    })
  }
  yield* execute([file, ...args], { cwd: folder, stdin: event })
  const { messages } = yield* Schema.decode(Stats)((yield* ctx(folder, ["paging", "stats", "--json"])).stdout)
  const { ok } = yield* Schema.decode(Checked)((yield* ctx(folder, ["paging", "check", "--json"])).stdout)
  return { expected: rounds * perRound, messages, ok, kills } satisfies Survived
})
