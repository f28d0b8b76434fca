import { describe, it } from "@effect/vitest"
import { type Node, Parser } from "commonmark"
import { FastCheck as fc } from "effect"
import { expect } from "vitest"
import { cutSections, parseSections, parseVersion } from "../../../src/model/markdown/Sections.ts"
import { anyString } from "../../support/arbitraries.ts"
import { markdown } from "../../support/markdown.ts"
import { versions } from "../../support/pages.ts"
import { processorTime } from "../../support/processorTime.ts"

const headings = (body: string) => parseSections(body).sections.map(({ heading }) => heading)
const texts = (body: string) => parseSections(body).sections.map(({ text }) => text)

describe("where a section begins", () => {
  it("begins at a second-level heading; what stands before the first is the preamble", () => {
    const { preamble, sections } = parseSections("# Title\nintro\n\n## A\none\n\n## B\ntwo\n")
    expect(preamble).toBe("# Title\nintro\n\n")
    expect(sections).toEqual([
      { heading: "## A", ordinal: 0, text: "## A\none\n\n", body: "one\n\n" },
      { heading: "## B", ordinal: 0, text: "## B\ntwo\n", body: "two\n" }
    ])
  })

  it("leaves first-level and deeper headings to their surroundings", () => {
    expect(texts("## A\n# One\n### Three\nx\n")).toEqual(["## A\n# One\n### Three\nx\n"])
  })

  it("knows underlined headings, labels them like the others and joins their lines", () => {
    expect(headings("One\n---\ntext\n\n  Two\nlines  \n-\n")).toEqual(["## One", "## Two lines"])
    expect(headings("One\n---")).toEqual(["## One"])
  })

  it("leaves the link definitions above an underlined heading to what stands before it", () => {
    expect(parseSections("[a]: /url\n[b]: /url\nTitle\n---\nx").preamble).toBe("[a]: /url\n[b]: /url\n")
  })

  it("does not look into fences (A08)", () => {
    const body = "## A\n```bash\n## not a heading\n```\ntail\n## B\n"
    expect(texts(body)).toEqual(["## A\n```bash\n## not a heading\n```\ntail\n", "## B\n"])
    expect(headings("~~~\n## x\n```\n## y\n~~~~\n## A\n")).toEqual(["## A"])
    expect(headings("```\n## open to the end\n")).toEqual([])
  })

  it("does not look into HTML blocks, indented code, quotes and lists", () => {
    expect(headings("<!--\n## x\n-->\n## A\n")).toEqual(["## A"])
    expect(headings("<div>\n## x\n\n## A\n")).toEqual(["## A"])
    expect(headings("    ## x\n\n## A\n")).toEqual(["## A"])
    expect(headings("> ## x\n\n- ## y\n\n  ## z\n\n## A\n")).toEqual(["## A"])
  })

  it("keeps hashes that belong to the text, and drops a closing run (A09)", () => {
    expect(headings("## C#\n## F##\n## Use ##\n##\n## #\n##\tTab\n## a # b\n## \\#\n")).toEqual([
      "## C#",
      "## F##",
      "## Use",
      "##",
      "##",
      "## Tab",
      "## a # b",
      "## \\#"
    ])
  })

  it("numbers headings of the same text, and keeps their children with them (A10)", () => {
    const { sections } = parseSections("## Log\na\n### Sub\n## Log\nb\n")
    expect(sections.map(({ heading, ordinal, text }) => [heading, ordinal, text])).toEqual([
      ["## Log", 0, "## Log\na\n### Sub\n"],
      ["## Log", 1, "## Log\nb\n"]
    ])
  })

  it("reads CRLF and lone CR as line ends, and keeps them (A05)", () => {
    expect(texts("## A\r\ntext\r\n## B\r\n")).toEqual(["## A\r\ntext\r\n", "## B\r\n"])
    expect(texts("## A\rtext\r## B")).toEqual(["## A\rtext\r", "## B"])
    expect(headings("## A\u2028## no line end\n")).toEqual(["## A\u2028## no line end"])
  })

  it("looks past a BOM (A04)", () => {
    expect(parseSections("\ufeff## A\n")).toMatchObject({
      preamble: "\ufeff",
      sections: [{ heading: "## A", ordinal: 0, text: "## A\n", body: "" }]
    })
  })
})

