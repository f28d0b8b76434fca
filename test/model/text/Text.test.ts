import { describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { expect } from "vitest"
import { byteLength, compareCodePoints, truncateBytes } from "../../../src/model/text/Text.ts"
import { anyString } from "../../support/arbitraries.ts"

describe("byteLength", () => {
  it("counts bytes of UTF-8, three for a lone surrogate", () => {
    expect(["a", "é", "部", "🟡", "\ud83d"].map(byteLength)).toEqual([1, 2, 3, 4, 3])
  })
})

describe("truncateBytes", () => {
  it("never cuts an emoji in half (A11)", () => {
    const limit = 20
    const text = `${"a".repeat(limit - 1)}🟡`
    expect(truncateBytes(text, limit)).toBe("a".repeat(limit - 1))
    expect(truncateBytes(text, limit + 2)).toBe("a".repeat(limit - 1))
    expect(truncateBytes(text, limit + 3)).toBe(text)
  })

  it("cuts between the bytes of accented and ideographic text, not inside", () => {
    expect(truncateBytes("éé", 3)).toBe("é")
    expect(truncateBytes("部署", 5)).toBe("部")
  })

  it("gives nothing for no room", () => {
    expect([truncateBytes("abc", 0), truncateBytes("abc", -1), truncateBytes("", 5)]).toEqual(["", "", ""])
  })

  it("is the longest beginning that fits and ends on a code point", () => {
    fc.assert(
      fc.property(anyString, fc.nat(80), (text, room) => {
        const cut = truncateBytes(text, room)
        const points = [...text]
        const longest = points.findLastIndex((_, index) => byteLength(points.slice(0, index + 1).join("")) <= room)
        expect(cut).toBe(points.slice(0, longest + 1).join(""))
      }),
      { numRuns: 1000 }
    )
  })
})

describe("compareCodePoints", () => {
  it("puts an emoji after every character of the basic plane", () => {
    expect(["\u{1f7e1}", "\uffee", "b", "a", "ab", ""].toSorted(compareCodePoints)).toEqual([
      "",
      "a",
      "ab",
      "b",
      "\uffee",
      "\u{1f7e1}"
    ])
  })

  it("orders as lists of code points do", () => {
    fc.assert(
      fc.property(anyString, anyString, (a, b) => {
        const [left, right] = [a.toWellFormed(), b.toWellFormed()]
        expect(Math.sign(compareCodePoints(left, right))).toBe(
          Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)))
        )
      })
    )
  })
})
