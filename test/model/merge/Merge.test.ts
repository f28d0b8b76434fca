import { describe, it } from "@effect/vitest"
import { Option } from "effect"
import { expect } from "vitest"
import { mergePages } from "../../../src/model/merge/Merge.ts"
import { processorTime } from "../../support/processorTime.ts"

const page = (body: string, fields = "slug: a\n") => `---\n${fields}---\n${body}`

/** The merged text, or the regions in conflict; the conflict must be the same from the other side. */
const merge = (ancestor: string | undefined, mine: string, theirs: string) => {
  const outcomes = [
    mergePages(Option.fromNullable(ancestor), mine, theirs),
    mergePages(Option.fromNullable(ancestor), theirs, mine)
  ]
  const [here, there] = outcomes.map((one) => (one._tag === "Clean" ? one.text : [...one.regions]))
  if (typeof here === "string") expect(typeof there).toBe("string")
  else expect(there).toEqual(here)
  return here
}
const bodies = (ancestor: string, mine: string, theirs: string) => {
  const outcome = merge(page(ancestor), page(mine), page(theirs))
  return typeof outcome === "string" ? outcome.slice(page("").length) : outcome
}
const fields = (ancestor: string, mine: string, theirs: string) => {
  const outcome = merge(page("x\n", ancestor), page("x\n", mine), page("x\n", theirs))
  return typeof outcome === "string" ? outcome.slice("---\n".length, -"---\nx\n".length) : outcome
}

