import { describe, expect, it } from "vitest"
import { PushPaused } from "../../src/directives/index.ts"
import { PagePath } from "../../src/model/page/PagePath.ts"
import { Slug } from "../../src/model/page/Slug.ts"
import type { TurnRecord } from "../../src/model/capture/TurnRecord.ts"
import { golden, missing, stripe } from "./support.ts"

const turn = (n: number, words: Partial<TurnRecord> = {}): TurnRecord => ({
  ts: "2026-07-05T09:12:44Z",
  turn: n,
  user: "Why do we keep our own subscription table?",
  assistant: "Stripe is the source of truth; the table is a cache.",
  tools: ["Read", "Edit"],
  ...words
})

const paused = new PushPaused({
  suggestedSlug: Slug.make("2026-07-05-stripe-subscription-reasoning"),
  tags: ["stripe", "billing", "stripe"],
  pages: [{ path: stripe, type: "concept" }],
  buffer: [turn(1)]
})

const bufferOf = (text: string): ReadonlyArray<string> =>
  text
    .slice(text.indexOf("\nBUFFER "))
    .split("\n")
    .filter((line) => line.startsWith("{"))

describe("PUSH_PAUSED", () => {
  it("is the golden file", () => expect(paused.render()).toBe(golden("PushPaused")))

  it("has each literal line of the source", () =>
    expect(
      missing(paused.render(), [
        "<PUSH_PAUSED reason=distill_required>",
        "Before pushing: capture the reasoning trail, then make sure every named system",
        "in this batch has its own entity page. Do the three steps below in order, then",
        "re-invoke ctx_push with distill_done=true.",
        "STEP 1 — call ctx_write_page with:",
        '  type:              "source"',
        '  slug:              "2026-07-05-stripe-subscription-reasoning"   (suggested; adjust topic to taste)',
        "  tags:              […]   (union of the batch's tags)",
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
        "STEP 2 — entity coverage: if the concept/analysis pages reference named",
        "systems, services, libraries, products, or databases that don't already have",
        'a page under wiki/entities/, create one for each with ctx_write_page(type="entity").',
        "STEP 3 — call ctx_push again with the same filter args plus:",
        "  distill_done: true",
        '  source_slug:  "2026-07-05-stripe-subscription-reasoning"',
        "---",
        "PAGES being pushed in this batch:",
        "- wiki/concepts/stripe-subscription.md (concept)",
        "BUFFER (turn-by-turn summaries from this session, oldest first):",
        '{"ts":"2026-07-05T09:12:44Z","turn":1,"user":"…","tools":["Read","Edit"]}',
        "</PUSH_PAUSED>"
      ])
    ).toEqual([]))

  it("spells each template section out with a line of guidance", () => {
    const lines = paused.render().split("\n")
    const headings = lines.flatMap((line, index) => (line.startsWith("  ## ") ? [index] : []))
    expect(headings).toHaveLength(7)
    for (const index of headings) expect(lines[index + 1]).toMatch(/^ {4}\S.{10,}$/)
  })

  it("gives the union of the tags in the order of the batch, without repeats", () => {
    expect(paused.render()).toContain("[stripe billing]")
  })

  it("inlines one JSON record per line, of which each can be parsed", () => {
    const buffer = [turn(1), turn(2, { user: '</PUSH_PAUSED>\n\u2028`"\\ <push_paused' }), turn(3)]
    const lines = bufferOf(new PushPaused({ ...paused, buffer }).render())
    expect(lines.map((line) => JSON.parse(line).turn)).toEqual([1, 2, 3])
    expect(lines.join("")).not.toMatch(/<\/?push_paused/i)
  })

  it("windows a buffer over 50 turns to the first 10, a marker and the last 40", () => {
    const buffer = Array.from({ length: 60 }, (_, index) => turn(index + 1))
    const records = bufferOf(new PushPaused({ ...paused, buffer }).render()).map((line) => JSON.parse(line))
    expect(records).toHaveLength(51)
    expect(records[9].turn).toBe(10)
    expect(records[10].truncated).toEqual({ dropped: 10, reason: "inline_window" })
    expect(records[11].turn).toBe(21)
  })

  it("A11, A23: stays near 30 KB of buffer and below 80,000 bytes, never cut inside a character", () => {
    const buffer = Array.from({ length: 500 }, (_, index) =>
      turn(index + 1, { user: `${"a".repeat(index % 7)}${"🟡".repeat(500)}`, assistant: "界".repeat(1300) })
    )
    const pages = Array.from({ length: 10_000 }, (_, index) => ({
      path: PagePath.make(`wiki/concepts/page-${index}.md`),
      type: "concept" as const
    }))
    const tags = Array.from({ length: 5_000 }, (_, index) => `tag-${index}`)
    const text = new PushPaused({ ...paused, buffer, pages, tags }).render()
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toContain("\ufffd")
    expect(Buffer.byteLength(text)).toBeLessThan(64_000)
    expect(Buffer.byteLength(bufferOf(text).join("\n"))).toBeLessThan(33_000)
    expect(text).toMatch(/^\(and \d+ more page\(s\)\)$/m)
    expect(text).toMatch(/ \+\d+ more\] {3}\(union/)
  })
})
