import { describe, it } from "@effect/vitest"
import { Either, FastCheck as fc, Option } from "effect"
import { expect } from "vitest"
import { parseFields, splitPage } from "../../../src/model/frontmatter/Frontmatter.ts"
import { mergePages, type MergeResult } from "../../../src/model/merge/Merge.ts"
import { parseSections } from "../../../src/model/markdown/Sections.ts"
import { anyString } from "../../support/arbitraries.ts"
import { pageText, versions } from "../../support/pages.ts"

const anyPage = fc.oneof({ weight: 4, arbitrary: pageText }, { weight: 1, arbitrary: anyString })
const someText = fc.constantFrom(
  "We chose the ledger.",
  "- one\n- two",
  "```\n## not a heading\n```",
  "### Sub\ntext",
  "x"
)

/** A page as a list of sections with names of their own, so that a test knows what an edit touched. */
interface Draft {
  readonly note: string
  readonly tags: ReadonlyArray<string>
  readonly updated: number
  readonly sections: ReadonlyArray<{ readonly name: string; readonly text: string }>
}

const render = ({ note, sections, tags, updated }: Draft) =>
  `---\nnote: ${note}\nupdated: 2026-07-0${updated}T00:00:00Z\ntags: [${tags.join(", ")}]\n---\n` +
  sections.map(({ name, text }) => `## ${name}\n${text}\n`).join("\n")

const draft: fc.Arbitrary<Draft> = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.array(someText, { minLength: 6, maxLength: 6 }))
  .map(([count, texts]) => ({
    note: "old",
    tags: ["a", "b"],
    updated: 1,
    sections: texts.slice(0, count).map((text, index) => ({ name: `S${index}`, text: `${text}\n\nof ${index}` }))
  }))

type Change = "keep" | "edit" | "remove"

/** Edits of both sides that never touch the same section, and additions under different names. */
const disjoint = draft.chain((base) =>
  fc
    .record({
      changes: fc.array(
        fc.record({
          side: fc.constantFrom("mine", "theirs"),
          change: fc.constantFrom<Change>("keep", "edit", "edit", "remove")
        }),
        { minLength: base.sections.length, maxLength: base.sections.length }
      ),
      mineAdds: fc.option(fc.nat({ max: base.sections.length })),
      theirsAdds: fc.option(fc.nat({ max: base.sections.length })),
      noteBy: fc.constantFrom("mine", "theirs", "nobody")
    })
    .map(({ changes, mineAdds, noteBy, theirsAdds }) => {
      const side = (name: "mine" | "theirs", adds: number | null): Draft => {
        const sections = base.sections.flatMap((section, index) => {
          const change = changes[index]?.side === name ? (changes[index]?.change ?? "keep") : "keep"
          if (change === "remove") return []
          return [change === "edit" ? { ...section, text: `${section.text}\nby ${name}` } : section]
        })
        if (adds !== null) sections.splice(adds, 0, { name: `New ${name}`, text: `wholly ${name}` })
        return {
          ...base,
          note: noteBy === name ? `by ${name}` : base.note,
          tags: [...base.tags, name],
          updated: name === "mine" ? 2 : 3,
          sections
        }
      }
      return { base, changes, mine: side("mine", mineAdds), theirs: side("theirs", theirsAdds), noteBy }
    })
)

const merge = (ancestor: string, mine: string, theirs: string) => mergePages(Option.some(ancestor), mine, theirs)
const textOf = (outcome: MergeResult) => (outcome._tag === "Clean" ? outcome.text : undefined)
const regionsOf = (outcome: MergeResult) => (outcome._tag === "Clean" ? undefined : outcome.regions)
const sectionsOf = (text: string) => parseSections(splitPage(text).body).sections

/** Every item of the lists that merge as sets. */
const listedIn = (text: string): ReadonlySet<string> => {
  const yaml = Option.getOrElse(splitPage(text).frontmatter, () => "")
  const fields = Either.getOrElse(parseFields(yaml), () => new Map<string, string>())
  return new Set(["tags", "sources", "related"].flatMap((key) => fields.get(key) ?? []))
}

/**
 * What a page says, without the order of its sections, fields and list items. Nor with who wrote it, and with what: where
 * both sides say so, one of the two stands.
 */
const unordered = (text: string) => {
  const page = splitPage(text)
  const { preamble, sections } = parseSections(page.body)
  const fields = Option.map(page.frontmatter, (yaml) =>
    Either.getOrElse(parseFields(yaml), () => new Map([["", yaml]]))
  )
  return {
    bom: page.bom,
    fields: [...Option.getOrElse(fields, () => new Map())]
      .filter(([key]) => !["author", "agent", "parent_sha"].includes(key))
      .map(([key, value]) => [key, Array.isArray(value) ? value.toSorted() : value])
      .toSorted(),
    preamble: preamble.trimEnd(),
    sections: sections.map((one) => one.text.trimEnd()).toSorted()
  }
}

