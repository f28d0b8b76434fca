import { describe, expect, it } from "@effect/vitest"
import { diffText } from "../../../src/main/render/diffText.ts"

const from = "a4b2c1d3".padEnd(40, "0")
const to = "99887766".padEnd(40, "0")

describe("ctx diff", () => {
  it("shows every status, with counts and who introduced a section", () => {
    const text = diffText("retry-rule", {
      from_sha: from,
      to_sha: to,
      frontmatter: {
        changed: [{ field: "reasoning_summary", from: "old", to: "new\nlines" }],
        added: [{ field: "tags", to: "billing" }],
        removed: [{ field: "tags", from: "legacy" }]
      },
      preamble: { heading: "_preamble", status: "modified", from: "a", to: "b", line_diff: "- a\n+ b" },
      sections: [
        {
          heading: "## Decision",
          status: "modified",
          line_diff: "  same\n- three\n+ five",
          introduced_by: { sha: to, author: "ada" }
        },
        { heading: "## Current State", status: "unchanged" },
        { heading: "## Next", status: "added", to: "one\ntwo\n" },
        { heading: "## Gone", status: "removed", from: "one" },
        { heading: "## New", old_heading: "## Old", status: "renamed" },
        { heading: "## B", old_heading: "## A", status: "renamed", line_diff: "+ x" }
      ]
    })
    expect(text).toBe(
      [
        "diff: retry-rule   a4b2c1d..9988776",
        "",
        "Frontmatter",
        "  ~ reasoning_summary",
        "      - old",
        "      + |",
        "          new",
        "          lines",
        "  + tags: billing",
        "  - tags: legacy",
        "",
        "Preamble",
        "  ~ preamble (2 lines changed)",
        "",
        "Sections",
        "  ~ ## Decision (2 lines changed) — introduced by ada at 9988776",
        "  = ## Current State",
        "  + ## Next (2 lines added)",
        "  - ## Gone (1 line removed)",
        '  ~> ## New  (renamed from "## Old")',
        '  ~> ## B  (renamed from "## A", 1 line changed)'
      ].join("\n")
    )
  })

  it("names a page that the server does not have by an empty label", () => {
    const text = diffText("x", { from_sha: "", to_sha: "local", frontmatter: {}, sections: [] })
    expect(text).toBe('diff: x   ""..local\n\n(no changes)')
  })

  it("says when the versions could only be compared whole", () => {
    const whole = { from_sha: from, to_sha: to, frontmatter: {}, sections: null, parse_fallback: true }
    expect(diffText("x", whole).split("\n")[2]).toBe(
      "(the frontmatter of a version could not be read: whole files are compared)"
    )
  })
})
