import { FastCheck as fc } from "effect"
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { decodeHookEvent, type HookAgent } from "../../../src/model/transcripts/HookEvent.ts"
import { noticeFor } from "../../../src/model/transcripts/Notice.ts"
import { capturePaging } from "../../../src/services/paging/PagingCaptureDriver.ts"
import { openPaging } from "../../../src/services/paging/PagingDatabaseDriver.ts"
import { subscribedAt } from "../../../src/services/paging/RegistryDriver.ts"

/** A folder with a database and a transcript. */
const place = () => {
  const folder = mkdtempSync(join(tmpdir(), "ctx-capture-"))
  const database = join(folder, "agents", "context-paging", "context.db")
  const transcript = join(folder, "t.jsonl")
  let now = 10_000_000
  const send = (input: Record<string, unknown>, agent: HookAgent = "claude", budgetMs = 5_000) =>
    capturePaging(decodeHookEvent(agent, input), {
      database,
      input,
      now: (now += 1_000),
      env: { HOME: folder },
      budgetMs,
      waitMs: 2_000
    })
  const event = (name: string, more: Record<string, unknown> = {}) =>
    send({ hook_event_name: name, session_id: "S", cwd: folder, transcript_path: transcript, ...more })
  const rows = () => {
    const connection = openPaging(database, { busyMs: 1_000 })
    try {
      return connection.read((sql) =>
        sql
          .all(
            "SELECT m.id, m.role, m.content, m.tool, m.live, m.echo, s.key FROM messages m JOIN sessions s ON s.id = m.session_id ORDER BY m.ts, m.id"
          )
          .map((row) => ({ ...row }))
      )
    } finally {
      connection.close()
    }
  }
  const said = () => rows().map((row) => `${row["role"]}: ${row["content"]}`)
  const sessions = () => {
    const connection = openPaging(database, { busyMs: 1_000 })
    try {
      return connection.read((sql) =>
        sql.all("SELECT key, ended FROM sessions ORDER BY key").map((row) => ({ ...row }))
      )
    } finally {
      connection.close()
    }
  }
  return {
    folder,
    database,
    transcript,
    send,
    event,
    rows,
    said,
    sessions,
    end: () => rmSync(folder, { recursive: true })
  }
}

type Place = ReturnType<typeof place>

const inPlace = (body: (here: Place) => void) => {
  const here = place()
  try {
    body(here)
  } finally {
    here.end()
  }
}

let count = 0
const line = (type: "user" | "assistant", content: unknown, more: Record<string, unknown> = {}) =>
  `${JSON.stringify({
    type,
    uuid: `uuid-${++count}`,
    sessionId: "S",
    timestamp: new Date(1_000_000 + count).toISOString(),
    message: { role: type, content },
    ...more
  })}\n`
const prompt = (text: string, more: Record<string, unknown> = {}) => line("user", text, more)
const reply = (text: string) => line("assistant", [{ type: "text", text }])

