import { describe, it } from "@effect/vitest"
import { Either, FastCheck as fc, Option } from "effect"
import { expect } from "vitest"
import { isUnclosed, parseFields, splitPage } from "../../../src/model/frontmatter/Frontmatter.ts"
import { fieldsOf, parseEntries } from "../../../src/model/frontmatter/FrontmatterEntries.ts"
import { readPlainFields } from "../../../src/model/frontmatter/PlainFields.ts"
import { yamlScalar } from "../../../src/model/frontmatter/YamlScalar.ts"
import { anyString, lineText } from "../../support/arbitraries.ts"

const yamlOf = (text: string) => Option.getOrNull(splitPage(text).frontmatter)
const fields = (yaml: string) => Either.map(parseFields(yaml), (map) => Object.fromEntries(map))
const reason = (yaml: string) => Either.getOrThrow(Either.flip(parseFields(yaml)))

const parsed = (yaml: string) => Either.getOrThrow(Either.map(parseEntries(yaml), fieldsOf))

describe("where the block begins and ends", () => {
  it("takes what stands between two full lines of ---", () => {
    const split = splitPage("---\ntitle: x\n---\n\nbody\n")
    expect(split).toEqual({
      bom: false,
      eol: "\n",
      open: "---\n",
      frontmatter: Option.some("title: x\n"),
      close: "---\n",
      body: "\nbody\n"
    })
  })

  it("puts a BOM aside (A04)", () => {
    const split = splitPage("\ufeff---\ntitle: x\n---\nbody")
    expect([split.bom, split.frontmatter, split.body]).toEqual([true, Option.some("title: x\n"), "body"])
  })

  it("accepts CRLF, with the same fields as LF (A05)", () => {
    const split = splitPage("---\r\nid: abc\r\ntags:\r\n  - a\r\n---\r\n## A\r\ntext\r\n")
    expect([split.eol, split.body]).toEqual(["\r\n", "## A\r\ntext\r\n"])
    expect(fields(Option.getOrThrow(split.frontmatter))).toEqual(Either.right({ id: "abc", tags: ["a"] }))
  })

  it("allows blanks after a fence, an empty block, and an end without line end", () => {
    expect(yamlOf("---  \na: b\n---\t\nx")).toBe("a: b\n")
    expect(yamlOf("---\n---\nx")).toBe("")
    expect(splitPage("---\na: b\n---")).toMatchObject({ frontmatter: Option.some("a: b\n"), close: "---", body: "" })
  })

  it("is closed by a full line only, and by the first (A07)", () => {
    const text = "---\nnote: a\n---not-a-fence\nk: v\n---\nbody\n\n---\nmore\n---\nend"
    expect(splitPage(text)).toMatchObject({
      frontmatter: Option.some("note: a\n---not-a-fence\nk: v\n"),
      body: "body\n\n---\nmore\n---\nend"
    })
    expect(yamlOf("---\na: b\n--- Title ---\nc: d\n---\n")).toBe("a: b\n--- Title ---\nc: d\n")
    expect(yamlOf("---\na: b\n ---\n----\n---\n")).toBe("a: b\n ---\n----\n")
  })

  it.each(["---\nnever: closed\n", "---\n", "---\r\na: b", "\ufeff---\na: b\n---x\n"])(
    "%j is unclosed: no frontmatter, all body (A07)",
    (text) => {
      const { body, frontmatter } = splitPage(text)
      expect([frontmatter, body, isUnclosed(text)]).toEqual([Option.none(), text.replace("\ufeff", ""), true])
    }
  )

  it.each([
    "",
    "# x\n---\n---\n",
    "\n---\na: b\n---\n",
    "---x\na: b\n---\n",
    " ---\na: b\n---\n",
    "--- y\n---\n",
    "----\n---\n",
    "---"
  ])("%j has none (A07)", (text) => {
    const { body, frontmatter } = splitPage(text)
    expect([frontmatter, body, isUnclosed(text)]).toEqual([Option.none(), text, false])
  })

  it("loses no byte: the pieces are the text again", () => {
    const pieces = fc.constantFrom(
      "\ufeff",
      "---",
      "---\n",
      "---\r\n",
      "--- \n",
      "a: b\n",
      "a: b\r\n",
      "\n",
      "\r",
      " ",
      "# x\n",
      "---x\n"
    )
    const text = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
      anyString
    )
    fc.assert(
      fc.property(text, (whole) => {
        const { body, bom, close, frontmatter, open } = splitPage(whole)
        expect((bom ? "\ufeff" : "") + open + Option.getOrElse(frontmatter, () => "") + close + body).toBe(whole)
      }),
      { numRuns: 2000 }
    )
  })
})