describe("sections", () => {
  const base = "intro\n\n## A\none\n\n## B\ntwo\n"

  it("changed on different sides merge", () => {
    expect(bodies(base, "intro\n\n## A\nONE\n\n## B\ntwo\n", "intro\n\n## A\none\n\n## B\nTWO\n")).toBe(
      "intro\n\n## A\nONE\n\n## B\nTWO\n"
    )
  })

  it("changed alike on both sides are no conflict", () => {
    expect(bodies(base, base.replace("one", "ONE"), base.replace("one", "ONE").replace("two", "TWO"))).toBe(
      base.replace("one", "ONE").replace("two", "TWO")
    )
  })

  it("changed differently are", () => {
    expect(bodies(base, base.replace("one", "uno"), base.replace("one", "ein"))).toEqual(["## A"])
  })

  it("changed on one side and removed on the other are", () => {
    expect(bodies(base, "intro\n\n## B\ntwo\n", base.replace("one", "ONE"))).toEqual(["## A"])
  })

  it("removed on one side and untouched on the other go", () => {
    expect(bodies(base, "intro\n\n## B\ntwo\n", base.replace("two", "TWO"))).toBe("intro\n\n## B\nTWO\n")
  })

  it("added on both sides with one text stand once, with two texts conflict", () => {
    expect(bodies(base, `${base}\n## C\nnew\n`, `${base}\n## C\nnew\n`.replace("one", "ONE"))).toBe(
      `${base}\n## C\nnew\n`.replace("one", "ONE")
    )
    expect(bodies(base, `${base}\n## C\nmine\n`, `${base}\n## C\ntheirs\n`)).toEqual(["## C"])
  })

  it("added on both sides all stand, mine behind what they follow in mine", () => {
    const theirs = base.replace("## B", "## T\nt\n\n## B")
    const mine = base.replace("## B", "## M1\nm\n\n## M2\nm\n\n## B")
    expect(mergePages(Option.some(page(base)), page(mine), page(theirs))).toMatchObject({
      text: page("intro\n\n## A\none\n\n## M1\nm\n\n## M2\nm\n\n## T\nt\n\n## B\ntwo\n")
    })
  })

  it("moved by one side stay moved", () => {
    const moved = "intro\n\n## B\ntwo\n\n## A\none\n"
    expect(bodies(base, moved, base.replace("two", "TWO"))).toBe("intro\n\n## B\nTWO\n\n## A\none\n")
    expect(bodies(base, moved, `${base}\n## C\nnew\n`)).toBe("intro\n\n## B\ntwo\n\n## C\nnew\n\n## A\none\n")
  })

  it("that both sides moved stand in their order", () => {
    const of = (...names: ReadonlyArray<string>) => page(names.map((name) => `## ${name}\n${name}\n`).join(""))
    expect(mergePages(Option.some(of("A", "B", "C")), of("C", "A", "B"), of("B", "C", "A"))).toMatchObject({
      text: of("B", "C", "A")
    })
  })

  it("with the same heading are told apart by their order (A10)", () => {
    const log = "## Log\na\n### More\n## Log\nb\n"
    expect(bodies(log, log.replace("a\n", "A\n"), log.replace("b\n", "B\n"))).toBe("## Log\nA\n### More\n## Log\nB\n")
    expect(bodies(log, log.replace("b\n", "1\n"), log.replace("b\n", "2\n"))).toEqual(["## Log"])
    // The first went: what stood behind it may be either, so an edit of it is asked about.
    expect(bodies(log, "## Log\nb\n", log.replace("b\n", "B\n"))).toEqual(["## Log"])
  })

  it("do not begin in a fence (A08)", () => {
    const fenced = (inside: string, tail: string) => `## A\n\`\`\`bash\n## ${inside}\n\`\`\`\n## B\n${tail}\n`
    expect(bodies(fenced("x", "b"), fenced("y", "b"), fenced("x", "B"))).toBe(fenced("y", "B"))
    expect(bodies(fenced("x", "b"), fenced("y", "b"), fenced("z", "b"))).toEqual(["## A"])
  })

  it("whose headings end in hashes stay apart (A09)", () => {
    const text = "## C\nc\n## C#\nsharp\n## Use ##\nu\n"
    expect(bodies(text, text.replace("sharp", "SHARP"), text.replace("\nc\n", "\nC\n"))).toBe(
      "## C\nC\n## C#\nSHARP\n## Use ##\nu\n"
    )
    expect(bodies(text, text.replace("u\n", "1\n"), text.replace("u\n", "2\n"))).toEqual(["## Use"])
  })

  it("keep every byte that nobody touched", () => {
    const odd = "## A  ##\t\n\n\none  \n\n\n\n## B\r\nmixed\r\n## C\n- x\n\n\n"
    expect(bodies(odd, odd.replace("one", "ONE"), odd.replace("- x", "- y"))).toBe(
      odd.replace("one", "ONE").replace("- x", "- y")
    )
  })

  it("that ran into their new neighbour get a blank line between", () => {
    expect(bodies("## A\none", "## A\none\n\n## M\nm", "## A\nONE")).toBe("## A\nONE\n\n## M\nm")
    expect(bodies("## A\none", "## A\none\n## M\nm", "## A\none\n\n## T\nt")).toBe("## A\none\n\n## M\nm\n\n## T\nt")
  })

  it("that would run into their new neighbour get room, or another place", () => {
    const base = "## A\na\n## B\nb\n\nC\n---\nc\n"
    expect(bodies(base, "C\n---\nc\n## A\na\n## B\nb\n", `## T\nt\n${base}`)).toBe(
      "## T\nt\n\nC\n---\nc\n## A\na\n## B\nb\n"
    )
    const open = "## M\n```\nopen\n"
    expect(bodies("## A\na\n\n", `## A\na\n\n${open}`, "## A\na\n\n## T\nt\n")).toBe(`## A\na\n\n## T\nt\n\n${open}`)
  })

  it("that would swallow their neighbour are a conflict of the page", () => {
    const open = "## A\none\n\n```\nopen\n"
    expect(bodies("## A\none\n", open, "## A\none\n\n## T\nt\n")).toEqual(["page"])
  })
})

