import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc, Option } from "effect"
import { type Node, Parser } from "commonmark"
import { referencesOf, renameReferences, renameSelf, resolveReference } from "../../../src/model/page/Links.ts"
import { pagePath } from "../../../src/model/page/PagePath.ts"
import { Slug } from "../../../src/model/page/Slug.ts"
import { wikiLinks } from "../../../src/model/page/WikiLinks.ts"
import { processorTime } from "../../support/processorTime.ts"

const slugs = (body: string) => wikiLinks(body).map(({ slug }) => slug)

describe("[[links]] of a body", () => {
  it("are found with label and heading, and point at the slug's own bytes", () => {
    const body = "see [[retry-rule|the rule]], [[ b#State ]] and | [[c\\|cell]] |\r\n\n> [[d]]\n> more\n\n- ## [[e]]\n"
    expect(wikiLinks(body).map(({ end, start }) => body.slice(start, end))).toEqual(["retry-rule", "b", "c", "d", "e"])
  })

  it.each([
    ["a code span", "`[[a]]` and ``x ` [[a]]``"],
    ["a fence", "```\n[[a]]\n```\n"],
    ["a fence in a list", "- x\n  ~~~\n  [[a]]\n  ~~~\n"],
    ["indented code", "x\n\n    [[a]]\n"],
    ["a tag's attribute", 'x <a title="[[a]]">'],
    ["an autolink", "<https://x.example/[[a]]>"],
    ["a comment", "x <!-- [[a]] -->\n\n<!--\n[[a]]\n-->\n"],
    ["verbatim HTML", "<pre>\n[[a]]\n</pre>\n"],
    ["an escaped bracket", "\\[[a]] and [\\[a]]"],
    ["a text that is no slug", "[[two words]] [[-x]] [[a..b]] [[a/b]] [[]] [[ -f x ]]"],
    ["a label that does not end", "[[a|x\n]] [[a|`x]]`"]
  ])("are none in %s", (_, body) => {
    expect(slugs(body)).toEqual([])
  })

  it("are found behind what only looks like code or a tag", () => {
    expect(slugs("`` [[a]] ` x\n\n\\`[[b]]\\` and < [[c]] > <a [[d]]\n\n<div>\n[[e]]\n</div>\n")).toEqual([..."abcde"])
  })

  const marks = "[[a]];[[b|x]];[[c|`]];`;``;\\`;\\\\;\\<;<a b=';'>;<!--;-->;<x>;<?;?>; ;z".split(";")
  const breaks = ["", "", "    ", "```\n", "~~~\n", "> ", "- ", "1. ", "# ", "===\n", "<div>\n", "<pre>\n"].map(
    (b) => `\n${b}`
  )
  const piece = fc.constantFrom(...marks, ...breaks)
  it("are those that CommonMark's own parser leaves as text", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const body = pieces.join("")
        expect(slugs(body)).toEqual(slugsByParser(body))
      }),
      { numRuns: 500 }
    )
  })

  it.each([
    ["backticks of all lengths", Array.from({ length: 1400 }, (_, n) => "`".repeat(n)).join(" [[a]] ")],
    ["brackets", "[".repeat(1_000_000)],
    ["open links", "[[a|".repeat(250_000)],
    ["open tags", "<a b='[[a]] ".repeat(80_000)],
    ["comments without end", "<!-- [[a]] ".repeat(90_000)],
    ["deep quotes", `${">".repeat(500_000)}[[a]]`],
    ["links", "[[retry-rule]] ".repeat(66_000)]
  ])("are found in linear time in 1 MB of %s", (_, body) => {
    expect(processorTime(() => void wikiLinks(body))).toBeLessThan(1_500)
  })
})

const page = (yaml: string, body: string) => `---\nslug: p\ntype: concept\n${yaml}---\n${body}`
const path = pagePath("concept", Slug.make("p"))
const all = new Set(["related", "sources", "link"] as const)
const rename = (text: string, from: string, to: string) =>
  Either.getOrThrow(renameReferences(path, text, from, to, all))

