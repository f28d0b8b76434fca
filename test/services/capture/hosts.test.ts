import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { bench, noon } from "./support.ts"

const put = (path: string, ...lines: ReadonlyArray<object>) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { flag: "a" })
}

const codexLine = (role: string, text: string, second = 0) => ({
  timestamp: new Date(noon + second * 1000).toISOString(),
  type: "response_item",
  payload: { type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] }
})

describe("Codex", () => {
  it.scoped("has its rollout found by its session where an event does not tell the path (paging.md 4.2)", () =>
    Effect.gen(function* () {
      const { event, records, root } = yield* bench
      const env = { HOME: root }
      const session = "0199a213-81c0-7800-8aa1-bbab2a035a53"
      const rollout = join(root, ".codex/sessions/2026/07/05", `rollout-2026-07-05T09-12-44-${session}.jsonl`)
      put(
        join(root, ".codex/sessions/2026/07/06/rollout-2026-07-06T00-00-00-other.jsonl"),
        codexLine("user", "not this")
      )
      put(rollout, codexLine("user", "one"), codexLine("assistant", "1"))
      const stop = { session_id: session, transcript_path: null, turn_id: "t1", last_assistant_message: "1" }
      event(stop, { agent: "codex", env })
      put(rollout, codexLine("user", "two", 60))
      event({ ...stop, turn_id: "t2", last_assistant_message: "2" }, { agent: "codex", env })
      put(rollout, codexLine("assistant", "2", 61))
      event({ ...stop, turn_id: "t2", last_assistant_message: "2" }, { agent: "codex", env })
      expect(records(session)).toMatchObject([
        { turn: 1, user: "one", assistant: "1" },
        { turn: 2, user: "two", assistant: "2" }
      ])
      expect(records(session)).toHaveLength(2)
    })
  )

  it.scoped(
    "has no ids on its lines: the same words at the same time are two turns, and none twice in another file",
    () =>
      Effect.gen(function* () {
        const { event, records, rewrite, transcript } = yield* bench
        const lines = ["yes", "yes", "no"].flatMap((text) => [codexLine("user", text), codexLine("assistant", "done")])
        put(transcript, ...lines)
        event({}, { agent: "codex" })
        rewrite("")
        put(transcript, { timestamp: "2026-07-05T12:00:00Z", type: "session_meta", payload: {} }, ...lines)
        put(transcript, codexLine("user", "yes"), codexLine("assistant", "done"))
        event({}, { agent: "codex" })
        event({}, { agent: "codex" })
        expect(records().map(({ turn, user }) => `${turn} ${user}`)).toEqual(["1 yes", "2 yes", "3 no", "4 yes"])
      })
  )

  it.scoped("pairs prompt and reply of its events where there is no rollout; one that appears adds nothing", () =>
    Effect.gen(function* () {
      const { event, records, transcript } = yield* bench
      for (const [turn, prompt, reply] of [
        ["t1", "one", "1"],
        ["t2", "two", "2"]
      ] as const) {
        event({ hook_event_name: "UserPromptSubmit", turn_id: turn, prompt }, { agent: "codex" })
        event({ turn_id: turn, last_assistant_message: reply }, { agent: "codex" })
        event({ turn_id: turn, last_assistant_message: reply }, { agent: "codex" })
      }
      put(transcript, codexLine("user", "one"), codexLine("assistant", "1"), codexLine("user", "two", 9))
      put(transcript, codexLine("assistant", "2", 10), codexLine("user", "three", 11), codexLine("assistant", "3", 12))
      event({ turn_id: "t3", last_assistant_message: "3" }, { agent: "codex" })
      expect(records().map(({ assistant, turn, user }) => [turn, user, assistant])).toEqual([
        [1, "one", "1"],
        [2, "two", "2"],
        [3, "three", "3"]
      ])
    })
  )
})

describe("Cursor", () => {
  const base = { conversation_id: "c1", cursor_version: "3.18.25", session_id: undefined, transcript_path: null }

  it.scoped("tells all by events: replies of one generation make one turn, in events that come twice too", () =>
    Effect.gen(function* () {
      const { event, records } = yield* bench
      const tell = (name: string, fields: object) =>
        [1, 2].forEach(() =>
          event({ ...base, hook_event_name: name, generation_id: "g1", ...fields }, { agent: "cursor" })
        )
      tell("beforeSubmitPrompt", { prompt: "why?", attachments: [] })
      tell("afterAgentThought", { text: "hm", duration_ms: 3 })
      tell("afterAgentResponse", { text: "Looking." })
      event(
        { ...base, hook_event_name: "postToolUse", generation_id: "g1", tool_name: "Read", tool_output: "secret" },
        { agent: "cursor" }
      )
      tell("afterAgentResponse", { text: "Because." })
      tell("stop", { status: "completed", loop_count: 0 })
      tell("afterAgentResponse", { generation_id: "g2", text: "By itself." })
      expect(records("c1")).toEqual([
        { ts: "2026-07-05T12:00:00Z", turn: 1, user: "why?", assistant: "Looking.\nBecause.", tools: ["Read"] },
        { ts: "2026-07-05T12:00:00Z", turn: 2, assistant: "By itself." }
      ])
    })
  )
})