describe("what the fields hold", () => {
  it("keeps every scalar the text that stands there (A02)", () => {
    expect(
      fields(
        "title: 2026-06-03\nslug: 1458\ntags: [on, 010, null]\na: 1e3\nb: ~\nc: true\nd: 0x1F\ne: .inf\nf:\ng: 12:30:45\nh: !!int 3\n"
      )
    ).toEqual(
      Either.right({
        title: "2026-06-03",
        slug: "1458",
        tags: ["on", "010", "null"],
        a: "1e3",
        b: "~",
        c: "true",
        d: "0x1F",
        e: ".inf",
        f: "",
        g: "12:30:45",
        h: "3"
      })
    )
  })

  it("reads quotes, block scalars, folded lines, comments and aliases", () => {
    expect(
      fields(`a: 'it''s'\nb: "x\\ny"\nc: |\n  p\n  q\nd: >-\n  r\n  s\ne: t # note\nf: &x u\ng: *x\nh:\n- *x\n`)
    ).toEqual(Either.right({ a: "it's", b: "x\ny", c: "p\nq\n", d: "r s", e: "t", f: "u", g: "u", h: ["u"] }))
  })

  it("keeps the order of the file, and gives nested values as their YAML", () => {
    const map = Either.getOrThrow(parseFields("z: 1\nm:\n  k: [010, b]\n  l:\n    - x\na: {q: 1}\nn: [[1, 2], b]\n"))
    expect([...map]).toEqual([
      ["z", "1"],
      ["m", "k: [010, b]\nl:\n  - x"],
      ["a", "{q: 1}"],
      ["n", ["[1, 2]", "b"]]
    ])
  })

  it("is nothing for an empty block or comments alone", () => {
    expect([fields(""), fields("# only\n")]).toEqual([Either.right({}), Either.right({})])
  })
})

describe("what is refused, in one line and with the line of the file", () => {
  it("a colon in an unquoted value (A01)", () => {
    expect(reason("title: Core (Split: A)\n")).toBe(
      "line 2: Nested mappings are not allowed in compact mappings (put a value that holds ': ' in quotes)"
    )
  })

  it("a hash where a value begins (A03)", () => {
    expect(reason("type: concept\ntags: [#abc, def]\n")).toMatch(
      /^line 3: .*\(put a value that begins with '#' in quotes\)$/
    )
  })

  it.each([
    ["a repeated key", "a: 1\nb: 2\na: 3\n", 'the key "a" stands there twice'],
    ["a repeated nested key", "a:\n  b: 1\n  b: 2\n", 'the key "b" stands there twice'],
    ["a list", "- a\n", "it is not a list of 'key: value' lines"],
    ["a text", "just prose\n", "it is not a list of 'key: value' lines"],
    ["a second document", "a: 1\n...\nb: 2\n", "Source contains multiple documents"],
    ["a tab for indentation", "a:\n\tb: 1\n", "(indent with spaces)"],
    ["a reserved character", "a: @x\n", "(put the value in quotes)"],
    ["a fence that is none", "note: a\n---not-a-fence\nk: v\n", "line 3: "],
    ["an unknown alias", "a: *nobody\n", "nobody"],
    ["nesting without end", `a: ${"[".repeat(50_000)}`, "it is nested too deeply"],
    ["an alias bomb", `a: &a [x]\nb:\n${"  - *a\n".repeat(101)}`, "it holds more than 100 aliases"]
  ])("%s", (_, yaml, words) => {
    expect(reason(yaml)).toContain(words)
    expect(reason(yaml)).not.toMatch(/[\r\n]/)
  })

  it("a billion laughs are never expanded", () => {
    const levels = Array.from({ length: 20 }, (_, level) => `l${level + 1}: &l${level + 1} [*l${level}, *l${level}]\n`)
    expect(fields(`l0: &l0 ha\n${levels.join("")}`)).toMatchObject(
      Either.right({ l20: ["[*l18, *l18]", "[*l18, *l18]"] })
    )
  })

  it("nothing throws, whatever the text", () => {
    const yamlLike = fc.array(
      fc.constantFrom(
        "a",
        ": ",
        "- ",
        "\n",
        "  ",
        "[",
        "]",
        "{",
        "}",
        ",",
        "&x ",
        "*x",
        "!t ",
        "|",
        ">",
        "'",
        '"',
        "#",
        "? ",
        "\t",
        "%",
        "---",
        "\\",
        "\r\n"
      ),
      { maxLength: 20 }
    )
    fc.assert(
      fc.property(
        fc.oneof(
          anyString,
          yamlLike.map((parts) => parts.join(""))
        ),
        (yaml) => {
          expect(Either.isEither(parseFields(yaml))).toBe(true)
        }
      ),
      { numRuns: 2000 }
    )
  })
})

