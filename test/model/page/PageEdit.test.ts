import { describe, it } from "@effect/vitest"
import { Either, FastCheck as fc, Option } from "effect"
import { expect } from "vitest"
import { parse as parseYaml } from "yaml"
import { splitPage } from "../../../src/model/frontmatter/Frontmatter.ts"
import { parsePage } from "../../../src/model/page/Page.ts"
import { addSource, createPage, type PageEdit, updatePage } from "../../../src/model/page/PageEdit.ts"
import { pagePath } from "../../../src/model/page/PagePath.ts"
import { Slug } from "../../../src/model/page/Slug.ts"
import { lineText, word } from "../../support/arbitraries.ts"

const path = pagePath("concept", Slug.make("auth-flow"))
const now = "2026-07-05T09:12:44Z"
const later = "2026-07-06T10:00:00.123Z"

const edit = (over: Partial<PageEdit> = {}): PageEdit => ({
  body: "# Auth\n",
  author: "Jane Doe",
  agent: "claude",
  now,
  ...over
})
const created = (over: Partial<PageEdit> = {}) => Either.getOrThrow(createPage(path, edit(over)))
const updated = (existing: string, over: Partial<PageEdit> = {}) =>
  Either.getOrThrow(updatePage(path, existing, edit({ now: later, ...over })))
const refused = (result: Either.Either<string, { readonly reason: string }>) =>
  Either.getOrThrow(Either.flip(result)).reason
const page = (text: string) => Either.getOrThrow(parsePage(path, text))

const maybe = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })

/** The lines of `to` that `from` does not hold at the same place; both have the same number of lines. */
const changedLines = (from: string, to: string) => {
  const old = from.split("\n")
  expect(to.split("\n")).toHaveLength(old.length)
  return to.split("\n").filter((line, index) => line !== old[index])
}