describe("Gemini CLI", () => {
  it.scoped("has its turns from its transcript, in which the last answer may still be missing", () =>
    Effect.gen(function* () {
      const { event, records, transcript } = yield* bench
      const line = (id: string, type: string, content: string) => ({
        id,
        timestamp: "2026-07-05T09:12:44.512Z",
        type,
        content
      })
      const end = { hook_event_name: "AfterAgent", prompt: "why?", prompt_response: "because", stop_hook_active: false }
      put(transcript, { sessionId: "s1", projectHash: "x" }, line("m1", "user", "why?"), line("m2", "gemini", "look"))
      event(end, { agent: "gemini" })
      put(transcript, line("m2", "gemini", "because"))
      event(end, { agent: "gemini" })
      expect(records()).toMatchObject([{ turn: 1, user: "why?" }])
      expect(records()[0]?.assistant).toContain("because")
      expect(records()).toHaveLength(1)
    })
  )

  it.scoped("or, without one, from the event that has both", () =>
    Effect.gen(function* () {
      const { event, records } = yield* bench
      event({ hook_event_name: "AfterAgent", prompt: "why?", prompt_response: "because" }, { agent: "gemini" })
      expect(records()).toMatchObject([{ user: "why?", assistant: "because" }])
    })
  )
})

describe("Kimi", () => {
  const wire = (type: string, payload: object) => ({ timestamp: 1778563950.73, message: { type, payload } })

  it.scoped("kimi-cli: its wire file is found by the folder's name", () =>
    Effect.gen(function* () {
      const { event, records, root } = yield* bench
      const folder = createHash("md5").update(join(root, "app")).digest("hex")
      put(
        join(root, ".kimi/sessions", folder, "s1/wire.jsonl"),
        { type: "metadata", protocol_version: "1.10" },
        wire("TurnBegin", { user_input: "one" }),
        wire("ToolCall", { id: "c1", function: { name: "Read", arguments: "{}" } }),
        wire("ContentPart", { type: "text", text: "1" })
      )
      const stop = { transcript_path: undefined, stop_hook_active: false }
      event(stop, { agent: "kimi", env: { HOME: root } })
      // TurnEnd is written after Stop.
      put(join(root, ".kimi/sessions", folder, "s1/wire.jsonl"), wire("TurnEnd", {}))
      event(stop, { agent: "kimi", env: { HOME: root } })
      expect(records()).toMatchObject([{ turn: 1, user: "one", assistant: "1", tools: ["Read"] }])
    })
  )

  it.scoped("kimi-code: by the index of its sessions, of which the last entry counts", () =>
    Effect.gen(function* () {
      const { event, records, root } = yield* bench
      const home = join(root, "kc")
      const message = (role: string, text: string) => ({
        type: "context.append_message",
        message: { role, content: [{ type: "text", text }] },
        time: 1779256800001
      })
      put(join(home, "d1/agents/main/wire.jsonl"), message("user", "not this"))
      put(join(home, "d2/agents/main/wire.jsonl"), message("user", "one"), message("assistant", "1"))
      for (const sessionDir of ["d1", "d2"]) {
        put(join(home, "session_index.jsonl"), { sessionId: "s1", sessionDir: join(home, sessionDir), workDir: root })
      }
      const told = { transcript_path: undefined, client_type: "kimi_code_cli" }
      event(
        { ...told, hook_event_name: "UserPromptSubmit", prompt: [{ type: "text", text: "one" }] },
        { agent: "kimi" }
      )
      event(told, { agent: "kimi", env: { KIMI_CODE_HOME: home } })
      expect(records()).toMatchObject([{ turn: 1, user: "one", assistant: "1" }])
      renameSync(home, `${home}-gone`)
      event(told, { agent: "kimi", env: { KIMI_CODE_HOME: home } })
      expect(records()).toHaveLength(1)
    })
  )
})