describe("a session of Claude Code", () => {
  it("is registered, recorded in all roles, each row once, and ended", () => {
    inPlace(({ event, rows, said, sessions, transcript }) => {
      expect(event("SessionStart", { source: "startup" })).toMatchObject({ session: "S", rows: 0, first: true })
      expect(event("UserPromptSubmit", { prompt: "Which port?", prompt_id: "p1" })).toMatchObject({ first: true })
      expect(rows()).toMatchObject([{ role: "user", content: "Which port?", live: 1 }])

      writeFileSync(
        transcript,
        [
          prompt("Which port?", { promptId: "p1" }),
          line("user", "<system-reminder>be brief</system-reminder>", { isMeta: true }),
          line("assistant", [{ type: "thinking", thinking: "Look at the config." }]),
          line("assistant", [{ type: "tool_use", id: "c1", name: "Bash", input: { command: "grep port x" } }]),
          line("user", [{ type: "tool_result", tool_use_id: "c1", content: "port = 4848\r\n" }])
        ].join("")
      )
      event("PostToolUse", { tool_name: "Bash", tool_use_id: "c1", tool_response: { stdout: "cut" } })
      // Its host tells the reply before it writes it down.
      event("Stop", { last_assistant_message: "It is 4848.", prompt_id: "p1" })
      expect(rows().at(-1)).toMatchObject({ role: "assistant", content: "It is 4848.", live: 1 })
      appendFileSync(transcript, reply("It is 4848."))
      for (let again = 0; again < 3; again++) event("SessionEnd", { reason: "exit" })
      expect(said().toSorted()).toEqual(
        [
          "user: Which port?",
          "system: <system-reminder>be brief</system-reminder>",
          "thinking: Look at the config.",
          'tool_call: {"command":"grep port x"}',
          "tool: port = 4848\r\n",
          "assistant: It is 4848."
        ].toSorted()
      )
      expect(rows().every((row) => row["live"] === 0)).toBe(true)
      expect(sessions()).toEqual([{ key: "S", ended: expect.any(Number) }])
      event("SessionStart", { source: "resume" })
      expect(sessions()).toEqual([{ key: "S", ended: null }])
    })
  })

  it("A34: a line that is half written waits, a broken one is counted, and neither hides the rest", () => {
    inPlace(({ event, said, transcript }) => {
      const first = prompt("one")
      const whole = reply("hi there")
      writeFileSync(transcript, `${first}{"type":"user","mess\n\n${whole.slice(0, 40)}`)
      expect(event("Stop").swept).toMatchObject({ rows: 1, malformed: 1, complete: true })
      appendFileSync(transcript, whole.slice(40))
      expect(event("Stop").swept).toMatchObject({ rows: 1, malformed: 0 })
      expect(said()).toEqual(["user: one", "assistant: hi there"])
    })
  })

  it("keeps lines of another session with that session, and knows copied ones", () => {
    inPlace(({ event, rows, transcript }) => {
      const mine = prompt("mine")
      const other = prompt("other", { sessionId: "B" })
      writeFileSync(transcript, mine + other + mine)
      event("Stop")
      event("Stop")
      expect(
        rows()
          .map((row) => `${row["key"]}: ${row["content"]}`)
          .toSorted()
      ).toEqual(["B: other", "S: mine"])
    })
  })

  it("loses nothing where the file shrinks, is written anew or is another one, and doubles nothing", () => {
    inPlace(({ event, said, transcript }) => {
      const lines = [prompt("a"), reply("b"), reply("c")]
      writeFileSync(transcript, lines.join(""))
      event("Stop")
      truncateSync(transcript, (lines[0] ?? "").length + 10)
      event("Stop")
      writeFileSync(transcript, `${lines[0]}${reply("d")}`)
      event("Stop")
      rmSync(transcript)
      event("Stop")
      writeFileSync(transcript, `${lines.join("")}${reply("e")}`)
      event("Stop")
      expect(said().toSorted()).toEqual(["assistant: b", "assistant: c", "assistant: d", "assistant: e", "user: a"])
    })
  })

  it("reads the whole of a result that stands in a file of its own", () => {
    inPlace(({ event, folder, said, transcript }) => {
      const file = join(folder, "result.txt")
      writeFileSync(file, "the whole result")
      writeFileSync(
        transcript,
        line("user", [{ type: "tool_result", tool_use_id: "c", content: "the wh..." }], {
          toolUseResult: { persistedOutputPath: file }
        })
      )
      event("Stop")
      expect(said()).toEqual(["tool: the whole result"])
    })
  })

  it("A35: reads a long transcript within its time, goes on at the next event, and survives a giant line", () => {
    inPlace(({ event, rows, send, transcript }) => {
      const giant = reply("x".repeat(8 * 1024 * 1024))
      writeFileSync(transcript, Array.from({ length: 3_000 }, (_, n) => reply(`line ${n}`)).join("") + giant)
      const once = send({ hook_event_name: "Stop", session_id: "S", transcript_path: transcript }, "claude", 0)
      expect(once.swept?.complete).toBe(false)
      expect(rows().length).toBeLessThan(3_001)
      for (let tries = 0; tries < 100 && event("Stop").swept?.complete !== true; tries++);
      expect(rows()).toHaveLength(3_001)
      expect(statSync(transcript).size).toBeGreaterThan(8 * 1024 * 1024)
    })
  })

  it("marks its own look-ups as echoes, and what they answered", () => {
    inPlace(({ event, rows, transcript }) => {
      writeFileSync(
        transcript,
        line("assistant", [
          { type: "tool_use", id: "c1", name: "mcp__contexo__ctx_page_search", input: { query: "needle" } }
        ]) + line("user", [{ type: "tool_result", tool_use_id: "c1", content: "m1 user: needle" }])
      )
      event("Stop")
      expect(rows().map((row) => row["echo"])).toEqual([1, 1])
    })
  })
})

