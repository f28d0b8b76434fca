import { FetchHttpClient } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { doctor } from "../../../src/effects/doctor/doctor.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { writtenText } from "../../../src/main/render/write.ts"
import { freshPlace } from "../../support/place.ts"
import { open } from "../../support/team.ts"

const project = Effect.gen(function* () {
  const place = yield* freshPlace
  yield* place.makeFolder(".contexo")
  return { place, member: yield* open(place.folder) }
})

describe("references to what is no page here", () => {
  it.scoped("are named in the answer of a write, in one line; those that are, in any case and type, are not", () =>
    Effect.gen(function* () {
      const { member } = yield* project
      yield* member.as(writePage({ slug: "Billing", type: "entity", body: "x" }))
      const body = "[[billing]], [[retry]], `[[code]]`, [[retry]] and [[self]]\n"
      const written = yield* member.as(
        writePage({ slug: "self", type: "concept", body, related: ["gone"], sources: ["https://x.example/a", "old"] })
      )
      expect(writtenText(written)).toBe(
        "Wrote wiki/concepts/self.md\nNo page here yet: gone (related), old (sources), [[retry]]. Write it, pull it, or mend the reference."
      )
      const fine = yield* member.as(writePage({ slug: "fine", type: "concept", body: "[[self|me]] [[Billing#x]]" }))
      expect(writtenText(fine)).toBe("Wrote wiki/concepts/fine.md")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("are notes of the doctor, a page each", () =>
    Effect.gen(function* () {
      const { member } = yield* project
      yield* member.as(writePage({ slug: "a", type: "concept", body: "[[b]] [[zz]]", related: ["b", "yy"] }))
      yield* member.as(writePage({ slug: "b", type: "analysis", body: "[[a]]" }))
      const { findings, ok } = yield* member.as(Effect.provide(doctor(), FetchHttpClient.layer))
      expect(ok).toBe(true)
      expect(findings.filter(({ check }) => check === "links")).toEqual([
        {
          check: "links",
          level: "note",
          path: "wiki/concepts/a.md",
          message: "no page here: yy (related), [[zz]]",
          fix: "write the page, 'ctx pull', or mend the reference"
        },
        { check: "links", level: "ok", message: "2 page(s) looked through, 1 with dead references" }
      ])
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