describe("references", () => {
  it("are the slugs of both lists and the links, each once; URLs and paths are none", () => {
    const text = page(
      "related: [a, a]\nsources:\n  - s\n  - https://x.example/a\n  - docs/a.md\n",
      "[[b]] [[b]] `[[c]]`\n"
    )
    expect(referencesOf(text)).toEqual([
      { kind: "related", slug: "a" },
      { kind: "sources", slug: "s" },
      { kind: "link", slug: "b" }
    ])
  })

  it("mean the first type that has the slug, sources a source page first, in any case", () => {
    const has =
      (...there: ReadonlyArray<string>) =>
      (type: string, slug: string) =>
        there.includes(`${type} ${slug}`)
    const resolve = (kind: "sources" | "link", ...there: ReadonlyArray<string>) =>
      Option.getOrNull(resolveReference({ kind, slug: "Auth" }, has(...there)))
    expect(resolve("link", "source auth", "entity auth")).toBe("entity")
    expect(resolve("sources", "source auth", "entity auth")).toBe("source")
    expect(resolve("sources", "entity auth")).toBe("entity")
    expect(resolve("link")).toBeNull()
  })

  it("are renamed in every spelling of YAML, and no other byte changes", () => {
    const text = page(
      "# why\nrelated: [ old , 'old', \"old\", older ]  # keep\nsources:\n   - old # here\n   - other\n",
      "\r\n[[old|Old]] and [[OLD#x]], not `[[old]]` or [[older]].\n"
    )
    expect(rename(text, "old", "new-name")).toBe(
      page(
        "# why\nrelated: [ new-name , 'new-name', \"new-name\", older ]  # keep\nsources:\n   - new-name # here\n   - other\n",
        "\r\n[[new-name|Old]] and [[new-name#x]], not `[[old]]` or [[older]].\n"
      )
    )
    expect(rename(page("related: old\n", "x"), "old", "on")).toBe(page('related: "on"\n', "x"))
  })

  it("are left alone, with the reason, where YAML entangles them", () => {
    const left = renameReferences(path, page("title: &t old\nrelated: [*t]\n", "x"), "old", "new", all)
    expect(Either.isLeft(left)).toBe(true)
  })

  const item = fc.constantFrom("old", "'old'", '"old"', "other", "'o t'", "x.y")
  const list = fc
    .array(item, { minLength: 1, maxLength: 4 })
    .chain((items) =>
      fc.constantFrom(
        `[${items.join(", ")}]\n`,
        `\n${items.map((one) => `  - ${one} # c\n`).join("")}`,
        `${items[0]}\n`
      )
    )
  const prose = fc.array(
    fc.constantFrom("[[old]]", "[[old|l]]", "[[other]]", "`", "\n", "\n```\n", "é ", "\r\n", "text "),
    { maxLength: 12 }
  )
  it("renamed there and back are the page, byte for byte, and in between name the new slug only", () => {
    fc.assert(
      fc.property(list, list, prose, fc.constantFrom("", "\ufeff"), (related, sources, body, bom) => {
        const text = bom + page(`related: ${related}tags: [old]\nsources: ${sources}`, body.join(""))
        const there = rename(text, "old", "zz-9")
        expect(referencesOf(there)).toEqual(
          referencesOf(text).map((one) => (one.slug === "old" ? { ...one, slug: "zz-9" } : one))
        )
        expect(rename(there, "zz-9", "old")).toBe(text)
      }),
      { numRuns: 300 }
    )
  })
})

describe("a page under another name", () => {
  it("says so in its own slug and type, where they stood", () => {
    const to = pagePath("entity", Slug.make("q"))
    expect(Either.getOrThrow(renameSelf(page("x: 1\n", "b\n"), path, to))).toBe(
      "---\nslug: q\ntype: entity\nx: 1\n---\nb\n"
    )
    expect(Either.getOrThrow(renameSelf("---\nx: 1\n---\nb\n", path, to))).toBe("---\nx: 1\n---\nb\n")
  })
})

/** The same question to the whole parser of the package. */
const slugsByParser = (body: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const look = (text: string) => {
    for (const match of text.matchAll(/\[\[([a-z])(?:\|[^[\]\n]*)?\]\]/g)) found.push(match[1] ?? "")
  }
  const walker = new Parser().parse(body).walker()
  let text = ""
  for (let event = walker.next(); event !== null; event = walker.next()) {
    const { entering, node } = event
    if (node.type === "html_block" && !verbatim(node)) look(node.literal ?? "")
    if (node.type === "text") text += node.literal ?? ""
    else if (node.type === "softbreak" || node.type === "linebreak") text += "\n"
    else if (node.type === "code" || node.type === "html_inline") text += "\0"
    if (!entering && (node.type === "paragraph" || node.type === "heading")) {
      look(text)
      text = ""
    }
  }
  return found
}

const verbatim = (node: Node) => "_htmlBlockType" in node && Number(node._htmlBlockType) < 6