describe("for every text", () => {
  it("another version's sections are as if nothing were known of it", () => {
    fc.assert(
      fc.property(versions, markdown, ({ ancestor, mine, theirs }, other) => {
        for (const [before, after] of [
          [ancestor, mine],
          [mine, theirs],
          [theirs, ancestor],
          [other, ancestor]
        ] as const) {
          const { preamble, sections } = parseSections(after)
          expect(parseVersion(after, parseSections(before))).toEqual({ preamble, sections })
        }
      }),
      { numRuns: 500 }
    )
  })

  it("nor do sections that share a heading lose count when some go, come or move", () => {
    const anyBody = fc
      .array(fc.tuple(fc.constantFrom("A", "B", "C"), fc.constantFrom("x", "y")), { maxLength: 7 })
      .map((parts) => parts.map(([heading, text]) => `## ${heading}\n${text}\n`).join(""))
    fc.assert(
      fc.property(anyBody, anyBody, (before, after) => {
        const { preamble, sections } = parseSections(after)
        expect(parseVersion(after, parseSections(before))).toEqual({ preamble, sections })
      }),
      { numRuns: 1000 }
    )
  })

  it("preamble and sections are the body, byte for byte", () => {
    fc.assert(
      fc.property(fc.oneof(markdown, anyString), (body) => {
        const { preamble, sections } = parseSections(body)
        expect(preamble + sections.map(({ text }) => text).join("")).toBe(body)
        for (const { body: rest, text } of sections) expect(text.endsWith(rest)).toBe(true)
      }),
      { numRuns: 500 }
    )
  })

  it("headings are those that CommonMark sees", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        expect(headingLines(text)).toEqual(lastLines(new Parser().parse(text)))
      }),
      { numRuns: 3000 }
    )
  })
})

describe("a link definition above an underline", () => {
  const piece = fc.constantFrom(
    ..."[a]: |[b]:\n|/url|<u v>|<|>|()|(|)|'t'|\"t|\"|'|(t)|\\|\\)|[|]|:| |\n|\n|x|\0|\t|[ ]: |&amp;|[c]: /u\n|=\n|-\n".split(
      "|"
    )
  )
  it("is no text of the heading, as CommonMark sees it", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = `[a]: ${pieces.join("")}\n--\nx\n--\n`
        expect(headingLines(text)).toEqual(lastLines(new Parser().parse(text)))
      }),
      { numRuns: 2000 }
    )
  })
})

/** The line that each heading ends in. */
const headingLines = (text: string) => {
  const lines: Array<number> = []
  cutSections(text, (_, __, bodyStart) => {
    const above = text.slice(0, bodyStart).replace(/(\r\n|\n|\r)$/, "")
    lines.push(above.split(/\r\n|\n|\r/).length)
  })
  return lines
}

const lastLines = (document: Node): ReadonlyArray<number> => {
  const lines: Array<number> = []
  for (let node = document.firstChild; node !== null; node = node.next) {
    if (node.type === "heading" && node.level === 2) lines.push(node.sourcepos[1][0])
  }
  return lines
}

describe("hostile text of 1 MB takes less than a second", { timeout: 120_000 }, () => {
  const filled = (piece: string) => piece.repeat(Math.ceil(1_000_000 / piece.length))
  const cases: Record<string, string> = {
    "deep quotes": filled(">"),
    "deep quotes, line after line": filled(`${">".repeat(1000)} x\n`),
    "deep lists": `${filled("- ")}x`,
    "a deep list and far indentation": `${"* - ".repeat(100)}x\n${filled(`${" ".repeat(400)}y\n`)}`,
    "a deep list and blank lines": `${"- ".repeat(1000)}x\n${filled("\n")}`,
    "a deep list that each line closes": filled(`${"- ".repeat(500)}x\ny\n`),
    "quotes around deep lists": `> ${"- ".repeat(100_000)}x\n${filled(">\n")}`,
    "short items": filled("- item\n"),
    "underlined headings": filled("Title\n-----\n"),
    fences: filled("```\n## x\n```\n"),
    "elements of HTML": filled("<div>\n\n"),
    "link definitions and underlines": filled("[a]: /u\n-\n"),
    "runs of emphasis": filled("*a_ "),
    "one line": "x".repeat(1_000_000),
    newlines: filled("\n"),
    "a heading with a long run of blanks": `## a${filled(" ")}x`,
    backticks: `${filled("`")}x\``,
    "an open link title": `[a]: b "${filled('\\"')}`,
    tags: `<a${filled(" b=c")}`
  }
  it.each(Object.entries(cases))("%s", (_, text) => {
    expect(processorTime(() => parseSections(text))).toBeLessThan(1000)
  })

  it("100,000 headings", () => {
    const body = Array.from({ length: 100_000 }, (_, index) => `## h${index}\n`).join("")
    expect(processorTime(() => parseSections(body))).toBeLessThan(1000)
    expect(parseSections(body).sections).toHaveLength(100_000)
  })
})

describe("below a hundred quotes and lists", () => {
  it("deeper ones are read as one, and hide and show nothing at the top", () => {
    const deep = `${">".repeat(150)} text\n`
    expect(headings(`${deep}${">".repeat(150)}\nTitle\n---\n`)).toEqual(["## Title"])
    expect(headings(`${deep}lazy\n---\n`)).toEqual([])
    expect(headings(`${deep}\n## A\n`)).toEqual(["## A"])
    expect(headings(`${"- ".repeat(150)}x\n\n## A\n`)).toEqual(["## A"])
    expect(headings(`${"> - 1. ".repeat(60)}## x\n## A\n`)).toEqual(["## A"])
  })
})