describe("a new page", () => {
  it("has the reference's fields in their order", () => {
    const text = created({
      body: "\n# Auth\n\nTokens expire.\n",
      tags: ["auth", "on"],
      related: ["session"],
      sources: ["2026-07-05-auth-reasoning"],
      reasoningSummary: "Core (Split: A)"
    })
    expect(text).toBe(
      [
        "---",
        "schema: ctx.page.v1",
        "slug: auth-flow",
        "type: concept",
        "author: Jane Doe",
        "agent: claude",
        "created: 2026-07-05T09:12:44Z",
        "updated: 2026-07-05T09:12:44Z",
        'parent_sha: ""',
        "sources:",
        '  - "2026-07-05-auth-reasoning"',
        "related:",
        "  - session",
        "tags:",
        "  - auth",
        '  - "on"',
        'reasoning_summary: "Core (Split: A)"',
        "---",
        "",
        "# Auth",
        "",
        "Tokens expire.",
        ""
      ].join("\n")
    )
  })

  it("leaves out what it does not have, and puts the body right after the fence as given", () => {
    const text = created({ agent: "", tags: [], reasoningSummary: "" })
    expect(text).toContain("author: Jane Doe\ncreated:")
    expect(text).toMatch(/parent_sha: ""\n---\n# Auth\n$/)
    expect(created({ body: "" })).toMatch(/\n---\n$/)
  })

  it("quotes what a YAML parser would read as another type (A01, A02)", () => {
    const slug = Slug.make("1458")
    const numbered = Either.getOrThrow(
      createPage(
        pagePath("concept", slug),
        edit({ author: "null", tags: ["010", "2026-06-03", "no", "1e3", "0x1f", "#x", "a: b"] })
      )
    )
    expect(parseYaml(Option.getOrThrow(splitPage(numbered).frontmatter), { version: "1.1" })).toMatchObject({
      slug: "1458",
      author: "null",
      tags: ["010", "2026-06-03", "no", "1e3", "0x1f", "#x", "a: b"]
    })
  })

  it("keeps fields on one line and drops empty items", () => {
    const text = created({ author: "Jane\nrole: admin", tags: ["a\r\nb", " ", "c"], reasoningSummary: "x\u2028y\tz" })
    expect(page(text)).toMatchObject({ author: "Jane role: admin", tags: ["a b", "c"], reasoningSummary: "x y z" })
    expect(text).not.toContain("\nrole:")
  })

  it("needs an author, and takes no NUL anywhere (A12)", () => {
    expect(refused(createPage(path, edit({ author: " \n" })))).toBe("page: author required")
    const withNul: ReadonlyArray<Partial<PageEdit>> = [
      { body: "a\0b" },
      { author: "a\0" },
      { agent: "\0" },
      { tags: ["\0"] },
      { related: ["\0"] },
      { sources: ["\0"] },
      { reasoningSummary: "\0" }
    ]
    expect(withNul.map((over) => refused(createPage(path, edit(over))))).toEqual(
      withNul.map(() => "page: it holds a NUL character")
    )
  })

  it("gives its fields back, in YAML 1.1 and 1.2 as well", () => {
    const lists = fc.array(word, { maxLength: 4 })
    fc.assert(
      fc.property(
        word,
        lineText,
        lists,
        lists,
        lists,
        lineText,
        fc.string({ unit: "grapheme" }),
        (author, agent, tags, related, sources, reasoningSummary, text) => {
          const body = `# T\n${text.toWellFormed().replaceAll("\0", "")}`
          const written = created({ author, agent, tags, related, sources, reasoningSummary, body })
          const read = page(written)
          expect([read.author, read.agent ?? "", read.reasoningSummary ?? ""]).toEqual([
            author,
            agent,
            reasoningSummary
          ])
          expect([read.tags, read.related, read.sources, read.body]).toEqual([tags, related, sources, body])
          for (const version of ["1.1", "1.2"] as const) {
            const other: unknown = parseYaml(Option.getOrThrow(splitPage(written).frontmatter), { version })
            expect(other).toMatchObject({ author, ...(tags.length > 0 ? { tags } : {}) })
          }
        }
      ),
      { numRuns: 200 }
    )
  })
})

describe("a frontmatter block at the start of a new page's body (A06)", () => {
  it("is merged, not nested; what the caller passed wins, and the page's own keys are not taken from it", () => {
    const body = [
      "---",
      "schema: other",
      "slug: other",
      "type: entity",
      "author: Mallory",
      "created: 1999-01-01",
      "parent_sha: abc",
      "tags: [a, b]",
      "related: c",
      "reasoning_summary: from the block",
      "citekey: 010 # kept",
      "nested:",
      "  k: [x, y]",
      "---",
      "",
      "# x",
      ""
    ].join("\n")
    const text = created({ body, tags: ["mine"] })
    expect(page(text)).toMatchObject({
      author: "Jane Doe",
      created: now,
      tags: ["mine"],
      related: ["c"],
      reasoningSummary: "from the block",
      body: "\n# x\n"
    })
    expect(text).toContain("slug: auth-flow\ntype: concept\n")
    expect(text).toContain("citekey: 010 # kept\nnested:\n  k: [x, y]\n---\n\n# x\n")
    expect(text.match(/^---$/gm)).toHaveLength(2)
  })

  it("may be written as one mapping in braces, in CRLF, after a BOM", () => {
    expect(page(created({ body: "---\n{tags: [a, b],\n  k: v}\n---\nx" }))).toMatchObject({
      tags: ["a", "b"],
      body: "x"
    })
    const text = created({ body: "\ufeff---\r\ntags:\r\n  - a\r\nk: v\r\n---\r\nx\r\ny\r\n" })
    expect(text.startsWith("\ufeff---\nschema:")).toBe(true)
    expect(text).toContain("tags:\n  - a\nk: v\n---\nx\r\ny\r\n")
  })

  it.each([
    ["never closed", "---\nnote: a\n\nbody\n"],
    ["prose between two rules", "---\nSome prose.\n---\nmore\n"],
    ["a heading between two rules", "---\n# Heading\n---\nmore\n"],
    ["a list between two rules", "---\n- a\n---\nmore\n"],
    ["a rule further down", "# x\n\n---\na: b\n---\n"]
  ])("is body text where it is none: %s (A07)", (_, body) => {
    expect(page(created({ body })).body).toBe(body)
    expect(page(updated(created(), { body })).body).toBe(body)
  })

  it("is refused where it is broken, instead of being nested (A01)", () => {
    const body = "---\ntitle: Core (Split: A)\n---\n\n# x\n"
    expect(refused(createPage(path, edit({ body })))).toMatch(
      /block at the start of the body is not valid YAML: line 2: .*in quotes\)/
    )
    expect(refused(updatePage(path, created(), edit({ body })))).toContain("line 2")
  })
})

