import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { eachPosting, positionsIn, writePosting } from "../../../src/model/search/Postings.ts"

interface Posting {
  readonly doc: number
  readonly weight: number
  readonly positions: ReadonlyArray<number>
}

/** Numbers of one, two and more bytes, each greater than the one before. */
const ascending = fc
  .array(
    fc.oneof(fc.nat({ max: 3 }), fc.integer({ min: 126, max: 130 }), fc.integer({ min: 16_382, max: 2_000_000 })),
    {
      minLength: 1,
      maxLength: 200
    }
  )
  .map((steps) => steps.map((_, index) => steps.slice(0, index + 1).reduce((sum, step) => sum + step, index)))

const posting: fc.Arbitrary<Posting> = fc.record({
  doc: fc.nat({ max: 511 }),
  weight: fc.integer({ min: 1, max: 255 }),
  positions: ascending
})

const written = (postings: ReadonlyArray<Posting>): Uint8Array => {
  const out: Array<number> = []
  for (const { doc, positions, weight } of postings) writePosting(out, doc, weight, positions)
  return Uint8Array.from(out)
}

const read = (bytes: Uint8Array): ReadonlyArray<Posting> => {
  const found: Array<Posting> = []
  eachPosting(bytes, (doc, weight, from, to) => {
    found.push({ doc, weight, positions: positionsIn(bytes, from, to) })
  })
  return found
}

describe("postings", () => {
  it("are read as they were written", () => {
    fc.assert(
      fc.property(fc.array(posting, { maxLength: 5 }), (postings) => {
        expect(read(written(postings))).toEqual(postings)
      })
    )
  })

  it("cut short, give whole ones only, and end", () => {
    fc.assert(
      fc.property(fc.array(posting, { minLength: 1, maxLength: 5 }), fc.nat(), (postings, cut) => {
        const bytes = written(postings)
        const whole = read(bytes.subarray(0, cut % bytes.length))
        expect(whole.length).toBeLessThanOrEqual(postings.length)
        expect(whole.slice(0, -1)).toEqual(postings.slice(0, Math.max(0, whole.length - 1)))
      })
    )
  })
})
