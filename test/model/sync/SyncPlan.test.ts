import { describe, it } from "@effect/vitest"
import { FastCheck as fc, Option } from "effect"
import { expect } from "vitest"
import { Sha } from "../../../src/model/page/Sha.ts"
import { KeepReason, type PageSides, planPull, PullStep, Remote } from "../../../src/model/sync/SyncPlan.ts"

const sha = Sha.make("a".repeat(40))

const page = (body: string, updated = "2026-07-05T09:00:00Z") =>
  `---\nschema: ctx.page.v1\nslug: a\ntype: concept\nauthor: dev\ncreated: 2026-07-01T00:00:00Z\nupdated: ${updated}\nparent_sha: ""\n---\n${body}`

const base = page("## A\none\n\n## B\ntwo\n")
const editA = page("## A\nONE\n\n## B\ntwo\n")
const editB = page("## A\none\n\n## B\nTWO\n")
const otherA = page("## A\nuno\n\n## B\ntwo\n")

const sides = (over: Partial<PageSides>): PageSides => ({
  base: Option.some(base),
  recorded: true,
  awaiting: Option.none(),
  local: Option.some(base),
  remote: Remote.Present({ sha, text: base }),
  historyReplaced: false,
  restore: false,
  ...over
})
const there = (text: string) => Remote.Present({ sha, text })

describe("what a pull decides", () => {
  it("takes the server's version where nothing changed here", () => {
    expect(planPull(sides({ remote: there(editA) }))).toEqual(PullStep.Take({ sha, text: editA }))
  })

  it("takes a page that is new on the server", () => {
    expect(planPull(sides({ base: Option.none(), recorded: false, local: Option.none() }))).toEqual(
      PullStep.Take({ sha, text: base })
    )
  })

  it("keeps a local edit silently where the server did not change", () => {
    expect(planPull(sides({ local: Option.some(editA) }))).toEqual(PullStep.LocalEdit({ sha, base }))
  })

  it("merges edits of different sections", () => {
    const step = planPull(sides({ local: Option.some(editA), remote: there(editB) }))
    expect(step).toEqual(PullStep.Merge({ sha, text: page("## A\nONE\n\n## B\nTWO\n"), base: editB }))
  })

  it("keeps the local file where both sides changed one section, and names it", () => {
    expect(planPull(sides({ local: Option.some(editA), remote: there(otherA) }))).toEqual(
      PullStep.Keep({ reason: KeepReason.BothChanged({ regions: ["## A"] }) })
    )
  })

  it("merges a mere re-stamp silently", () => {
    const stamped = page("## A\none\n\n## B\ntwo\n", "2027-01-01T00:00:00Z")
    expect(planPull(sides({ local: Option.some(editA), remote: there(stamped) }))._tag).toBe("Merge")
  })

  it("adopts equal texts whatever the shas say, and settles a mark by it", () => {
    const awaiting = Option.some({ ancestor: Option.some(base) })
    expect(planPull(sides({ base: Option.none(), awaiting, local: Option.some(editA), remote: there(editA) }))).toEqual(
      PullStep.Adopt({ sha, text: editA })
    )
  })

  it("keeps a page whose base is not known, when it differs (a folder of the Go client)", () => {
    expect(planPull(sides({ base: Option.none(), local: Option.some(editA), remote: there(editB) }))).toEqual(
      PullStep.Keep({ reason: KeepReason.UnknownBase() })
    )
  })

  it("keeps a page that both sides created", () => {
    const step = planPull(
      sides({ base: Option.none(), recorded: false, local: Option.some(editA), remote: there(editB) })
    )
    expect(step._tag === "Keep" && step.reason._tag).toBe("BothCreated")
  })

  it("merges from the true ancestor while a rejected push awaits its merge", () => {
    // The base moved on to the server's version already; taking it as the ancestor would undo the server's edit.
    const step = planPull(
      sides({
        base: Option.some(editB),
        awaiting: Option.some({ ancestor: Option.some(base) }),
        local: Option.some(editA),
        remote: there(editB)
      })
    )
    expect(step).toEqual(PullStep.Merge({ sha, text: page("## A\nONE\n\n## B\nTWO\n"), base: editB }))
  })

  it("reports a file that is gone here, and brings it back only when asked", () => {
    expect(planPull(sides({ local: Option.none(), remote: there(editA) }))).toEqual(
      PullStep.Keep({ reason: KeepReason.GoneHere() })
    )
    expect(planPull(sides({ local: Option.none(), restore: true }))).toEqual(PullStep.Take({ sha, text: base }))
  })

  it("removes an unchanged page that the server deleted, and keeps an edited one", () => {
    expect(planPull(sides({ remote: Remote.Deleted() }))).toEqual(PullStep.Delete())
    expect(planPull(sides({ local: Option.some(editA), remote: Remote.Deleted() }))).toEqual(
      PullStep.Keep({ reason: KeepReason.DeletedThere() })
    )
  })

  it("never deletes a page that the server merely does not have (A40)", () => {
    expect(planPull(sides({ remote: Remote.Absent() }))).toEqual(PullStep.Forget({ named: true }))
  })

  it("keeps this copy where the server's history was replaced, so that a push brings it back (A40)", () => {
    expect(planPull(sides({ historyReplaced: true, remote: there(editB) }))).toEqual(
      PullStep.Rebase({ sha, base: editB })
    )
  })

  it("drops removed characters from the server's text before it compares or writes", () => {
    const step = planPull(
      sides({ base: Option.none(), recorded: false, local: Option.none(), remote: there(`${base}\u202e`) })
    )
    expect(step).toEqual(PullStep.Take({ sha, text: base }))
  })
})