describe("renamed sections", () => {
  const words = "the ledger is exact and audited twice a year"
  const base = `## Old\n${words}\n\n## B\ntwo\n`

  it("that the other side left alone stay renamed", () => {
    expect(bodies(base, base.replace("Old", "New"), base.replace("two", "TWO"))).toBe(
      base.replace("Old", "New").replace("two", "TWO")
    )
  })

  it("that the other side changed or removed are a conflict, under the old heading", () => {
    expect(bodies(base, base.replace("Old", "New"), base.replace("twice", "thrice"))).toEqual(["## Old"])
    expect(bodies(base, base.replace("Old", "New"), "## B\ntwo\n")).toEqual(["## Old"])
  })

  it("to one name are fine, to two are a conflict", () => {
    expect(bodies(base, base.replace("Old", "New"), base.replace("Old", "New").replace("two", "TWO"))).toBe(
      base.replace("Old", "New").replace("two", "TWO")
    )
    expect(bodies(base, base.replace("Old", "New"), base.replace("Old", "Newer"))).toEqual(["## Old"])
  })

  it("to a name that the other side gave to another section are a conflict", () => {
    expect(bodies(base, base.replace("Old", "New"), `${base}\n## New\nsomething else\n`)).toEqual(["## New"])
  })
})

describe("the preamble", () => {
  it("is a unit of its own", () => {
    const base = "intro\n\n## A\none\n"
    expect(bodies(base, "INTRO\n\n## A\none\n", "intro\n\n## A\nONE\n")).toBe("INTRO\n\n## A\nONE\n")
    expect(bodies(base, "mine\n\n## A\none\n", "theirs\n\n## A\none\n")).toEqual(["preamble"])
    expect(bodies(base, "## A\none\n", "theirs\n\n## A\none\n")).toEqual(["preamble"])
    expect(bodies("## A\none\n", "mine\n\n## A\none\n", "## A\nONE\n")).toBe("mine\n\n## A\nONE\n")
  })
})

describe("stamps", () => {
  const stamps = (created: string, updated: string, author: string) =>
    `author: ${author}\ncreated: 2026-07-0${created}T00:00:00Z\nupdated: 2026-07-0${updated}T00:00:00Z\nparent_sha: ""\n`

  it("merge to the earlier created and the later updated, as they are written", () => {
    expect(fields(stamps("2", "2", "ada"), stamps("1", "3", "ada"), stamps("2", "4", "ada"))).toBe(
      stamps("1", "4", "ada")
    )
    expect(
      fields(
        "updated: 2026-07-01T00:00:00Z\n",
        "updated: 2026-07-02T01:00:00+02:00\n",
        "updated: 2026-07-01T22:59:59.9Z\n"
      )
    ).toBe("updated: 2026-07-02T01:00:00+02:00\n")
  })

  it("merge the author to the side that changed it, or that was updated later", () => {
    expect(fields(stamps("1", "2", "ada"), stamps("1", "3", "bob"), stamps("1", "4", "ada"))).toBe(
      stamps("1", "4", "bob")
    )
    expect(fields(stamps("1", "2", "ada"), stamps("1", "5", "bob"), stamps("1", "4", "cy"))).toBe(
      stamps("1", "5", "bob")
    )
    expect(
      mergePages(
        Option.some(page("", stamps("1", "2", "a"))),
        page("", stamps("1", "3", "b")),
        page("", stamps("1", "3", "c"))
      )
    ).toMatchObject({ text: page("", stamps("1", "3", "c")) })
  })

  it("never conflict, present or not, time stamps or not", () => {
    expect(fields("created: x\nagent: a\n", "created: y\n", "created: z\nagent: b\n")).toBeTypeOf("string")
    expect(fields("", "updated: 2026-07-01\n", "updated: never\nauthor: x\n")).toBe("updated: 2026-07-01\nauthor: x\n")
  })

  it("tell a merge that nobody need look at", () => {
    const base = page("## A\none\n", stamps("1", "2", "ada"))
    const stamped = page("## A\none\n", stamps("1", "5", "bob"))
    const edited = page("## A\nONE\n", stamps("1", "3", "cy"))
    const silent = (mine: string, theirs: string) => {
      const outcome = mergePages(Option.some(base), mine, theirs)
      return outcome._tag === "Clean" && outcome.stampsOnly
    }
    expect([silent(stamped, edited), silent(edited, stamped), silent(base, edited), silent(stamped, stamped)]).toEqual([
      true,
      true,
      true,
      true
    ])
    expect(silent(page("## A\none\n", `${stamps("1", "2", "ada")}x: 1\n`), edited)).toBe(false)
    expect(silent(`${base}\n`, edited)).toBe(false)
    expect(mergePages(Option.some(base), stamped, edited)).toMatchObject({
      text: page("## A\nONE\n", stamps("1", "5", "bob"))
    })
  })
})