describe("other hosts", () => {
  it("Cursor tells everything by events alone", () => {
    inPlace(({ folder, said, send }) => {
      const base = { conversation_id: "C", generation_id: "g1", cursor_version: "3.18", workspace_roots: [folder] }
      send({ ...base, hook_event_name: "sessionStart" }, "cursor")
      for (let twice = 0; twice < 2; twice++) {
        send({ ...base, hook_event_name: "beforeSubmitPrompt", prompt: "Fix it" }, "cursor")
        send({ ...base, hook_event_name: "afterAgentThought", text: "Hm." }, "cursor")
        send(
          {
            ...base,
            hook_event_name: "postToolUse",
            tool_name: "Shell",
            tool_input: { command: "ls" },
            tool_output: "a.txt",
            tool_use_id: "t1"
          },
          "cursor"
        )
        send({ ...base, hook_event_name: "afterAgentResponse", text: "Fixed." }, "cursor")
      }
      expect(said()).toEqual([
        "user: Fix it",
        "thinking: Hm.",
        'tool_call: {"command":"ls"}',
        "tool: a.txt",
        "assistant: Fixed."
      ])
    })
  })

  it("Codex's rollout is read once, whoever tells its path", () => {
    inPlace(({ folder, said, send }) => {
      const rollout = join(folder, ".codex", "sessions", "2026", "12", "01")
      mkdirSync(rollout, { recursive: true })
      const item = (payload: object) =>
        `${JSON.stringify({ timestamp: "2026-12-01T10:00:00Z", type: "response_item", payload })}\n`
      writeFileSync(
        join(rollout, "rollout-2026-12-01T10-00-00-cx1.jsonl"),
        [
          `${JSON.stringify({ timestamp: "2026-12-01T10:00:00Z", type: "session_meta", payload: { id: "cx1", cwd: folder } })}\n`,
          item({ type: "message", role: "user", content: [{ type: "input_text", text: "Which port?" }] }),
          item({ type: "function_call", name: "shell", arguments: '{"command":"ls"}', call_id: "c1" }),
          item({ type: "function_call_output", call_id: "c1", output: "a.txt" }),
          item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "4848." }] })
        ].join("")
      )
      const base = { session_id: "cx1", cwd: folder, transcript_path: null }
      send({ ...base, hook_event_name: "UserPromptSubmit", prompt: "Which port?", turn_id: "t1" }, "codex")
      send({ ...base, hook_event_name: "Stop", last_assistant_message: "4848.", turn_id: "t1" }, "codex")
      send({ ...base, hook_event_name: "Stop", last_assistant_message: "4848.", turn_id: "t1" }, "codex")
      expect(said()).toEqual(["user: Which port?", 'tool_call: {"command":"ls"}', "tool: a.txt", "assistant: 4848."])
    })
  })

  it("kimi-code's wire is found by its index", () => {
    inPlace(({ folder, said, send }) => {
      const session = join(folder, ".kimi-code", "sessions", "wd_x", "k1")
      mkdirSync(join(session, "agents", "main"), { recursive: true })
      writeFileSync(
        join(folder, ".kimi-code", "session_index.jsonl"),
        `${JSON.stringify({ sessionId: "k1", sessionDir: session, workDir: folder })}\n`
      )
      const wire = (type: string, more: object) => `${JSON.stringify({ type, time: 1_764_000_000_000, ...more })}\n`
      writeFileSync(
        join(session, "agents", "main", "wire.jsonl"),
        [
          wire("metadata", { protocol_version: "1.5" }),
          wire("context.append_message", { message: { role: "user", content: [{ type: "text", text: "Hello" }] } }),
          wire("context.append_loop_event", { event: { type: "content.part", part: { type: "think", think: "Hm" } } }),
          wire("context.append_loop_event", { event: { type: "content.part", part: { type: "text", text: "Hi." } } })
        ].join("")
      )
      send({ hook_event_name: "Stop", session_id: "k1", cwd: folder, client_type: "kimi_code_cli" }, "kimi")
      send({ hook_event_name: "SessionEnd", session_id: "k1", cwd: folder, client_type: "kimi_code_cli" }, "kimi")
      expect(said()).toEqual(["user: Hello", "thinking: Hm", "assistant: Hi."])
    })
  })
})

