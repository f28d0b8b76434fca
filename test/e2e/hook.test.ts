import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { execFileSync, spawn } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
  openSync,
  closeSync
} from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { TurnRecord } from "../../src/model/capture/TurnRecord.ts"
import { cleanEnv, execute, folder, program, type Run } from "../support/cli.ts"

const silent = { code: 0, stdout: "", stderr: "" }
const Records = Schema.Array(Schema.parseJson(TurnRecord))

/** A project, a transcript of Claude Code beside it, and the hook as the host runs it. */
const project = Effect.map(folder, (root) => {
  const app = join(root, "app")
  const store = join(app, ".contexo")
  const transcript = join(root, "s1.jsonl")
  mkdirSync(store, { recursive: true })
  let turns = 0
  const line = (type: string, text: string) =>
    `${JSON.stringify({ type, uuid: `${type}-${turns}`, sessionId: "s1", timestamp: "2026-07-05T09:12:44Z", message: { role: type, content: text } })}\n`
  const event = (fields: object = {}) =>
    JSON.stringify({ hook_event_name: "Stop", session_id: "s1", transcript_path: transcript, cwd: app, ...fields })
  const buffer = join(store, "raw", "sessions", "_pending", "s1.jsonl")
  return {
    root,
    app,
    store,
    transcript,
    buffer,
    event,
    /** A turn more in the transcript; gives its number. */
    turn: (answer = "because") => {
      turns++
      appendFileSync(transcript, line("user", `why ${turns}?`) + line("assistant", answer))
      return turns
    },
    hook: (stdin: string, run: Partial<Run> & { readonly args?: ReadonlyArray<string> } = {}) =>
      execute([...program("ctx-mcp"), "hook", ...(run.args ?? ["--agent", "claude"])], { cwd: root, ...run, stdin }),
    /** The prompts of the records, in order; each must be a whole record. */
    prompts: (path = buffer) =>
      existsSync(path)
        ? Schema.decodeSync(Records)(readFileSync(path, "utf8").trimEnd().split("\n")).map(({ user }) => user)
        : [],
    log: () => {
      const path = join(store, ".sync", "hook.log")
      return existsSync(path) ? readFileSync(path, "utf8") : ""
    }
  }
})

const prompts = (count: number) => Array.from({ length: count }, (_, n) => `why ${n + 1}?`)