describe("frontmatter keys", () => {
  it("changed on different sides merge, with comments, order and quotes kept", () => {
    expect(
      fields(
        "# about\nslug: 'a'   # id\n\nnote: one\n# state\nstatus: open\n",
        "# about\nslug: 'a'   # id\n\nnote: ONE\n# state\nstatus: open\n",
        "# about it\nslug: 'a'   # id\n\nnote: one\n# state\nstatus: \"done\"\nx: 1\n"
      )
    ).toBe("# about it\nslug: 'a'   # id\n\nnote: ONE\n# state\nstatus: \"done\"\nx: 1\n")
  })

  it("changed differently, or changed and removed, conflict by name", () => {
    expect(fields("note: a\n", "note: b\n", "note: c\n")).toEqual(["frontmatter: note"])
    expect(fields("note: a\n", "", "note: c\n")).toEqual(["frontmatter: note"])
    expect(fields("", "note: b\n", "note: c\nb: 1\n")).toEqual(["frontmatter: note"])
    expect(fields("# a\nnote: a\n", "# b\nnote: a\n", "# c\nnote: a\n")).toEqual(["frontmatter: note"])
  })

  it("keep the comments that a side wrote on them, or conflict", () => {
    expect(fields("note: a\n", "note: b # why\n", "note: 'b'\n")).toBe("note: b # why\n")
    expect(fields("note: a\n", "note: 'a' # why\n", "note: b\n")).toEqual(["frontmatter: note"])
    expect(fields("note: a\n", "", "note: a # why\n")).toEqual(["frontmatter: note"])
    expect(fields("tags:\n  - a\n", "tags:\n  - a # why\n  - m\n", "tags:\n  - t\n  - a\n")).toSatisfy((text) =>
      String(text).includes("- a # why\n")
    )
  })

  it("that one side only wrote anew take the other side's value", () => {
    expect(fields("note: 'a'\n", 'note: "a"\n', "note: b\n")).toBe("note: b\n")
  })

  it("added and removed on one side come and go", () => {
    expect(fields("a: 1\nb: 2\nc: 3\n", "b: 2\nc: 3\nm: 4\n", "a: 1\nb: 2\nt: 5\nc: 3\n")).toBe(
      "b: 2\nt: 5\nc: 3\nm: 4\n"
    )
  })

  it("name the frontmatter before the sections", () => {
    expect(merge(page("## A\na\n", "n: 1\n"), page("## A\nb\n", "n: 2\n"), page("## A\nc\n", "n: 3\n"))).toEqual([
      "frontmatter: n",
      "## A"
    ])
  })

  it("that hold other blocks, anchors or several documents never come out otherwise than meant", () => {
    expect(fields("a: &x 1\nb: *x\nc: 1\n", "a: &x 1\nb: *x\nc: 2\n", "a: 1\nb: 1\nc: 1\n")).toBe("a: 1\nb: 1\nc: 2\n")
    expect(fields("a: 1\nb: 1\n", "a: &x 1\nb: *x\n", "a: 1\nb: 1\nc: 1\n")).toBe("a: &x 1\nb: *x\nc: 1\n")
    expect(fields("a: &x 1\nb: 1\n", "a: &x 1\nb: *x\n", "a: 2\nb: 1\n")).toEqual(["page"])
  })
})

