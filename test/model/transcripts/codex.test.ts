import { describe, expect, it } from "@effect/vitest"
import { codex } from "../../../src/model/transcripts/codex.ts"
import { read, said, turns } from "./support.ts"

const line = (type: string, payload: object) => ({ timestamp: "2026-07-05T09:12:44.512Z", type, payload })
const item = (payload: object) => line("response_item", payload)
const event = (payload: object) => line("event_msg", payload)
const message = (role: string, ...texts: ReadonlyArray<string>) =>
  item({
    type: "message",
    role,
    content: texts.map((text) => ({ type: role === "assistant" ? "output_text" : "input_text", text }))
  })

describe("paging.md 4.3: a rollout of Codex", () => {
  it("tells all six roles, and each text once though it stands there as item and as event", () => {
    expect(
      said(
        codex,
        line("session_meta", { id: "s1", cwd: "/app" }),
        message("developer", "<permissions instructions>"),
        message("user", "# AGENTS.md instructions for /app", "<environment_context>\n</environment_context>"),
        line("turn_context", { cwd: "/app" }),
        event({ type: "user_message", message: "why?" }),
        message("user", "why?"),
        event({ type: "agent_reasoning", text: "hm" }),
        item({ type: "reasoning", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "x" }),
        item({ type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "c1" }),
        item({ type: "function_call_output", call_id: "c1", output: "a.ts" }),
        item({ type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch", call_id: "c2" }),
        item({ type: "custom_tool_call_output", call_id: "c2", output: [{ type: "input_text", text: "ok" }] }),
        event({ type: "token_count" }),
        event({ type: "agent_message", message: "because" }),
        message("assistant", "because")
      )
    ).toEqual([
      "system <permissions instructions>",
      "system # AGENTS.md instructions for /app",
      "system <environment_context>\n</environment_context>",
      "user why?",
      "thinking hm",
      'tool_call shell {"command":["ls"]}',
      "tool a.ts",
      "tool_call apply_patch *** Begin Patch",
      "tool ok",
      "assistant because"
    ])
  })

  it("has its reasoning from the event only where the item is encrypted, and the cursor waits for the item", () => {
    const thought = event({ type: "agent_reasoning", text: "hm" })
    expect(read(codex, thought).held?.offset).toBe(0)
    expect(said(codex, thought, item({ type: "reasoning", summary: [], encrypted_content: "x" }))).toEqual([
      "thinking hm"
    ])
    expect(said(codex, thought, message("assistant", "so"))).toEqual(["thinking hm", "assistant so"])
  })

  it("repeats nothing after a compaction; calls keep their id where the file is written anew", () => {
    const old = { type: "message", role: "user", content: [{ type: "input_text", text: "why?" }] }
    expect(said(codex, line("compacted", { message: "so far", replacement_history: [old] }))).toEqual(["system so far"])
    const call = item({ type: "function_call", name: "shell", arguments: "{}", call_id: "c1" })
    expect(read(codex, "", call).entries[0]?.uid).toBe(read(codex, call).entries[0]?.uid)
  })

  it("makes turns of prompts, without what the client injects", () => {
    expect(
      turns(
        codex,
        message("user", "<environment_context></environment_context>"),
        message("user", "one"),
        item({ type: "local_shell_call", action: { command: ["ls"] }, call_id: "c1" }),
        message("assistant", "1"),
        event({ type: "turn_aborted" }),
        message("user", "two"),
        message("assistant", "2")
      )
    ).toEqual([
      ["one", "1", "local_shell"],
      ["two", "2", ""]
    ])
  })

  it("skips and counts what it does not know", () => {
    expect(read(codex, "{", item({ type: "brand_new" }), line("new", {}), { no: "type" }).skipped).toEqual([
      "malformed",
      "unknown",
      "unknown",
      "malformed"
    ])
  })
})