describe("ctx-mcp hook", () => {
  it.scopedLive("records a turn and says nothing; where there is no project it makes none (A18)", () =>
    Effect.gen(function* () {
      const { app, event, hook, prompts: found, root, store, turn } = yield* project
      turn()
      const below = join(app, "src", "deep")
      mkdirSync(below, { recursive: true })
      expect(yield* hook(event({ cwd: root }))).toEqual(silent)
      expect(readdirSync(root).toSorted()).toEqual(["app", "s1.jsonl"])
      expect(readdirSync(store)).toEqual([])
      expect(yield* hook(event({ cwd: below }))).toEqual(silent)
      turn()
      expect(yield* hook(event({ cwd: undefined }), { cwd: app })).toEqual(silent)
      expect(found()).toEqual(prompts(2))
    })
  )

  it.scopedLive("A19: in a linked worktree it records in the main one's project", () =>
    Effect.gen(function* () {
      const { app, event, hook, prompts: found, root, turn } = yield* project
      const git = (...args: ReadonlyArray<string>) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: app, stdio: "ignore" })
      git("init")
      git("commit", "--allow-empty", "-m", "x")
      git("worktree", "add", join(root, "wt"))
      turn()
      expect(yield* hook(event({ cwd: join(root, "wt") }))).toEqual(silent)
      expect(found()).toEqual(prompts(1))
    })
  )

  it.scopedLive("is silent and ends well whatever it is given", () =>
    Effect.gen(function* () {
      const { app, event, hook, prompts: found, turn } = yield* project
      turn()
      for (const stdin of [
        "",
        "null",
        "[1]",
        "{half",
        "\u0000",
        event({ session_id: 7, transcript_path: {}, cwd: [] })
      ]) {
        expect(yield* hook(stdin, { cwd: app })).toEqual(silent)
      }
      expect(yield* hook(event(), { args: ["--agent", "nobody"] })).toEqual(silent)
      expect(yield* hook(event(), { env: { CONTEXO_CAPTURE_DISABLE: "1" } })).toEqual(silent)
      expect(yield* hook(event({ cursor_version: "3.18" }))).toEqual(silent)
      expect(yield* hook(event({ agent_id: "a1" }))).toEqual(silent)
      expect(found()).toEqual([])
      expect(
        yield* hook(event({ transcript_path: "/nowhere" }), { args: ["--transcript=" + join(app, "../s1.jsonl")] })
      ).toEqual(silent)
      expect(found()).toEqual(prompts(1))
    })
  )

  it.scopedLive(
    "is what 'ctx capture turn' of the Go client's hooks runs, of Claude Code where no agent is named",
    () =>
      Effect.gen(function* () {
        const { app, event, prompts: found, turn } = yield* project
        turn()
        const alias = [...program("ctx"), "capture", "turn"] as const
        expect(yield* execute(alias, { cwd: app, stdin: event() })).toEqual(silent)
        const codex = { session_id: "c1", transcript_path: null }
        for (const fields of [
          { hook_event_name: "UserPromptSubmit", prompt: "why?" },
          { hook_event_name: "Stop", last_assistant_message: "so" }
        ]) {
          const stdin = event({ ...codex, ...fields })
          expect(yield* execute([...alias, "--agent", "codex"], { cwd: app, stdin })).toEqual(silent)
        }
        expect(found()).toEqual(prompts(1))
        expect(found(join(app, ".contexo/raw/sessions/_pending/c1.jsonl"))).toEqual(["why?"])
      })
  )

  it.scopedLive("does not wait for a host that keeps its end open", () =>
    Effect.gen(function* () {
      const { app, event, prompts: found, turn } = yield* project
      turn()
      const [file, ...args] = [...program("ctx-mcp"), "hook", "--agent", "claude"] as const
      const code = yield* Effect.async<number | null>((resume) => {
        const child = spawn(file, args, { cwd: app, env: cleanEnv(app) })
        child.on("close", (ended) => resume(Effect.succeed(ended)))
        child.stdin.write(event())
        return Effect.sync(() => child.kill())
      })
      expect([code, found()]).toEqual([0, prompts(1)])
    })
  )

  it.scopedLive("works beside a broken config, state and lock, and leaves a store that others may write alone", () =>
    Effect.gen(function* () {
      const { event, hook, prompts: found, store, turn } = yield* project
      mkdirSync(join(store, ".sync", "capture"), { recursive: true })
      for (const name of ["config.json", ".sync/capture.db", ".sync/capture/s1.json"]) {
        writeFileSync(join(store, name), "neither JSON nor a database ".repeat(200))
      }
      turn()
      expect(yield* hook(event())).toEqual(silent)
      expect(found()).toEqual(prompts(1))
      chmodSync(store, 0o777)
      turn()
      expect(yield* hook(event())).toEqual(silent)
      expect(found()).toEqual(prompts(1))
    })
  )

  it.scopedLive(
    "on a disk that is full or read-only: exit 0, the buffer as it was, and nothing lost for the next",
    () =>
      Effect.gen(function* () {
        const { app, buffer, event, hook, prompts: found, turn } = yield* project
        turn()
        yield* hook(event())
        const before = readFileSync(buffer, "utf8")
        turn("long ".repeat(800))
        // No file may grow beyond 1 KiB: a write ends within the record.
        const cramped = ["sh", "-c", 'ulimit -f 2 && exec "$0" "$@"', ...program("ctx-mcp"), "hook"] as const
        expect(yield* execute(cramped, { cwd: app, stdin: event() })).toEqual(silent)
        expect(readFileSync(buffer, "utf8")).toBe(before)
        const mounted = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
        const frozen = ["unshare", "-rm", "sh", "-c", mounted, app, ...program("ctx-mcp"), "hook"] as const
        const { stderr, stdout } = yield* execute(frozen, { cwd: app, stdin: event() })
        // Where this user may not mount, `unshare` says so, and there was no hook.
        expect(stdout + stderr.replace(/^unshare: .*\n$/, "")).toBe("")
        expect(readFileSync(buffer, "utf8")).toBe(before)
        expect(yield* hook(event())).toEqual(silent)
        expect(found()).toEqual(prompts(2))
      })
  )

  it.scopedLive("several at once leave each turn once, in order", () =>
    Effect.gen(function* () {
      const { event, hook, prompts: found, turn } = yield* project
      for (let round = 0; round < 3; round++) {
        turn()
        turn()
        const all = [1, 2, 3, 4].map(() => hook(event()))
        expect(yield* Effect.all(all, { concurrency: "unbounded" })).toEqual([silent, silent, silent, silent])
      }
      expect(found()).toEqual(prompts(6))
    })
  )

  it.scopedLive(
    "A33: while another holds the buffers it gives up in time, notes that, and the next one records all",
    () =>
      Effect.gen(function* () {
        const { event, hook, log, prompts: found, store, turn } = yield* project
        turn()
        yield* hook(event())
        turn()
        const lock = new DatabaseSync(join(store, ".sync", "capture.db"))
        lock.exec("BEGIN IMMEDIATE")
        expect(yield* hook(event({ hook_event_name: "SessionEnd" }))).toEqual(silent)
        lock.close()
        expect(found()).toEqual(prompts(1))
        expect(log()).toContain('"error":"EBUSY"')
        turn()
        yield* hook(event())
        expect(found()).toEqual(prompts(3))
      })
  )

  it.scopedLive("killed at any point, leaves whole records, each once", () =>
    Effect.gen(function* () {
      const { app, event, hook, prompts: found, transcript, turn } = yield* project
      const [file, ...args] = [...program("ctx-mcp"), "hook", "--agent", "claude"] as const
      const rounds = 24
      // How long one takes here and now, so that the kills are spread over all of it.
      const started = performance.now()
      turn()
      yield* hook(event())
      const whole = performance.now() - started
      for (let round = 0; round < rounds; round++) {
        turn("x".repeat(200))
        yield* Effect.async<void>((resume) => {
          const child = spawn(file, args, { cwd: app, env: cleanEnv(app), stdio: ["pipe", "ignore", "ignore"] })
          child.stdin.on("error", () => undefined)
          child.stdin.end(event())
          const timer = setTimeout(() => child.kill("SIGKILL"), whole * (0.3 + round / rounds))
          child.on("close", () => {
            clearTimeout(timer)
            resume(Effect.void)
          })
        })
        expect(found()).toEqual(prompts(found().length))
      }
      yield* hook(event())
      expect(found()).toEqual(prompts(rounds + 1))
      expect(existsSync(transcript)).toBe(true)
    })
  )

  it.scopedLive("A35: a large transcript with a line of megabytes costs no memory, and is not read again", () =>
    Effect.gen(function* () {
      const { app, event, prompts: found, root, transcript, turn } = yield* project
      turn()
      const file = openSync(transcript, "a")
      const result = `${JSON.stringify({ type: "user", uuid: "big", sessionId: "s1", message: { content: [{ type: "tool_result", content: "é".repeat(4000) }] } })}\n`
      for (let n = 0; n < 3000; n++) writeSync(file, result)
      const picture = { type: "image", source: { data: "A".repeat(24_000_000) } }
      writeSync(
        file,
        `${JSON.stringify({ type: "user", uuid: "pic", sessionId: "s1", message: { content: [picture, { type: "text", text: "why 2?" }] } })}\n`
      )
      closeSync(file)
      const peak = join(root, "peak")
      const watching = `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)))`
      writeFileSync(join(root, "watch.cjs"), watching)
      const [node, ...args] = program("ctx-mcp")
      const run = execute([node, "--require", join(root, "watch.cjs"), ...args, "hook", "--agent", "claude"], {
        cwd: app,
        stdin: event()
      })
      expect(yield* run).toEqual(silent)
      expect(found()).toEqual(prompts(2))
      // Kilobytes; a bare Node takes some 45 MB of it.
      expect(Number(readFileSync(peak, "utf8"))).toBeLessThan(150_000)
    })
  )
})
