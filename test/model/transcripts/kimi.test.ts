import { describe, expect, it } from "@effect/vitest"
import { kimi } from "../../../src/model/transcripts/kimi.ts"
import { read, said, turns } from "./support.ts"

const cli = (type: string, payload: object) => ({ timestamp: 1778563950.73, message: { type, payload } })
const code = (type: string, fields: object) => ({ type, time: 1779256800001, ...fields })
const message = (role: string, text: string, fields: object = {}) =>
  code("context.append_message", { message: { role, content: [{ type: "text", text }], toolCalls: [], ...fields } })
const loop = (event: object) => code("context.append_loop_event", { event })

describe("paging.md 5: a wire file of kimi-cli", () => {
  it("tells prompts, thoughts, answers, calls put together from fragments, and results", () => {
    expect(
      said(
        kimi,
        { type: "metadata", protocol_version: "1.10" },
        cli("TurnBegin", { user_input: [{ type: "text", text: "探索" }] }),
        cli("StepBegin", { n: 1 }),
        cli("ContentPart", { type: "think", think: "hm", encrypted: null }),
        cli("ToolCall", { type: "function", id: "c1", function: { name: "Read", arguments: '{"pa' } }),
        cli("ToolCallPart", { arguments_part: 'th":' }),
        cli("ToolCallPart", { arguments_part: '"a"}' }),
        cli("ToolResult", { tool_call_id: "c1", return_value: { is_error: false, output: "A", message: "read" } }),
        cli("ContentPart", { type: "text", text: "so" }),
        cli("SubagentEvent", {
          agent_id: "a1",
          event: { type: "ContentPart", payload: { type: "text", text: "part" } }
        }),
        cli("TurnEnd", {})
      )
    ).toEqual([
      "user 探索",
      "thinking hm",
      'tool_call Read {"path":"a"}',
      "tool A\nread",
      "assistant so",
      "assistant@a1 part"
    ])
  })

  it("holds a call until no fragment can follow: the cursor stays before it", () => {
    const call = cli("ToolCall", { id: "c1", function: { name: "Read", arguments: '{"a"' } })
    expect(read(kimi, cli("StepBegin", {}), call).held?.offset).toBeGreaterThan(0)
    expect(read(kimi, call, cli("ToolCallPart", { arguments_part: ":1}" })).held?.offset).toBe(0)
  })

  it("makes turns of prompts; what is typed meanwhile begins one", () => {
    expect(
      turns(
        kimi,
        cli("TurnBegin", { user_input: "one" }),
        cli("ToolCall", { id: "c1", function: { name: "Read" } }),
        cli("TurnBegin", { user_input: "two" }),
        cli("ContentPart", { type: "text", text: "2" }),
        cli("SteerInput", { user_input: "three" })
      )
    ).toEqual([
      ["one", "", "Read"],
      ["two", "2", ""],
      ["three", "", ""]
    ])
  })
})

describe("paging.md 5: a wire file of kimi-code", () => {
  it("tells each text once: what turn.prompt repeats is left out", () => {
    expect(
      said(
        kimi,
        code("metadata", { protocol_version: "1.5", created_at: 1779256791085 }),
        code("turn.prompt", { input: [{ type: "text", text: "hi" }], origin: { kind: "user" } }),
        message("user", "hi"),
        message("user", "be brief", { origin: { kind: "injection" } }),
        message("user", "/review", { origin: { kind: "skill_activation", trigger: "user-slash" } }),
        loop({ type: "step.begin" }),
        loop({ type: "content.part", part: { type: "think", think: "hm" } }),
        loop({ type: "content.part", part: { type: "text", text: "hello" } }),
        loop({ type: "tool.call", toolCallId: "c1", name: "Read", args: { path: "a" } }),
        loop({ type: "tool.result", toolCallId: "c1", result: { output: [{ type: "text", text: "A" }] } }),
        code("context.apply_compaction", { summary: "so far", compactedCount: 3 }),
        code("context.undo", { count: 1 }),
        code("usage.record", {})
      )
    ).toEqual([
      "user hi",
      "system be brief",
      "user /review",
      "thinking hm",
      "assistant hello",
      'tool_call Read {"path":"a"}',
      "tool A",
      "system so far",
      "system undone: 1"
    ])
  })

  it("has its times in milliseconds, kimi-cli in seconds", () => {
    const [first, second] = read(kimi, message("user", "a"), cli("TurnBegin", { user_input: "b" })).entries
    expect([first?.at, second?.at]).toEqual([1779256800001, 1778563950730])
  })

  it("skips and counts what it does not know", () => {
    expect(read(kimi, "{", code("brand.new", {}), cli("BrandNew", {})).skipped).toEqual([
      "malformed",
      "unknown",
      "unknown"
    ])
  })
})