describe("lists", () => {
  it("merge as sets: what either added stays, what either removed goes", () => {
    expect(
      mergePages(
        Option.some(page("x", "tags: [a, b, c]\n")),
        page("x", "tags: [a, c, m]\n"),
        page("x", "tags: [b, t, a, c]\n")
      )
    ).toMatchObject({ text: page("x", "tags: [t, a, c, m]\n") })
    for (const key of ["tags", "sources", "related"]) {
      expect(
        mergePages(
          Option.some(page("x", `${key}:\n  - a\n`)),
          page("x", `${key}:\n  - a\n  - "m: x"\n`),
          page("x", `${key}:\n  - t # why\n  - a\n`)
        )
      ).toMatchObject({ text: page("x", `${key}:\n  - t # why\n  - a\n  - "m: x"\n`) })
    }
  })

  it("come and go with their key", () => {
    expect(fields("", "tags: [m]\n", "tags:\n  - m\n  - t\n")).toBe("tags:\n  - m\n  - t\n")
    expect(fields("tags: [a]\n", "", "tags: [a, t]\n")).toBe("tags: [t]\n")
    expect(fields("tags: [a, b]\n", "tags: [a]\n", "tags: [b]\n")).toBe("")
    expect(fields("tags: a\n", "tags: [a, m]\n", "tags: [t, a]\n")).toSatisfy((text) =>
      /^tags: \[t, a, m\]|^tags: \[a, m, t\]/.test(String(text))
    )
  })

  it("under other keys conflict like any value", () => {
    expect(fields("aliases: [a]\n", "aliases: [a, b]\n", "aliases: [a, c]\n")).toEqual(["frontmatter: aliases"])
  })
})

describe("frontmatter that cannot be read", () => {
  it("is one unit, called page", () => {
    const broken = "---\na: b: c\n---\n## A\none\n"
    expect(merge(broken, broken.replace("one", "ONE"), `${broken}\n## T\nt\n`)).toBe(
      `${broken.replace("one", "ONE")}\n## T\nt\n`
    )
    expect(merge(broken, broken.replace("a:", "x:"), broken.replace("one", "ONE"))).toBe(
      broken.replace("a:", "x:").replace("one", "ONE")
    )
    expect(merge(broken, broken.replace("a:", "x:"), broken.replace("a:", "y:"))).toEqual(["page"])
    expect(merge(page("x", "{a: 1, b: 1}\n"), page("x", "{a: 2, b: 1}\n"), page("x", "{a: 1, b: 2}\n"))).toEqual([
      "page"
    ])
  })

  it("does not keep a page without any from merging", () => {
    expect(merge("## A\none\n\n## B\ntwo\n", "## A\nONE\n\n## B\ntwo\n", "## A\none\n\n## B\nTWO\n")).toBe(
      "## A\nONE\n\n## B\nTWO\n"
    )
  })

  it("does not come out of a body", () => {
    const base = "x\n\n## A\na\n"
    expect(merge(base, `${base}\n---\nb\n`, `---\n${base}`)).toEqual(["page"])
  })
})

