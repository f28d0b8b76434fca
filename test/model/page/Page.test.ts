import { describe, it } from "@effect/vitest"
import { Either, Option } from "effect"
import { expect } from "vitest"
import { invalidIdentity, invalidType, MalformedPage, type Page, parsePage } from "../../../src/model/page/Page.ts"
import { parsePagePath } from "../../../src/model/page/PagePath.ts"

const path = Option.getOrThrow(parsePagePath("wiki/analyses/auth-flow.md"))
const parse = (text: string) => parsePage(path, text)
const nothing: Omit<Page, "path" | "type" | "slug"> = {
  author: "",
  created: "",
  updated: "",
  tags: [],
  sources: [],
  related: [],
  body: ""
}

describe("reading a page", () => {
  it("gives every field as the text that stands there, type and slug from the path", () => {
    const text =
      'schema: ctx.page.v1\nslug: another\ntype: entity\nauthor: Jane\nagent: claude\ncreated: 2026-07-05T09:12:44.123456789Z\nupdated: "2026-07-06"\nparent_sha: ""\nsources:\n  - s\nrelated: [r, 010]\ntags:\n  - on\nreasoning_summary: 1458\n'
    expect(parse(`---\n${text}---\n\nbody\n`)).toEqual(
      Either.right({
        path,
        type: "analysis",
        slug: "auth-flow",
        author: "Jane",
        agent: "claude",
        created: "2026-07-05T09:12:44.123456789Z",
        updated: "2026-07-06",
        sources: ["s"],
        related: ["r", "010"],
        tags: ["on"],
        reasoningSummary: "1458",
        body: "\nbody\n"
      })
    )
  })

  it("does without what is missing or empty, as people write pages by hand", () => {
    const empty = { path, type: "analysis", slug: "auth-flow", ...nothing }
    expect(parse("---\n---\n")).toEqual(Either.right(empty))
    expect(parse("---\nagent:\ntags:\nsources: []\nreasoning_summary: ''\n---\n")).toEqual(Either.right(empty))
    expect(parse("---\ntags: one\nauthor: [a, b]\n---\n")).toEqual(
      Either.right({ ...empty, tags: ["one"], author: "a, b" })
    )
  })

  it.each([
    ["no frontmatter", "# 2026-04-11\n", "page: missing frontmatter (must start with '---\\n')"],
    ["nothing at all", "", "page: missing frontmatter (must start with '---\\n')"],
    ["an unclosed block (A07)", "---\nauthor: x\n\nbody\n", "page: unclosed frontmatter (no '---' terminator)"],
    ["a colon in a value (A01)", "---\ntitle: Core (Split: A)\n---\n", "page: parse frontmatter: line 2: "],
    [
      "a hash in a list (A03)",
      "---\ntype: concept\ntags: [#abc, def]\n---\n# t\n",
      "page: parse frontmatter: line 3: "
    ],
    ["a NUL in the block or the body (A12)", "---\na: b\n---\na\0b", "page: it holds a NUL character"]
  ])("names what is wrong: %s", (_, text, reason) => {
    const problem = Either.getOrThrow(Either.flip(parse(text)))
    expect(problem).toBeInstanceOf(MalformedPage)
    expect([problem.path, problem.reason]).toEqual([path, expect.stringContaining(reason)])
    expect(problem.message).toMatch(/^wiki\/analyses\/auth-flow\.md: page: .*mend it and try again\.$/)
  })
})

describe("the identity of a page about to be written", () => {
  const valid = { schema: "ctx.page.v1", slug: "a", type: "concept", author: "x", created: "2026-07-05T09:12:44Z" }

  it("is valid in its smallest form", () => {
    expect(invalidIdentity(valid)).toEqual(Option.none())
  })

  it.each([
    [{ schema: "" }, 'page: invalid schema "", expected "ctx.page.v1"'],
    [{ schema: "x" }, 'page: invalid schema "x", expected "ctx.page.v1"'],
    [{ slug: "" }, "page: slug required"],
    [
      { slug: "a/b" },
      `page: invalid slug "a/b" (use letters, digits, '-', '_', '.'; no '/', '\\', '..', or leading '-'/'.')`
    ],
    [{ type: "" }, "page: type required"],
    [{ type: "x" }, 'page: invalid type "x" (want concept|entity|source|analysis)'],
    [{ author: "" }, "page: author required"],
    [{ created: "" }, "page: created timestamp required"]
  ])("is refused in the reference's words: %j", (over, words) => {
    expect(invalidIdentity({ ...valid, ...over })).toEqual(Option.some(words))
  })

  it("names the types in the reference's order", () => {
    expect(invalidType("x")).toBe('page: invalid type "x" (want concept|entity|source|analysis)')
  })
})