describe("the short way for the blocks that ctx writes", () => {
  it("takes a page as ctx writes it", () => {
    const yaml =
      'schema: ctx.page.v1\nslug: a-b\nauthor: Jane Doe\ncreated: 2026-07-05T09:12:44.5Z\nparent_sha: ""\ntags:\n  - "on"\n  - auth\nreasoning_summary: It holds, because (see x) it does.\n'
    expect(Option.map(readPlainFields(yaml), Object.fromEntries)).toEqual(Option.some(Object.fromEntries(parsed(yaml))))
  })

  it.each([
    "tags: [a, b-c, d/e]\n",
    'tags: [ a b ,"c, d",e ]\n',
    "tags: []\n",
    'tags:\n    - "on"\n    - auth\nslug: a\nrelated:\n  - b\n'
  ])("takes the lists that people and other clients write: %j", (yaml) => {
    expect(Option.map(readPlainFields(yaml), Object.fromEntries)).toEqual(Option.some(Object.fromEntries(parsed(yaml))))
  })

  it.each([
    "a: b: c\n",
    "a: b #c\n",
    "a: [b, ]\n",
    "a: [b: c]\n",
    "a: [b, [c]]\n",
    "a: [b] c\n",
    "a: [b\n",
    "a: [*b]\n",
    "a: ['b']\n",
    "a:\n  - b\n    - c\n",
    "a: 'b'\n",
    "a:\n",
    "a: b\n  c\n",
    "a: 1\na: 2\n",
    "a: b:\n",
    'a: "b\\n"\n',
    "a: b\r\n",
    "a:\n- b\n",
    "A: b\n",
    "# c\n",
    "a: b"
  ])("leaves %j to the parser", (yaml) => {
    expect(readPlainFields(yaml)).toEqual(Option.none())
  })

  it("gives the parser's fields wherever it gives any", () => {
    const source = fc.oneof(lineText.map(yamlScalar), lineText, fc.string({ unit: "grapheme-ascii", maxLength: 12 }))
    const key = fc.constantFrom("a", "bc", "d_e", "f", "tags")
    const line = fc.oneof(
      fc.tuple(key, source).map(([name, value]) => `${name}: ${value}\n`),
      fc
        .tuple(key, fc.array(source, { maxLength: 3 }))
        .map(([name, items]) => `${name}:\n${items.map((item) => `  - ${item}\n`).join("")}`),
      fc
        .tuple(key, fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), source), { maxLength: 3 }))
        .map(([name, items]) => `${name}:\n${items.map(([n, item]) => `${" ".repeat(n)}- ${item}\n`).join("")}`),
      fc
        .tuple(key, fc.array(source, { maxLength: 3 }), fc.constantFrom(",", ", ", " , "))
        .map(([name, items, comma]) => `${name}: [${items.join(comma)}]\n`)
    )
    let taken = 0
    fc.assert(
      fc.property(fc.array(line, { maxLength: 3 }), (lines) => {
        const yaml = lines.join("")
        Option.map(readPlainFields(yaml), (short) => {
          taken++
          expect([...short]).toEqual([...parsed(yaml)])
        })
      }),
      { numRuns: 8000 }
    )
    expect(taken).toBeGreaterThan(500)
  })
})
