import { Either, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { parseSelection } from "../../../src/model/migrate/Selection.ts"

const offered = [1, 2, 3, 4, 5, 6, 7, 8]

describe("a selection", () => {
  it("is numbers, ranges and all, in any order", () => {
    expect(parseSelection("1,2,5-7", offered)).toEqual(Either.right([1, 2, 5, 6, 7]))
    expect(parseSelection(" 7 - 8 , 3 3 ", offered)).toEqual(Either.right([3, 7, 8]))
    expect(parseSelection("ALL", offered)).toEqual(Either.right(offered))
  })

  it.each([
    ["", "nothing is selected: say numbers, ranges like 5-7, or 'all'"],
    ["1,x", `"x" is no number, no range like 5-7, and not 'all'`],
    ["7-5", "7-5 runs backwards"],
    ["0", "there is no 0: the list goes from 1 to 8"],
    ["6-9", "there is no 9: the list goes from 1 to 8"],
    ["1-", `"1-" is no number, no range like 5-7, and not 'all'`]
  ])("%j is none", (text, reason) => {
    expect(parseSelection(text, offered)).toEqual(Either.left(reason))
  })

  it("gives back what was picked, however it is written", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...offered), { minLength: 1 }), (picked) => {
        expect(parseSelection(picked.join(","), offered)).toEqual(Either.right(picked.toSorted((a, b) => a - b)))
      })
    )
  })
})