describe("the invariants of a pull", () => {
  const line = fc.constantFrom("one", "two", "", "- item", "```", "text")
  const section = fc.tuple(fc.constantFrom("## A", "## B", "## C"), fc.array(line, { maxLength: 3 }))
  const text = fc
    .tuple(fc.array(section, { maxLength: 4 }), fc.constantFrom("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"))
    .map(([sections, stamp]) =>
      page(sections.map(([heading, lines]) => [heading, ...lines, ""].join("\n")).join(""), stamp)
    )
  const remote: fc.Arbitrary<Remote> = fc.oneof(
    { weight: 6, arbitrary: text.map(there) },
    { weight: 1, arbitrary: fc.constant(Remote.Deleted()) },
    { weight: 1, arbitrary: fc.constant(Remote.Absent()) }
  )
  const option = <A>(one: fc.Arbitrary<A>) => fc.option(one, { nil: undefined }).map(Option.fromNullable)
  const anySides: fc.Arbitrary<PageSides> = fc.record({
    base: option(text),
    recorded: fc.boolean(),
    awaiting: option(fc.record({ ancestor: option(text) })),
    local: option(text),
    remote,
    historyReplaced: fc.boolean(),
    restore: fc.boolean()
  })

  it("1: bytes that differ from the base are replaced by nothing but a merge, and never removed", () => {
    fc.assert(
      fc.property(anySides, (one) => {
        const step = planPull(one)
        if (step._tag !== "Take" && step._tag !== "Delete") return
        const ancestor = Option.match(one.awaiting, { onNone: () => one.base, onSome: (mark) => mark.ancestor })
        const untouched = Option.isNone(one.local) || Option.contains(ancestor, Option.getOrThrow(one.local))
        expect(untouched).toBe(true)
      }),
      { numRuns: 500 }
    )
  })

  it("2: equal texts are adopted", () => {
    fc.assert(
      fc.property(anySides, text, (one, same) => {
        expect(planPull({ ...one, local: Option.some(same), remote: there(same) })._tag).toBe("Adopt")
      })
    )
  })

  it("4: without a base of the recorded sha nothing is replaced", () => {
    fc.assert(
      fc.property(anySides, text, (one, local) => {
        const step = planPull({
          ...one,
          base: Option.none(),
          awaiting: Option.none(),
          recorded: true,
          local: Option.some(local)
        })
        expect(["Adopt", "Keep", "Rebase", "Forget", "Nothing"]).toContain(step._tag)
      })
    )
  })

  it("6: deciding again on the outcome writes nothing", () => {
    fc.assert(
      fc.property(anySides, text, (one, theirs) => {
        const step = planPull({ ...one, remote: there(theirs), historyReplaced: false })
        if (step._tag !== "Take" && step._tag !== "Merge") return
        const base = step._tag === "Take" ? step.text : step.base
        const again = planPull({
          ...one,
          base: Option.some(base),
          recorded: true,
          awaiting: Option.none(),
          local: Option.some(step.text),
          remote: there(theirs),
          historyReplaced: false
        })
        expect(["Adopt", "LocalEdit"]).toContain(again._tag)
      }),
      { numRuns: 300 }
    )
  })
})
