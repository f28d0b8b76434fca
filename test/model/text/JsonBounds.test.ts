import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { jsonExcess, maxJsonDepth } from "../../../src/model/text/JsonBounds.ts"

const childrenOf = (value: unknown): ReadonlyArray<unknown> =>
  typeof value === "object" && value !== null ? Object.values(value) : []
const isPiece = (value: unknown): boolean => typeof value === "object" && value !== null
const depthOf = (value: unknown): number => (isPiece(value) ? 1 + Math.max(0, ...childrenOf(value).map(depthOf)) : 0)
const piecesOf = (value: unknown): number =>
  childrenOf(value).reduce<number>((sum, child) => sum + piecesOf(child), isPiece(value) ? 1 : 0)
const wrapped = (text: string, levels: number) => "[".repeat(levels) + text + "]".repeat(levels)

describe("jsonExcess", () => {
  it("is about depth and pieces, whatever strings hold", () => {
    const strings = fc.stringMatching(/^[[\]{}"\\a]*$/)
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), strings, (json, text) => {
        const value = { [text]: [json, text] }
        const plain = JSON.stringify(value)
        const left = maxJsonDepth - depthOf(value)
        expect(jsonExcess(wrapped(plain, left), 10_000)).toBeUndefined()
        expect(jsonExcess(wrapped(plain, left + 1), 10_000)).toBe("it nests more than 64 levels deep")
        expect(jsonExcess(plain, piecesOf(value))).toBeUndefined()
        expect(jsonExcess(plain, piecesOf(value) - 1)).toContain("arrays and objects")
      })
    )
  })

  it("takes what is no JSON, and millions of brackets at once", () => {
    for (const text of ["", '"', '"\\', "]]]]", '{"a":"', '\\"[', "[".repeat(maxJsonDepth)]) {
      expect([text, jsonExcess(text, 100)]).toEqual([text, undefined])
    }
    expect(jsonExcess("[{".repeat(4_000_000), 100)).toContain("levels deep")
    expect(jsonExcess("[],".repeat(4_000_000), 3_000_000)).toBe("it holds more than 3000000 arrays and objects")
  })
})