describe("the gate", () => {
  it("opens for a subscribed folder and what lies below it, and for nothing else", () => {
    inPlace(({ folder }) => {
      const config = join(folder, ".config", "context-paging")
      mkdirSync(config, { recursive: true })
      const env = { HOME: folder }
      expect(subscribedAt([folder], env)).toBeUndefined()
      writeFileSync(
        join(config, "projects.json"),
        JSON.stringify({ "/srv/a": { db: "/srv/a/x.db", other: 1 }, "/srv/b": {} })
      )
      expect(subscribedAt(["/srv/a/src/deep"], env)).toMatchObject({ root: "/srv/a", database: "/srv/a/x.db" })
      expect(subscribedAt(["/elsewhere", "/srv/b"], env)).toMatchObject({
        root: "/srv/b",
        database: "/srv/b/agents/context-paging/context.db"
      })
      expect(subscribedAt(["/srv/ab", "/srv"], env)).toBeUndefined()
      expect(subscribedAt(["/srv/a"], { ...env, CP_DB: "/else/c.db" })).toMatchObject({ database: "/else/c.db" })
      for (const broken of ["{", "[]", "null", '{"/srv/a": 3}']) {
        writeFileSync(join(config, "projects.json"), broken)
        expect(subscribedAt(["/srv/a"], env)).toBeUndefined()
      }
    })
  })

  it("the notice goes where each host reads it", () => {
    const at = (agent: HookAgent, event: string, first = true, client?: string) =>
      noticeFor({ agent, event, first, client }, "text")
    expect(JSON.parse(at("claude", "SessionStart") ?? "")).toEqual({
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "text" }
    })
    expect(JSON.parse(at("cursor", "sessionStart") ?? "")).toEqual({ additional_context: "text" })
    expect(at("kimi", "UserPromptSubmit", true, "kimi_code_cli")).toBe("text")
    expect(at("kimi", "UserPromptSubmit", false, "kimi_code_cli")).toBeUndefined()
    expect(at("kimi", "UserPromptSubmit", true)).toBeUndefined()
    for (const event of ["Stop", "UserPromptSubmit", "SessionEnd"]) expect(at("claude", event)).toBeUndefined()
  })
})

describe("any order of events, sweeps, crashes and restarts", () => {
  it("records what was said exactly once", () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant("say" as const),
        role: fc.constantFrom("user", "assistant"),
        text: fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== "" && !text.includes("<"))
      }),
      fc.record({ do: fc.constant("half" as const), cut: fc.integer({ min: 1, max: 60 }) }),
      fc.constant({ do: "stop" as const }),
      fc.constant({ do: "hurried" as const }),
      fc.constant({ do: "prompt" as const })
    )
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        inPlace(({ event, said, send, transcript }) => {
          writeFileSync(transcript, "")
          const model: Array<string> = []
          const append = (text: string) => appendFileSync(transcript, text)
          let pending = ""
          for (const one of steps) {
            if (one.do === "say") {
              append(pending)
              pending = ""
              // Every text is told apart, so that a doubled row shows.
              const text = `${one.text} #${model.length}`
              append(one.role === "user" ? prompt(text) : reply(text))
              model.push(`${one.role}: ${text}`)
            } else if (one.do === "half") {
              append(pending)
              const text = `half #${model.length}`
              const whole = reply(text)
              append(whole.slice(0, one.cut))
              pending = whole.slice(one.cut)
              model.push(`assistant: ${text}`)
            } else if (one.do === "prompt") {
              append(pending)
              pending = ""
              const text = `told #${model.length}`
              event("UserPromptSubmit", { prompt: text })
              append(prompt(text))
              model.push(`user: ${text}`)
            } else if (one.do === "hurried") {
              send({ hook_event_name: "SessionEnd", session_id: "S", transcript_path: transcript }, "claude", 0)
            } else event("Stop")
          }
          append(pending)
          event("Stop")
          event("SessionEnd")
          expect(said().toSorted()).toEqual(model.toSorted())
          expect(readFileSync(transcript, "utf8").endsWith("\n") || model.length === 0).toBe(true)
        })
      }),
      { numRuns: 40 }
    )
  })
})
