import { describe, expect, it } from "@effect/vitest"
import { diffText } from "../../../src/main/render/diffText.ts"
import { colourStyle, plainStyle } from "../../../src/main/render/style.ts"
import { diffPages, type SectionDiff } from "../../../src/model/merge/SectionDiff.ts"

const from = "a4b2c1d3".padEnd(40, "0")
const to = "99887766".padEnd(40, "0")

const summary = (slug: string, diff: SectionDiff) => diffText(slug, diff, { bodies: false, style: plainStyle })

describe("ctx diff", () => {
  it("shows every status, with counts and who introduced a section", () => {
    const text = summary("retry-rule", {
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
    const text = summary("x", { from_sha: "", to_sha: "local", frontmatter: {}, sections: [] })
    expect(text).toBe('diff: x   ""..local\n\n(no changes)')
  })

  it("says when the versions could only be compared whole", () => {
    const whole = { from_sha: from, to_sha: to, frontmatter: {}, sections: null, parse_fallback: true }
    expect(summary("x", whole).split("\n")[2]).toBe(
      "(the frontmatter of a version could not be read: whole files are compared)"
    )
  })

  const page = (body: string) => `---\nslug: x\n---\n${body}`
  const before = page(
    "## Decision\n\none\ntwo\nthree\nWe retry three times.\nfour\nfive\nsix\n\n## Moved\nm\n\n## Stays\ns\n\n## Gone\ng\n"
  )
  const after = page(
    "## Moved\nm\n\n## Decision\n\none\ntwo\nthree\nWe retry five times.\nfour\nfive\nsix\n\n## Stays\ns\n\n## New\nn\n"
  )
  const diff = { from_sha: from, to_sha: to, ...diffPages(before, after) }

  it("shows the changed lines with two around them, and says what moved", () => {
    expect(diffText("x", diff, { bodies: true, style: plainStyle })).toBe(
      [
        "diff: x   a4b2c1d..9988776",
        "",
        "Sections",
        "  > ## Moved (moved)",
        "  ~ ## Decision (2 lines changed)",
        "        ...",
        "        two",
        "        three",
        "      - We retry three times.",
        "      + We retry five times.",
        "        four",
        "        five",
        "        ...",
        "  = ## Stays",
        "  + ## New (1 line added)",
        "      + n",
        "  - ## Gone (1 line removed)",
        "      - g"
      ].join("\n")
    )
  })

  it("marks on a terminal what changed within a line", () => {
    const text = diffText("x", diff, { bodies: true, style: colourStyle })
    expect(text).toContain("      \u001b[31m- We retry \u001b[7mthree\u001b[27m times.\u001b[39m\n")
    expect(text).toContain("      \u001b[32m+ We retry \u001b[7mfive\u001b[27m times.\u001b[39m\n")
    expect(text).toContain("\u001b[32m+ n\u001b[39m")
    const unlike = { heading: "## A", status: "modified", line_diff: "- one\n+ other words" } as const
    expect(diffText("x", { ...diff, sections: [unlike] }, { bodies: true, style: colourStyle })).not.toContain(
      "\u001b[7m"
    )
  })
})
