import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { isPortable, isSlug } from "../../../src/model/page/Slug.ts"
import { classify, suggestName } from "../../../src/services/page/PageNames.ts"

describe("names in a page folder", () => {
  it("are a page's, a foreign Markdown file's, or nobody's", () => {
    const kinds = {
      Page: ["a.md", "Auth-Flow.md", "_x.v2.md"],
      Foreign: ["é.md", "a b.md", "-x.md", "a..b.md", "A.MD"],
      Other: [".a.md", "a.txt", "_pending", "md"]
    }
    for (const [kind, names] of Object.entries(kinds)) expect(names.map(classify)).toEqual(names.map(() => kind))
  })

  it("that are foreign get a suggestion that is a portable page name, and nobody else's", () => {
    const word = fc.oneof(fc.fullUnicodeString(), fc.constantFrom("con", "a", "A", "-", "..", "é", "nul.x"))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), fc.array(word, { maxLength: 5 }), (parts, others) => {
        const taken = new Set(others.map((other) => suggestName(`${other}.md`, new Set()).toLowerCase()))
        const suggestion = suggestName(`${parts.join("")}.md`, taken)
        const slug = suggestion.slice(0, -".md".length)
        expect(suggestion.endsWith(".md") && isSlug(slug) && isPortable(slug)).toBe(true)
        expect(taken.has(suggestion.toLowerCase())).toBe(false)
      })
    )
  })

  it("keep what can be kept (A17)", () => {
    const suggest = (name: string) => suggestName(name, new Set(["taken.md"]))
    expect(["cafe\u0301.md", "Über uns.md", "a (copy).md", "taken!.md", "con .md", "!!!.md"].map(suggest)).toEqual([
      "cafe.md",
      "Uber-uns.md",
      "a-copy.md",
      "taken-2.md",
      "page-con.md",
      "page.md"
    ])
  })
})
