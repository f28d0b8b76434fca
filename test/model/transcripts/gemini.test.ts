import { describe, expect, it } from "@effect/vitest"
import { noticeText } from "../../../src/model/transcripts/Notice.ts"
import { gemini } from "../../../src/model/transcripts/gemini.ts"
import { read, said, turns } from "./support.ts"

const line = (id: string, type: string, content: unknown, fields: object = {}) => ({
  id,
  timestamp: "2026-07-05T09:12:44.512Z",
  type,
  content,
  ...fields
})
const call = {
  id: "c1",
  name: "read_file",
  args: { path: "a" },
  result: [{ functionResponse: { id: "c1", name: "read_file", response: { output: "A" } } }]
}

describe("paging.md 6: a transcript of Gemini CLI", () => {
  it("tells all six roles", () => {
    expect(
      said(
        gemini,
        { sessionId: "s1", projectHash: "x", startTime: "2026-07-05T09:12:44.512Z", kind: "main" },
        line("m1", "user", [{ text: "why?" }]),
        line("m2", "gemini", "because", {
          thoughts: [{ subject: "Look", description: "into a" }],
          toolCalls: [call]
        }),
        line("m3", "info", "updated"),
        { $set: { summary: "x" } },
        { $rewindTo: "m2" }
      )
    ).toEqual([
      "user why?",
      "thinking Look\ninto a",
      "assistant because",
      'tool_call read_file {"path":"a"}',
      "tool read_file A",
      "system updated",
      "system rewound to m2"
    ])
  })

  it("what hooks put before a prompt is no part of it, and our own notice is not kept", () => {
    const context = (text: string) => `<hook_context>${text}</hook_context>\n\n`
    const ours = context(noticeText("/p/context.db", "/p/scripts"))
    expect(
      said(
        gemini,
        line("m1", "user", [{ text: `${ours}why?` }]),
        line("m2", "user", [{ text: context("be brief") }, { text: "and how?" }])
      )
    ).toEqual(["user why?", "system <hook_context>be brief</hook_context>\n\n\n", "user and how?"])
  })

  it("a message that grew stands there again: the last one counts, in its turn", () => {
    expect(
      turns(
        gemini,
        line("m1", "user", "one"),
        line("m2", "gemini", ""),
        line("m2", "gemini", "look", { toolCalls: [{ ...call, result: null }] }),
        line("m2", "gemini", "looked", { toolCalls: [call] }),
        line("m3", "user", "two"),
        line("m2", "gemini", "looked", { toolCalls: [call] }),
        line("m4", "gemini", "2")
      )
    ).toEqual([
      ["one", "looked", "read_file"],
      ["two", "2", ""]
    ])
  })

  it("skips and counts what it does not know", () => {
    expect(read(gemini, "{", line("m1", "new", ""), { type: "user" }).skipped).toEqual([
      "malformed",
      "unknown",
      "malformed"
    ])
  })
})
