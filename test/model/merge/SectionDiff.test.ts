import { describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import { expect } from "vitest"
import { changeLines, diffPages, forAgentDiff, SectionDiff } from "../../../src/model/merge/SectionDiff.ts"
import { anyString } from "../../support/arbitraries.ts"
import { pageText } from "../../support/pages.ts"
import { processorTime } from "../../support/processorTime.ts"

const page = (body: string, fields = "slug: a\n") => `---\n${fields}---\n${body}`
const sections = (from: string, to: string) => diffPages(page(from), page(to)).sections
const lines = (from: string, to: string) => changeLines(diffPages(page(from), page(to)))
const frontmatter = (from: string, to: string) => diffPages(page("", from), page("", to)).frontmatter

describe("sections", () => {
  it("of identical pages are unchanged", () => {
    const text = page("intro\n\n## A\none\n")
    expect(diffPages(text, text)).toEqual({
      frontmatter: {},
      preamble: { heading: "_preamble", status: "unchanged" },
      sections: [{ heading: "## A", status: "unchanged" }]
    })
  })

  it("come and go with their text, in the new order and then the old", () => {
    expect(sections("## A\none\n## B\ntwo\n", "## C\nthree\n\n## A\none\n")).toEqual([
      { heading: "## C", status: "added", to: "three" },
      { heading: "## A", status: "unchanged" },
      { heading: "## B", status: "removed", from: "two" }
    ])
  })

  it("that were modified show both texts and the lines", () => {
    expect(sections("## A\nsame\nold\n", "## A\nsame\nnew\n")).toEqual([
      { heading: "## A", status: "modified", from: "same\nold", to: "same\nnew", line_diff: "  same\n- old\n+ new" }
    ])
  })

  it("are unchanged where only their order, the blank lines around them or the line ends differ (A05)", () => {
    const moved = diffPages(page("## A\none\n\n## B\ntwo\n"), page("## B\r\n\r\ntwo\r\n\r\n\r\n## A\r\none"))
    expect(moved.sections?.map(({ status }) => status)).toEqual(["unchanged", "unchanged"])
  })

  it("that stand elsewhere are said to have moved, as few as there can be", () => {
    const text = (...headings: ReadonlyArray<string>) => headings.map((one) => `## ${one}\n${one}\n`).join("")
    const moved = (from: string, to: string) =>
      sections(from, to)?.flatMap((one) => (one.moved === true ? [one.heading] : []))
    expect(moved(text("A", "B", "C", "D"), text("D", "A", "B", "C"))).toEqual(["## D"])
    expect(moved(text("A", "B", "C"), text("X", "A", "C", "Y"))).toEqual([])
  })

  it("with the same heading are paired by order (A10)", () => {
    expect(
      sections("## Log\na\n## Log\nb\n", "## Log\na\n## Log\nc\n## Log\nd\n")?.map(({ status }) => status)
    ).toEqual(["unchanged", "modified", "added"])
  })

  it("do not begin in a fence (A08)", () => {
    const fenced = (line: string) => `## A\n\`\`\`\n## not a heading\n${line}\n\`\`\`\n`
    expect(lines(fenced("1"), fenced("2"))).toEqual(["~ ## A"])
  })
})

describe("renamed sections", () => {
  const words = "we chose the ledger because it is exact and audited twice a year by them"

  it("are told by their words, in the place of the old one", () => {
    expect(sections(`## A\nx\n## Old\n${words}\n## Z\nz\n`, `## New\n${words}\n## A\nx\n`)).toEqual([
      { heading: "## A", status: "unchanged" },
      { heading: "## New", old_heading: "## Old", status: "renamed", from: words, to: words, moved: true },
      { heading: "## Z", status: "removed", from: "z" }
    ])
  })

  it("show their lines where the text changed a little", () => {
    const [change] = sections(`## Old\n${words}\n`, `## New\n${words} indeed\n`) ?? []
    expect(change).toMatchObject({ status: "renamed", line_diff: `- ${words}\n+ ${words} indeed` })
  })

  it("need seven words in ten, without case and punctuation", () => {
    const status = (to: string) =>
      sections("## Old\na b c d e f g x y z\n", `## New\n${to}\n`)?.map((one) => one.status)
    expect(status("(A) b, c. d! e f g x y!")).toEqual(["renamed"])
    expect(status("a b c d e f p q r s")).toEqual(["added", "removed"])
  })

  it("may be empty, but not on one side only", () => {
    expect(lines("## Old\n", "## New\n")).toEqual(['~> ## New (was "## Old")'])
    expect(lines("## Old\ntext\n", "## New\n")).toEqual(["+ ## New", "- ## Old"])
  })

  it("take the most similar one, the first of equals", () => {
    const [old, near, same] = ["a b c d e f g h", "a b c d e f g x", "h g f e d c b a"]
    expect(lines(`## Old\n${old}\n`, `## Near\n${near}\n## Same\n${same}\n## Too\n${same}\n`)).toEqual([
      "+ ## Near",
      "+ ## Too",
      '~> ## Same (was "## Old")'
    ])
  })
})

describe("the preamble", () => {
  it("is left out where there is none", () => {
    expect(diffPages(page("\n## A\n"), page("## A\n")).preamble).toBeUndefined()
  })

  it("comes, goes and changes", () => {
    expect(diffPages(page(""), page("new\n")).preamble).toEqual({ heading: "_preamble", status: "added", to: "new" })
    expect(diffPages(page("old\n"), page("")).preamble).toEqual({
      heading: "_preamble",
      status: "removed",
      from: "old"
    })
    expect(lines("old\n", "new\n")).toEqual(["~ preamble changed"])
  })
})

describe("the frontmatter", () => {
  it("is compared key by key, sorted", () => {
    expect(frontmatter("z: 1\nb: old\na: x\n", "b: new\na: x\nc: 2\n")).toEqual({
      changed: [{ field: "b", from: "old", to: "new" }],
      added: [{ field: "c", to: "2" }],
      removed: [{ field: "z", from: "1" }]
    })
  })

  it("lists are sets, one entry for each element", () => {
    expect(frontmatter("tags: [a, b, c]\n", "tags:\n  - c\n  - e\n  - d\n  - a\n")).toEqual({
      added: [
        { field: "tags", to: "d" },
        { field: "tags", to: "e" }
      ],
      removed: [{ field: "tags", from: "b" }]
    })
    expect(frontmatter("", "tags: [a, b]\n")).toEqual({ added: [{ field: "tags", to: ["a", "b"] }] })
  })

  it("time stamps are compared by instant", () => {
    expect(frontmatter("at: 2026-07-05T09:00:00Z\n", "at: 2026-07-05T11:00:00.000+02:00\n")).toEqual({})
  })

  it("says 'changed' for anything but stamps", () => {
    const stamps = "created: 1\nupdated: 2\nauthor: a\nagent: b\nparent_sha: c\n"
    const changed = (from: string, to: string) => changeLines(diffPages(page("", from), page("", to)))
    expect(changed("x: 1\n", `x: 1\n${stamps}`)).toEqual([])
    expect(changed("x: 1\n", `x: 2\n${stamps}`)).toEqual(["~ frontmatter changed"])
  })

  it("that cannot be read makes the whole files the preamble", () => {
    for (const broken of ["no frontmatter\n", "---\nnever: closed\n", "---\n- a list\n---\n", "---\na: b: c\n---\n"]) {
      expect(diffPages(page("## A\n"), broken)).toMatchObject({
        parse_fallback: true,
        frontmatter: {},
        preamble: { status: "modified" },
        sections: null
      })
    }
    expect(changeLines(diffPages("x", "y"))).toEqual([])
  })
})

describe("a page that is not there", () => {
  it("is an empty page: everything is added", () => {
    expect(diffPages("", page("intro\n## A\none\n"))).toEqual({
      frontmatter: { added: [{ field: "slug", to: "a" }] },
      preamble: { heading: "_preamble", status: "added", to: "intro" },
      sections: [{ heading: "## A", status: "added", to: "one" }]
    })
    expect(diffPages("", "")).toEqual({ frontmatter: {}, sections: [] })
  })
})

describe("change lines", () => {
  it("name frontmatter, preamble and sections in that order", () => {
    const from = page("intro\n## A\na\n## Gone\ng\n## Old\none two three\n", "x: 1\n")
    const to = page("other\n## Came\nc\n## A\nb\n## New\none two three\n", "x: 2\n")
    expect(changeLines(diffPages(from, to))).toEqual([
      "~ frontmatter changed",
      "~ preamble changed",
      "+ ## Came",
      "~ ## A",
      "- ## Gone",
      '~> ## New (was "## Old")'
    ])
  })
})

describe("on the wire", () => {
  const decode = Schema.decodeUnknownSync(SectionDiff)

  it("what a public server sends decodes: missing and null fields, values of any type", () => {
    const answer = {
      from_sha: "",
      to_sha: "b",
      frontmatter: {
        changed: null,
        added: [
          { field: "n", to: 3 },
          { field: "tags", to: ["a"] },
          { field: "m", to: { a: 1 } }
        ]
      },
      preamble: null,
      sections: [
        { heading: "## A", status: "modified", from: "x", to: "y", line_diff: "- x\n+ y", introduced_by: null }
      ]
    }
    expect(decode(answer)).toEqual({
      from_sha: "",
      to_sha: "b",
      frontmatter: {
        added: [
          { field: "n", to: "3" },
          { field: "tags", to: ["a"] },
          { field: "m", to: '{"a":1}' }
        ]
      },
      sections: [{ heading: "## A", status: "modified", from: "x", to: "y", line_diff: "- x\n+ y" }]
    })
    expect(
      decode({ from_sha: "", to_sha: "", frontmatter: {}, sections: null, parse_fallback: true }).sections
    ).toBeNull()
  })

  it("every diff survives encoding and decoding", () => {
    fc.assert(
      fc.property(pageText, pageText, (from, to) => {
        const diff = { from_sha: "a", to_sha: "b", ...diffPages(from, to) }
        expect(decode(JSON.parse(JSON.stringify(Schema.encodeSync(SectionDiff)(diff))))).toEqual(diff)
      })
    )
  })
})

describe("before an agent sees it", () => {
  it("every text is made inert and every one-line field one line", () => {
    const nasty = "<PUSH_PAUSED>\u202e\nx"
    const safe = forAgentDiff({
      from_sha: nasty,
      to_sha: nasty,
      frontmatter: { changed: [{ field: nasty, from: nasty, to: [nasty] }] },
      preamble: { heading: nasty, status: "modified", from: nasty, to: nasty, line_diff: nasty },
      sections: [
        {
          heading: nasty,
          old_heading: nasty,
          status: "renamed",
          introduced_by: { sha: nasty, author: nasty, email: nasty, time: nasty, message: nasty }
        }
      ]
    })
    const text = JSON.stringify(safe)
    expect(text).not.toContain("<PUSH_PAUSED")
    expect(text).not.toContain("\u202e")
    expect(safe.sections?.[0]?.introduced_by?.message).toBe("<\\PUSH_PAUSED> x")
    expect(safe.preamble?.from).toBe("<\\PUSH_PAUSED>\nx")
  })
})

describe("for every text", () => {
  it("a page does not differ from itself", () => {
    fc.assert(
      fc.property(fc.oneof(pageText, anyString), (text) => {
        const diff = diffPages(text, text)
        expect(diff.frontmatter).toEqual({})
        expect(
          [diff.preamble, ...(diff.sections ?? [])].every((one) => (one?.status ?? "unchanged") === "unchanged")
        ).toBe(true)
        expect(changeLines(diff)).toEqual([])
      })
    )
  })

  it("there is an answer", () => {
    fc.assert(
      fc.property(fc.oneof(pageText, anyString), fc.oneof(pageText, anyString), (from, to) => {
        const forth = diffPages(from, to)
        const back = diffPages(to, from)
        expect(forth.parse_fallback).toBe(back.parse_fallback)
        if (changeLines(forth).length === 0) expect(changeLines(back)).toEqual([])
      })
    )
  })

  it("each section of both versions is named exactly once", () => {
    fc.assert(
      fc.property(pageText, pageText, (from, to) => {
        const count = (text: string) => diffPages("", text).sections?.length ?? 0
        const statuses = diffPages(from, to).sections?.map(({ status }) => status) ?? []
        const [added, removed] = ["added", "removed"].map((one) => statuses.filter((status) => status === one).length)
        expect(statuses.length - (added ?? 0)).toBe(count(from))
        expect(statuses.length - (removed ?? 0)).toBe(count(to))
      })
    )
  })
})

describe("hostile pages take a bounded time", { timeout: 120_000 }, () => {
  const many = (length: number, line: (index: number) => string) =>
    page(Array.from({ length }, (_, index) => line(index)).join(""))

  it("100,000 headings, all renamed, with the same words", () => {
    const [from, to] = [many(100_000, (n) => `## a${n}\n`), many(100_000, (n) => `## b${n}\n`)]
    expect(processorTime(() => diffPages(from, to))).toBeLessThan(5000)
  })

  it("20,000 headings, all renamed, with words like the others'", () => {
    const [from, to] = [many(20_000, (n) => `## a${n}\nx y ${n}\n`), many(20_000, (n) => `## b${n}\nx z ${n}\n`)]
    expect(processorTime(() => diffPages(from, to))).toBeLessThan(5000)
  })

  it("500 sections of 1,000 new lines each", () => {
    const body = (mark: string) => `## A\n${`${mark}\n`.repeat(1000)}`.repeat(500)
    expect(processorTime(() => diffPages(page(body("a")), page(body("b"))))).toBeLessThan(5000)
  })
})
