import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { isTooDeep, maxJsonDepth } from "../../src/model/JsonDepth.ts"

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
const wrapped = (text: string, levels: number) => "[".repeat(levels) + text + "]".repeat(levels)

describe("isTooDeep", () => {
  it("is about depth, whatever strings hold", () => {
    const strings = fc.stringMatching(/^[[\]{}"\\a]*$/)
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), strings, (json, text) => {
        const value = { [text]: [json, text] }
        const left = maxJsonDepth - depthOf(value)
        expect(isTooDeep(wrapped(JSON.stringify(value), left))).toBe(false)
        expect(isTooDeep(wrapped(JSON.stringify(value), left + 1))).toBe(true)
      })
    )
  })

  it("takes what is no JSON, and millions of brackets at once", () => {
    for (const text of ["", '"', '"\\', "]]]]", '{"a":"', '\\"[', "[".repeat(maxJsonDepth)]) {
      expect([text, isTooDeep(text)]).toEqual([text, false])
    }
    expect(isTooDeep("[{".repeat(4_000_000))).toBe(true)
  })
})