describe("an update", () => {
  const byHand = [
    "---",
    "# about this page",
    "title:   '2026-06-03'   # a date, as text",
    "created: 2020-01-01T00:00:00Z",
    "",
    "tags: [ b, a ]  # order matters to us",
    "author: >-",
    "  Old",
    "  Name",
    "citekey: 010",
    'updated: "2020-01-01"',
    "sources:",
    "- one   # first",
    "# the second one",
    "- two",
    "---",
    "body",
    ""
  ].join("\n")

  it("changes the stamps and the body, and no other byte", () => {
    expect(updated(byHand, { body: "new\n" })).toBe(
      byHand
        .replace("author: >-\n  Old\n  Name\n", "author: Jane Doe\nagent: claude\n")
        .replace('updated: "2020-01-01"', `updated: ${later}`)
        .replace("\nbody\n", "\nnew\n")
    )
  })

  it("splices lists: items that stay keep their lines and comments, the rest keeps its style", () => {
    const text = updated(byHand, { tags: ["a", "c: d"], sources: ["two", "three"], body: "body\n" })
    expect(text).toContain('tags: [a, "c: d"]  # order matters to us\n')
    expect(text).toContain("sources:\n# the second one\n- two\n- three\n---\n")
  })

  it("puts a new field at its place in the reference's order, and takes an emptied one away", () => {
    const text = updated(created({ tags: ["a"], reasoningSummary: "why" }), {
      related: ["r"],
      sources: ["s"],
      reasoningSummary: ""
    })
    expect(text).toContain('parent_sha: ""\nsources:\n  - s\nrelated:\n  - r\ntags:\n  - a\n---\n')
    expect(updated(text, { tags: [], related: [], sources: [], agent: "" })).toMatch(
      /author: Jane Doe\ncreated: .*\nupdated: .*\nparent_sha: ""\n---\n/
    )
  })

  it("fills an empty value, with or without a comment", () => {
    expect(updated("---\nauthor:\nagent: # who\ntags:\nupdated: ''\n---\n", { tags: ["a"], body: "" })).toBe(
      `---\nauthor: Jane Doe\nagent: claude # who\ntags: [a]\nupdated: ${later}\n---\n`
    )
  })

  it("keeps a BOM and CRLF, and speaks CRLF where the file does (A04, A05)", () => {
    const windows = "\ufeff---\r\nid: abc\r\ntags:\r\n  - a\r\n---\r\n## A\r\ntext\r\n"
    const text = updated(windows, { body: "## A\nmore\n", tags: ["a", "b"] })
    expect(text).toBe(
      `\ufeff---\r\nid: abc\r\nauthor: Jane Doe\r\nagent: claude\r\nupdated: ${later}\r\ntags:\r\n  - a\r\n  - b\r\n---\r\n## A\r\nmore\r\n`
    )
    expect(updated(windows, { body: "a\r\nb\n" })).toMatch(/---\r\na\r\nb\n$/)
    expect(updated("---\r\na: b\r\n---\r\nx\ny\r\n", { body: "p\nq\n" })).toMatch(/---\r\np\nq\n$/)
  })

  it("merges a block in the body: unknown keys too, at the end, the rest untouched (A06)", () => {
    const body =
      '---\nslug: other\ncreated: 1999-01-01\ntitle: "2026-06-03"\ntags: [c]\ncitekey: 011\nnew: {x: 1}\n---\nbody\n'
    expect(updated(byHand, { body })).toBe(
      byHand
        .replace("[ b, a ]", "[c]")
        .replace("author: >-\n  Old\n  Name\n", "author: Jane Doe\nagent: claude\n")
        .replace("citekey: 010", "citekey: 011")
        .replace('updated: "2020-01-01"', `updated: ${later}`)
        .replace("- two\n", "- two\nnew: {x: 1}\n")
    )
  })

  it("written twice with its own text changes nothing more (A06)", () => {
    const once = updated("---\ncitekey: a\nnested:\n  - x: 1\n    y: 2\n---\n\n# x\n", { body: "\n# x\n" })
    expect(updated(once, { body: once })).toBe(once)
  })

  it("works on a block in braces, an indented block, an empty one, and a file that ends with its fence", () => {
    expect(updated("---\n{a: 010, tags: [x,\n  y], updated: 'q  r'}\n---\n", { body: "b" })).toBe(
      `---\na: 010\ntags: [x, y]\nauthor: Jane Doe\nagent: claude\nupdated: ${later}\n---\nb`
    )
    expect(updated("---\n  author: x\n  k: v\n---\nb", { body: "b", tags: ["t"] })).toBe(
      `---\n  author: Jane Doe\n  agent: claude\n  updated: ${later}\n  tags:\n    - t\n  k: v\n---\nb`
    )
    expect(updated("---\n---", { body: "b" })).toBe(`---\nauthor: Jane Doe\nagent: claude\nupdated: ${later}\n---\nb`)
  })

  it.each([
    ["no frontmatter", "# x\n", "page: missing frontmatter (must start with '---\\n')"],
    ["an unclosed block", "---\na: b\n", "page: unclosed frontmatter (no '---' terminator)"],
    ["broken YAML", "---\ntitle: Core (Split: A)\n---\n", "page: parse frontmatter: line 2: "],
    ["a repeated key", "---\na: 1\na: 2\n---\n", 'page: parse frontmatter: the key "a" stands there twice'],
    ["a NUL", "---\na: b\n---\n\0", "page: it holds a NUL character"]
  ])("refuses a text that is no page: %s (A06)", (_, existing, reason) => {
    expect(refused(updatePage(path, existing, edit()))).toContain(reason)
    expect(refused(addSource(path, existing, "s", now))).toContain(reason)
  })

  it("refuses rather than change a field that hangs on a replaced one", () => {
    expect(refused(updatePage(path, "---\nauthor: &me Old\nreviewer: *me\n---\n", edit()))).toContain(
      "the field 'reviewer'"
    )
  })

  it("needs an author", () => {
    expect(refused(updatePage(path, created(), edit({ author: "" })))).toBe("page: author required")
  })

  it("with the same values changes only the stamps", () => {
    const lists = fc.array(word, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(word, word, lists, lists, word, (author, other, tags, sources, reasoningSummary) => {
        const same = { tags, sources, reasoningSummary, body: "b\n" }
        const before = created({ ...same, author })
        const after = updated(before, { ...same, author: other, agent: "codex" })
        for (const line of changedLines(before, after)) expect(line).toMatch(/^(updated|author|agent): /)
        expect(page(after)).toMatchObject({
          created: now,
          updated: later,
          author: other,
          agent: "codex",
          tags,
          sources
        })
      }),
      { numRuns: 300 }
    )
  })

  it("sets exactly what was passed and keeps the rest, on blocks written by hand", () => {
    const value = fc.oneof(
      lineText.map((text) => ` '${text.replaceAll("'", "''")}'`),
      fc.constantFrom(
        "",
        " # c",
        " 010",
        " [a, b] # c",
        "\n  - a # c\n  - b",
        "\n- a\n# c\n- b",
        " |\n  x\n\n  y",
        " {p: 1}",
        "\n  p: 1",
        " >+\n  x\n\n",
        ' "x\n  y"',
        " [a,\n  b]"
      )
    )
    const keys = ["title", "author", "agent", "updated", "tags", "sources", "related", "reasoning_summary", "x"]
    const block = fc
      .tuple(fc.shuffledSubarray(keys), fc.array(value, { minLength: 9, maxLength: 9 }), fc.constantFrom("\n", "\r\n"))
      .map(([names, values, eol]) =>
        `---\n${names.map((name, index) => `${name}:${values[index]}\n`).join("")}---\nbody\n`.replaceAll("\n", eol)
      )
    const list = fc.array(fc.oneof(word, fc.constantFrom("a", "b")), { maxLength: 3 })
    fc.assert(
      fc.property(block, maybe(list), maybe(list), maybe(lineText), (existing, tags, sources, reasoningSummary) => {
        const before = page(existing)
        const after = page(
          updated(existing, {
            body: before.body,
            ...(tags === undefined ? {} : { tags }),
            ...(sources === undefined ? {} : { sources }),
            ...(reasoningSummary === undefined ? {} : { reasoningSummary })
          })
        )
        expect(after).toEqual({
          ...before,
          author: "Jane Doe",
          agent: "claude",
          updated: later,
          tags: tags ?? before.tags,
          sources: sources ?? before.sources,
          reasoningSummary:
            (reasoningSummary === "" ? undefined : reasoningSummary) ??
            (reasoningSummary === "" ? undefined : before.reasoningSummary)
        })
      }),
      { numRuns: 500 }
    )
  })
})

describe("citing a source", () => {
  it("appends it and stamps the page, touching nothing else", () => {
    const before = created({ sources: ["one"], body: "b\n" })
    expect(Either.getOrThrow(addSource(path, before, "2026-07-05-why", later))).toBe(
      before.replace("  - one\n", '  - one\n  - "2026-07-05-why"\n').replace(`updated: ${now}`, `updated: ${later}`)
    )
  })

  it("starts the list where there is none, and continues one written as a text", () => {
    expect(Either.getOrThrow(addSource(path, created(), "s", later))).toContain(
      'parent_sha: ""\nsources:\n  - s\n---\n'
    )
    expect(Either.getOrThrow(addSource(path, "---\nsources: one # c\n---\n", "s", later))).toContain(
      "sources: [one, s] # c\n"
    )
  })

  it("leaves a page that cites it already as it is", () => {
    const before = created({ sources: ["s"] })
    expect(addSource(path, before, "s", later)).toEqual(Either.right(before))
  })
})
