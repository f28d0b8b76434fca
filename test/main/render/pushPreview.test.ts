import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import type { PreviewedPage, PushPreview } from "../../../src/effects/sync/pushPreview.ts"
import { previewText } from "../../../src/main/render/pushPreview.ts"
import { plainStyle } from "../../../src/main/render/style.ts"
import { pagePath } from "../../../src/model/page/PagePath.ts"
import { diffPages } from "../../../src/model/merge/SectionDiff.ts"
import { Slug } from "../../../src/model/page/Slug.ts"

const path = pagePath("concept", Slug.make("a"))
const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n${body}`
const edited = (before: string, after: string): PreviewedPage => ({
  path,
  change: "edit",
  diff: Option.some(diffPages(before, after)),
  moved: false
})
const added: PreviewedPage = { path, change: "new", diff: Option.none(), moved: false }
const preview = (...pages: ReadonlyArray<PreviewedPage>): PushPreview => ({ pages, same: [], unasked: Option.none() })
const say = (found: PushPreview, showDiff = false) => previewText("acme-api", found, { showDiff, style: plainStyle })

describe("the preview of a push", () => {
  it("names each page and what changes in it, at most four things", () => {
    const words = "one two three four five six seven"
    const before = page("x", `## A\na\n## C\nc\n## E\n${words}\n`)
    const after = page("y", `p\n\n## A\nb\n## B\nb\n## D\n${words}\n`)
    expect(
      say(
        preview(
          added,
          edited(before, after),
          edited("---\n---\n## A\n", "---\n---\n\n## A\n"),
          { ...added, change: "edit" },
          { ...edited(before, before), moved: true },
          { ...added, change: "same" }
        )
      )
    ).toBe(
      [
        "About to push 6 page(s) to acme-api:",
        "  [NEW]   wiki/concepts/a.md",
        "  [EDIT]  wiki/concepts/a.md  (frontmatter, preamble, ~ A, + B, +2 more)",
        "  [EDIT]  wiki/concepts/a.md  (no section changed)",
        "  [EDIT]  wiki/concepts/a.md  (the version it was edited from is not here)",
        "  [EDIT]  wiki/concepts/a.md  (no section changed; the server has another version: a merge)",
        "  [SAME]  wiki/concepts/a.md"
      ].join("\n")
    )
  })

  it("shows the lines that change where it is asked to, and what stays, and that the server was not asked", () => {
    const found = preview(edited(page("x", "## A\none\n"), page("x", "## A\ntwo\n")))
    expect(say({ ...found, same: [path], unasked: Option.some("it did not\nanswer") }, true)).toBe(
      [
        "About to push 1 page(s) to acme-api:",
        "  [EDIT]  wiki/concepts/a.md  (~ A)",
        "          Sections",
        "            ~ ## A (2 lines changed)",
        "                - one",
        "                + two",
        "  [SAME]  wiki/concepts/a.md",
        "(from what is known here; the server was not asked: it did not answer)"
      ].join("\n")
    )
    const many = Array.from({ length: 11 }, () => path)
    expect(say({ ...preview(), same: many }).split("\n")[1]).toBe("  [SAME]  11 page(s)")
  })
})
