import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { previewText } from "../../../src/main/render/pushPreview.ts"
import { pagePath } from "../../../src/model/PagePath.ts"
import { Slug } from "../../../src/model/Slug.ts"

const path = pagePath("concept", Slug.make("a"))
const edited = (...changes: ReadonlyArray<string>) => ({ path, change: "edit" as const, changes: Option.some(changes) })

describe("the preview of a push", () => {
  it("names each page and what changes in it, at most four things", () => {
    expect(
      previewText("acme-api", [
        { path, change: "new", changes: Option.none() },
        edited("~ frontmatter changed", "~ preamble changed", "~ ## A", "+ ## B", "- ## C", '~> ## D (was "## E")'),
        edited('~> ## D (was "## E")'),
        edited(),
        { path, change: "edit", changes: Option.none() }
      ])
    ).toBe(
      [
        "About to push 5 page(s) to acme-api:",
        "  [NEW]   wiki/concepts/a.md",
        "  [EDIT]  wiki/concepts/a.md  (frontmatter, preamble, ~ A, + B, +2 more)",
        "  [EDIT]  wiki/concepts/a.md  (~> D)",
        "  [EDIT]  wiki/concepts/a.md  (no section changed)",
        "  [EDIT]  wiki/concepts/a.md  (the version it was edited from is not here)"
      ].join("\n")
    )
  })
})