describe("line ends and the BOM", () => {
  const crlf = (text: string) => text.replaceAll("\n", "\r\n")
  const base = page("## A\none\n\n## B\ntwo\n", "note: 1\ntags: [a]\n")
  const mine = base.replace("one", "ONE").replace("[a]", "[a, m]")
  const theirs = base.replace("two", "TWO").replace("[a]", "[a, t]")
  const merged = base.replace("one", "ONE").replace("two", "TWO").replace("[a]", "[a, t, m]")
  const text = (ancestor: string, here: string, there: string) => {
    const outcome = mergePages(Option.some(ancestor), here, there)
    return outcome._tag === "Clean" ? outcome.text : outcome.regions
  }

  it("of CRLF pages stay (A05)", () => {
    expect(text(crlf(base), crlf(mine), crlf(theirs))).toBe(crlf(merged))
  })

  it("are as the side that changed them has them, everywhere, and are no conflict (A05)", () => {
    expect(text(base, crlf(mine), theirs)).toBe(crlf(merged))
    expect(text(base, mine, crlf(theirs))).toBe(crlf(merged))
    expect(text(crlf(base), mine, crlf(theirs))).toBe(merged)
    expect(merge(base, crlf(base), mine)).toBe(crlf(mine))
  })

  it("keep a BOM, or drop it, as the side that changed it does (A04)", () => {
    expect(text(`\ufeff${base}`, `\ufeff${mine}`, `\ufeff${theirs}`)).toBe(`\ufeff${merged}`)
    expect(text(base, `\ufeff${mine}`, theirs)).toBe(`\ufeff${merged}`)
    expect(text(`\ufeff${base}`, mine, `\ufeff${theirs}`)).toBe(merged)
  })

  it("end the page as the side that changed its end does", () => {
    expect(bodies("## A\na\n\n## B\nb\n", "## A\nA\n\n## B\nb", "## A\na\n\n## B\nB\n")).toBe("## A\nA\n\n## B\nB")
    expect(bodies("## A\na\n\n## B\nb", "## A\na\n", "## A\nA\n\n## B\nb")).toBe("## A\nA\n")
  })
})

describe("a page that both sides created", () => {
  const created = (body: string, day: string, rest = "") =>
    page(body, `author: ${day}\ncreated: 2026-07-0${day}T00:00:00Z\nupdated: 2026-07-0${day}T00:00:00Z\n${rest}`)

  it("merges if only stamps differ", () => {
    expect(mergePages(Option.none(), created("## A\n", "1"), created("## A\n", "2"))).toEqual({
      _tag: "Clean",
      text: page("## A\n", "author: 2\ncreated: 2026-07-01T00:00:00Z\nupdated: 2026-07-02T00:00:00Z\n"),
      stampsOnly: true
    })
    expect(mergePages(Option.none(), "x", "x")).toEqual({ _tag: "Clean", text: "x", stampsOnly: true })
  })

  it("names all that differs otherwise", () => {
    expect(
      merge(
        undefined,
        created("intro\n## A\na\n## B\nb\n## C\nc\n", "1", "note: x\ntags: [a]\n"),
        created("other\n## A\nA\n## B\nb\n## D\nd\n", "2", "note: y\ntags: [a, b]\nz: 1\n")
      )
    ).toEqual(["frontmatter: note", "frontmatter: tags", "frontmatter: z", "preamble", "## A", "## C", "## D"])
    expect(merge(undefined, page("## A\n## B\n"), page("## B\n## A\n"))).toEqual(["page"])
    expect(merge(undefined, "---\n[\n---\nx", "---\n{\n---\nx")).toEqual(["page"])
  })
})

describe("hostile pages take a bounded time", { timeout: 120_000 }, () => {
  it("20,000 headings, changed at both ends", () => {
    const of = (first: string, last: string) =>
      page(
        Array.from({ length: 20_000 }, (_, n) => `## h${n}\n${n === 0 ? first : n === 19_999 ? last : "x"}\n`).join("")
      )
    const [base, mine, theirs] = [of("a", "z"), of("A", "z"), of("a", "Z")]
    expect(processorTime(() => mergePages(Option.some(base), mine, theirs))).toBeLessThan(3000)
    expect(mergePages(Option.some(base), mine, theirs)).toEqual({
      _tag: "Clean",
      text: of("A", "Z"),
      stampsOnly: false
    })
  })
})
