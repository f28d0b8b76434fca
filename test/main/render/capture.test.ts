import { describe, expect, it } from "@effect/vitest"
import { captureShowText, captureStatusJson, captureStatusText } from "../../../src/main/render/capture.ts"

const now = Date.UTC(2026, 11, 1, 12)
const ago = (seconds: number) => now - seconds * 1000

describe("ctx capture", () => {
  it("status lists the sessions, with their age in one unit", () => {
    const listed = [
      { session: "s1", turns: 1, modified: ago(-5) },
      { session: "s2", turns: 12, modified: ago(59 * 60) },
      { session: "s3\u001b[31m", turns: 2, modified: ago(47 * 3600) },
      { session: "s4", turns: 0, modified: ago(72 * 3600) }
    ]
    expect(captureStatusText(listed, now)).toBe(
      [
        "  s1  (1 turn, last write 0s ago)",
        "  s2  (12 turns, last write 59m ago)",
        "  s3  (2 turns, last write 47h ago)",
        "  s4  (0 turns, last write 3d ago)"
      ].join("\n")
    )
    expect(captureStatusText([], now)).toBe("No pending capture buffers.")
    expect(captureStatusJson(listed.slice(1, 2))).toEqual({
      buffers: [{ session: "s2", turns: 12, modified: "2026-12-01T11:01:00.000Z" }]
    })
  })

  it("A11: show cuts a long text on a code point, on one line, and says what was dropped", () => {
    const ts = "2026-12-01T09:00:00Z"
    const text = captureShowText([
      { ts, turn: 0, truncated: { dropped: 100, reason: "buffer_cap" } },
      { ts, turn: 101, user: `why?\nnow`, assistant: "🟡".repeat(300), tools: ["Read", "Edit"] }
    ])
    expect(text).toBe(
      `(100 earlier turn(s) dropped)\n\n#101  ${ts}\n  user: why? now\n  assistant: ${"🟡".repeat(100)}...\n  tools: Read Edit`
    )
  })
})