describe("for all pages", () => {
  it("what one side changed alone is taken byte for byte", () => {
    fc.assert(
      fc.property(anyPage, anyPage, (ancestor, changed) => {
        expect(textOf(merge(ancestor, ancestor, changed))).toBe(changed)
        expect(textOf(merge(ancestor, changed, ancestor))).toBe(changed)
        expect(textOf(merge(ancestor, changed, changed))).toBe(changed)
      })
    )
  })

  it("what both created alike is that", () => {
    fc.assert(
      fc.property(anyPage, (text) => {
        expect(textOf(mergePages(Option.none(), text, text))).toBe(text)
      })
    )
  })

  it("there is an answer, and the same regions conflict from either side", () => {
    fc.assert(
      fc.property(
        fc.oneof(versions, fc.record({ ancestor: anyPage, mine: anyPage, theirs: anyPage })),
        fc.boolean(),
        ({ ancestor, mine, theirs }, created) => {
          const base = created ? Option.none() : Option.some(ancestor)
          const [here, there] = [mergePages(base, mine, theirs), mergePages(base, theirs, mine)]
          expect(regionsOf(here)).toEqual(regionsOf(there))
          if (here._tag === "Clean" && there._tag === "Clean") expect(here.stampsOnly).toBe(there.stampsOnly)
        }
      ),
      { numRuns: 300 }
    )
  })

  it("a merge is the same from either side, up to the order of equal choices", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          versions,
          disjoint.map(({ base, mine, theirs }) => ({
            ancestor: render(base),
            mine: render(mine),
            theirs: render(theirs)
          })),
          fc.record({ ancestor: anyPage, mine: anyPage, theirs: anyPage })
        ),
        ({ ancestor, mine, theirs }) => {
          const [here, there] = [textOf(merge(ancestor, mine, theirs)), textOf(merge(ancestor, theirs, mine))]
          if (here !== undefined && there !== undefined) expect(unordered(here)).toEqual(unordered(there))
          else expect(here).toBe(there)
        }
      ),
      { numRuns: 1000 }
    )
  })

  it("a clean merge is settled: merging it with the side that it holds gives it again", () => {
    fc.assert(
      fc.property(versions, ({ ancestor, mine, theirs }) => {
        const merged = textOf(merge(ancestor, mine, theirs)) ?? theirs
        expect(textOf(merge(theirs, merged, theirs))).toBe(merged)
      })
    )
  })

  it("a section that neither side removed is in the merge", () => {
    fc.assert(
      fc.property(versions, ({ ancestor, mine, theirs }) => {
        const merged = textOf(merge(ancestor, mine, theirs))
        if (merged === undefined) return
        const count = (text: string, heading: string) =>
          sectionsOf(text).filter((one) => one.heading === heading).length
        for (const { heading } of sectionsOf(ancestor)) {
          const least = Math.min(...[ancestor, mine, theirs].map((text) => count(text, heading)))
          expect(count(merged, heading)).toBeGreaterThanOrEqual(least)
        }
      }),
      { numRuns: 300 }
    )
  })

  it("every line that one side added is in a clean merge, stamps excepted", () => {
    fc.assert(
      fc.property(versions, ({ ancestor, mine, theirs }) => {
        const merged = textOf(merge(ancestor, mine, theirs))
        if (merged === undefined) return
        const linesOf = (text: string) =>
          text
            .replace("\ufeff", "")
            // An indented line below a stamp goes on with its value, over empty lines too.
            .replace(/^(created|updated|author|agent|parent_sha):.*((\r?\n)+[ \t]+.*)*/gm, "")
            .split(/\r?\n/)
            .map((line) => line.trimEnd())
        const [old, all] = [new Set(linesOf(ancestor)), new Set(linesOf(merged))]
        const added = [...linesOf(mine), ...linesOf(theirs)].filter((line) => !old.has(line))
        // Lists merge as sets: an item may come to stand in a list of the other side's style.
        const listed = listedIn(merged)
        const isIn = (line: string) => all.has(line) || listed.has(/^\s*- (.*)$/.exec(line)?.[1] ?? "")
        expect(added.filter((line) => !isIn(line) && !/^(tags|sources|related):/.test(line))).toEqual([])
      }),
      { numRuns: 300 }
    )
  })
})

describe("edits of different sections", () => {
  it("merge, and the merge holds every one of them and every other section byte for byte", () => {
    fc.assert(
      fc.property(disjoint, ({ base, changes, mine, noteBy, theirs }) => {
        const merged = textOf(merge(render(base), render(mine), render(theirs)))
        expect(merged).toBeDefined()
        const sections = sectionsOf(merged ?? "")
        const plain = sections.map(({ text }) => text.trimEnd())
        for (const side of [mine, theirs]) {
          const edited = side.sections.filter(({ text }) => /by (mine|theirs)$|^wholly/.test(text))
          for (const { name, text } of edited) expect(plain).toContain(`## ${name}\n${text}`)
        }
        for (const [index, { name, text }] of base.sections.entries()) {
          const change = changes[index]?.change
          const standing = plain.filter((one) => one.startsWith(`## ${name}\n`))
          if (change === "keep") expect(standing).toEqual([`## ${name}\n${text}`])
          else expect(standing).toHaveLength(change === "remove" ? 0 : 1)
        }
        // Every section but the last is followed by exactly the blank line that it had.
        for (const { text } of sections.slice(0, -1)) expect(text).toMatch(/[^\n]\n\n$/)
        const note = noteBy === "nobody" ? "old" : `by ${noteBy}`
        expect(merged).toContain(`---\nnote: ${note}\nupdated: 2026-07-03T00:00:00Z\ntags: [a, b, theirs, mine]\n---\n`)
      }),
      { numRuns: 300 }
    )
  })

  it("of one section, differently, conflict by exactly its name", () => {
    fc.assert(
      fc.property(disjoint, fc.nat(), ({ base, mine, theirs }, pick) => {
        const { name, text } = base.sections[pick % base.sections.length] ?? { name: "", text: "" }
        const withText = (side: Draft, more: string): string => {
          const others = side.sections.filter((one) => one.name !== name)
          return render({ ...side, sections: [...others, { name, text: `${text} ${more}` }] })
        }
        const outcome = merge(render(base), withText(mine, "one way"), withText(theirs, "another"))
        expect(regionsOf(outcome)).toEqual([`## ${name}`])
      })
    )
  })
})
