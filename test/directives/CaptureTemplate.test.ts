import { describe, expect, it } from "vitest"
import { CaptureTemplate, PushPaused } from "../../src/directives/index.ts"
import { Slug } from "../../src/model/page/Slug.ts"
import { golden, missing, stripe } from "./support.ts"

const buffer = [{ ts: "2026-07-05T09:12:44Z", turn: 1, user: "Which queue?", assistant: "The database's own." }]
const capture = new CaptureTemplate({
  suggestedSlug: Slug.make("2026-07-05-session-4f1d"),
  sessionId: Slug.make("4f1d"),
  buffer
})

const template = (text: string) => text.slice(text.indexOf("TEMPLATE ("), text.indexOf("you encounter."))

describe("CAPTURE_TEMPLATE", () => {
  it("is the golden file", () => expect(capture.render()).toBe(golden("CaptureTemplate")))

  it("has each line that the source and the design describe", () =>
    expect(
      missing(capture.render(), [
        "<CAPTURE_TEMPLATE>",
        "Author a 'source' page capturing the reasoning trail of this session. Call",
        "ctx_write_page with:",
        '  type:              "source"',
        '  slug:              "2026-07-05-session-4f1d"   (rename to reflect the topic)',
        "  reasoning_summary: one-line distillation (<= 100 chars)",
        "  body:              follow the TEMPLATE below",
        "TEMPLATE (drop sections that genuinely don't apply, keep them in this order):",
        "  ## Decision",
        "  ## Why this approach",
        "  ## Rejected alternatives",
        "  ## Path of inquiry",
        "  ## Dead-ends",
        "  ## Open questions",
        "  ## Sources",
        "IMPORTANT: redact any API keys, tokens, passwords, or PII you encounter.",
        "BUFFER (turn-by-turn summaries from this session, oldest first):",
        '{"ts":"2026-07-05T09:12:44Z","turn":1,"user":"Which queue?","assistant":"The database\'s own."}',
        "</CAPTURE_TEMPLATE>"
      ])
    ).toEqual([]))

  it("carries the template of PUSH_PAUSED to the letter, and asks for no push", () => {
    const paused = new PushPaused({
      suggestedSlug: Slug.make("s"),
      tags: [],
      pages: [{ path: stripe, type: "concept" }],
      buffer
    })
    expect(template(capture.render())).toBe(template(paused.render()))
    expect(capture.render()).not.toContain("ctx_push")
  })
})
