import { describe, expect, it } from "@effect/vitest"
import { claude } from "../../../src/model/transcripts/claude.ts"
import { read, said } from "./support.ts"

const line = (type: string, fields: object) => ({
  type,
  uuid: `u-${JSON.stringify(fields).length}`,
  timestamp: "2026-07-05T09:12:44.512Z",
  sessionId: "s1",
  ...fields
})
const user = (content: unknown, fields: object = {}) => line("user", { message: { role: "user", content }, ...fields })
const assistant = (content: unknown, fields: object = {}) => line("assistant", { message: { content }, ...fields })

describe("a transcript of Claude Code tells all six roles", () => {
  it("of its usual lines", () => {
    expect(
      said(
        claude,
        user("why?"),
        assistant([{ type: "thinking", thinking: "hm", signature: "s" }]),
        assistant([{ type: "text", text: "because\r\n\u001b[1mso\u001b[0m" }]),
        assistant([{ type: "tool_use", id: "t1", name: "Read", input: { path: "a" } }]),
        user([
          { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "A" }, { type: "image" }] },
          { type: "tool_result", tool_use_id: "t2", content: "B", is_error: true }
        ]),
        line("system", { subtype: "compact_boundary", content: "Conversation compacted" }),
        line("attachment", { attachment: { type: "file", content: "a reminder" } }),
        line("attachment", { attachment: { type: "queued_command", prompt: "done", commandMode: "task-notification" } })
      )
    ).toEqual([
      "user why?",
      "thinking hm",
      "assistant because\r\n\u001b[1mso\u001b[0m",
      'tool_call Read {"path":"a"}',
      "tool A\n[image]",
      "tool B",
      "system Conversation compacted",
      "system a reminder",
      "system done"
    ])
  })

  it("11: a result that was stored elsewhere names its file; calls and results share an id", () => {
    const { entries } = read(
      claude,
      user([{ type: "tool_result", tool_use_id: "t9", content: "preview" }], {
        toolUseResult: { persistedOutputPath: "/x/tool-results/a.txt", persistedOutputSize: 60_000 }
      })
    )
    expect(entries).toMatchObject([{ role: "tool", text: "preview", call: "t9", file: "/x/tool-results/a.txt" }])
  })

  it("7: parents that dangle or circle are not followed; 12: an empty thought is none", () => {
    expect(
      said(
        claude,
        user("a", { uuid: "x", parentUuid: "y" }),
        assistant([{ type: "text", text: "b" }], { uuid: "y", parentUuid: "x" }),
        assistant([{ type: "thinking", thinking: "", signature: "sig" }]),
        assistant([{ type: "redacted_thinking", data: "xxxx" }])
      )
    ).toEqual(["user a", "assistant b"])
  })

  it("15: what our own hook said is no part of the conversation; another's is", () => {
    const hook = (command: string) =>
      line("attachment", { attachment: { type: "hook_success", command, stdout: "paging on" } })
    expect(said(claude, hook("ctx-mcp hook --agent claude"), hook("lint"))).toEqual(["system paging on"])
  })

  it("14: a subagent's lines name it, and a picture alone is a prompt", () => {
    expect(
      said(claude, user("part", { isSidechain: true, agentId: "a1" }), user([{ type: "image", source: {} }]))
    ).toEqual(["user@a1 part", "user "])
  })

  it("gives every entry an id that stays, and its own where the line has one", () => {
    const lines = [
      user(
        [
          { type: "text", text: "a" },
          { type: "text", text: "b" }
        ],
        { uuid: "u1" }
      )
    ] as const
    expect(read(claude, ...lines).entries.map(({ own, uid }) => [uid, own])).toEqual([
      ["u1#0", true],
      ["u1#1", true]
    ])
    expect(read(claude, "", { type: "user", message: { content: "x" } }).entries).toMatchObject([
      { uid: "off:1#0", own: false, offset: 1 }
    ])
  })
})
