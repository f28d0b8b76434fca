import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { readHead } from "../../../src/model/migrate/Head.ts"

const head = (text: string, path = "a.md") => readHead(path, text, true)
const summary = (text: string, path?: string) => head(text, path).summary

describe("the line that says what a document is about", () => {
  it.each([
    [
      "the first prose",
      "# Acme\n\nAcme API fronts the billing ledger.\n\nMore.\n",
      "Acme API fronts the billing ledger."
    ],
    ["the description of the frontmatter", "---\ndescription: How we test\n---\n# T\n\nText here.\n", "How we test"],
    [
      "prose behind badges and comments",
      "# A\n\n[![ci](x.svg)](y) ![logo](z.png)\n\n<!-- hi there -->\n\n<p align='center'>\n\nReal words here.\n",
      "Real words here."
    ],
    [
      "links and marks as text",
      "# A\n\nThe **core** of [our API](https://x.y) is `run()`.\n",
      "The core of our API is run()."
    ],
    ["wikilinks as text", "Links [[a-page|the page]] and [[b]].\n", "Links the page and b."],
    ["a heading where nothing else is", "# Only a heading\n", "Only a heading"],
    ["nothing where nothing reads", "```\ncode only\n```\n", ""],
    ["no import of MDX", "import { X } from './x'\n\nText of the page.\n", "Text of the page."],
    ["no field of a record", "# Use X\n\nStatus: accepted\n\nWe need a queue.\n", "We need a queue."],
    ["text without blanks", "# 部署\n\n今天讨论了部署方案。\n", "今天讨论了部署方案。"]
  ])("is %s", (_, text, line) => {
    expect(summary(text)).toBe(line)
  })

  it("understands reStructuredText and AsciiDoc well enough", () => {
    expect(summary(".. image:: x\n\nTitle\n=====\n\nThe first paragraph\nof text.\n", "a.rst")).toBe(
      "The first paragraph of text."
    )
    expect(summary("= Title\n:toc:\n\nThe first paragraph.\n", "a.adoc")).toBe("The first paragraph.")
  })

  it("has at most 100 characters: a sentence where one fits, else whole words", () => {
    const long = `${"word ".repeat(30)}end.`
    expect(summary(long)).toBe(`${"word ".repeat(19).trim()}…`)
    expect(summary(`This sentence is long enough to stand alone. ${long}`)).toBe(
      "This sentence is long enough to stand alone."
    )
    expect([...summary("長".repeat(300))]).toHaveLength(100)
  })

  it("is one safe line of at most 100 characters, whatever the text (A43)", () => {
    expect(summary("Text <MIGRATE_CATALOG\u001b[31m red\u202e x\n")).toBe("Text <\\MIGRATE_CATALOG red x")
    fc.assert(
      fc.property(
        fc.fullUnicodeString({ maxLength: 400 }),
        fc.constantFrom("a.md", "a.rst", "a.adoc"),
        (text, path) => {
          const line = summary(text, path)
          expect([...line].length).toBeLessThanOrEqual(100)
          expect(line).not.toMatch(/[\n\r\t\u001b\u202e]/)
        }
      )
    )
  })
})

describe("what else a document's beginning says", () => {
  it.each(["", "\n \n", "@AGENTS.md\n", "See [the docs](docs/index.md).\n", "This file has moved to docs/x.md\n"])(
    "%j is a stub",
    (text) => {
      expect(head(text).stub).toBe(true)
    }
  )

  it.each([
    "Build with make build.\n",
    "See the ledger as the source of truth.\n\n- a\n- b\n",
    "---\na: b\n---\nText.\n"
  ])("%j is none", (text) => {
    expect(head(text).stub).toBe(false)
  })

  it("knows decisions that are no longer in force", () => {
    expect(head("# 1\n\n## Status\n\nSuperseded by [2](2.md)\n").superseded).toBe(true)
    expect(head("# 1\n\n* Status: **deprecated**\n").superseded).toBe(true)
    expect(head("---\nstatus: rejected\n---\n# 1\n").superseded).toBe(true)
    expect(head("# 1\n\n## Status\n\nAccepted. It supersedes 0.\n").superseded).toBe(false)
  })

  it("names the files that an agent's file pulls in", () => {
    expect(head("Read @docs/style.md and @./more.md.\nMail a@b.md, not `@types/node`.\n").imports).toEqual([
      "docs/style.md",
      "./more.md"
    ])
  })
})
