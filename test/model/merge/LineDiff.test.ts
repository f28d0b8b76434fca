import { describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { expect } from "vitest"
import { countEdits, diffLines } from "../../../src/model/merge/LineDiff.ts"
import { processorTime } from "../../support/processorTime.ts"

const text = fc
  .array(fc.constantFrom("a", "b", "c", "", "+ x", "- y", "  z"), { maxLength: 12 })
  .map((lines) => lines.join("\n"))

const side = (lines: ReadonlyArray<string>, mark: string) =>
  lines.filter((line) => line.startsWith("  ") || line.startsWith(mark)).map((line) => line.slice(2))

describe("the difference of two texts, line by line", () => {
  it("marks what stays, what went and what came", () => {
    expect(diffLines("a\nb\nc", "a\nx\nc\nd")).toEqual(["  a", "- b", "+ x", "  c", "+ d"])
  })

  it("puts deletes before inserts", () => {
    expect(diffLines("1\n2\n3", "4\n5\n3")).toEqual(["- 1", "- 2", "+ 4", "+ 5", "  3"])
  })

  it("has no line for an empty text", () => {
    expect(diffLines("", "a\n\nb")).toEqual(["+ a", "+ ", "+ b"])
    expect(diffLines("a", "")).toEqual(["- a"])
    expect(diffLines("", "")).toEqual([])
  })

  it("replaces whole what would take too long to look through, between the lines that both begin and end with", () => {
    expect(diffLines("same\na\nb\nc\nend", "same\nb\nd\ne\nend", 2)).toEqual([
      "  same",
      "- a",
      "- b",
      "- c",
      "+ b",
      "+ d",
      "+ e",
      "  end"
    ])
  })

  it("gives both texts back, whatever the limit", () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 8 }), (from, to, limit) => {
        const lines = diffLines(from, to, limit)
        expect(side(lines, "- ").join("\n")).toBe(from)
        expect(side(lines, "+ ").join("\n")).toBe(to)
      })
    )
  })

  it("is as short as it can be", () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        expect(countEdits(diffLines(from, to))).toBe(fewestEdits(linesOf(from), linesOf(to)))
      })
    )
  })

  it("takes a bounded time for texts of 1 MB that share nothing", () => {
    const [from, to] = ["a", "b"].map((letter) => Array.from({ length: 150_000 }, (_, n) => `${letter}${n}`).join("\n"))
    expect(processorTime(() => diffLines(from ?? "", to ?? ""))).toBeLessThan(2000)
  })
})

const linesOf = (source: string) => (source === "" ? [] : source.split("\n"))

/** By the textbook: all prefixes against all prefixes. */
const fewestEdits = (from: ReadonlyArray<string>, to: ReadonlyArray<string>): number => {
  let row = to.map((_, index) => index + 1)
  for (const [index, line] of from.entries()) {
    const next: Array<number> = []
    for (const [column, other] of to.entries()) {
      const diagonal = column === 0 ? index : (row[column - 1] ?? 0)
      const left = column === 0 ? index + 1 : (next[column - 1] ?? 0)
      next.push(line === other ? diagonal : Math.min(left, row[column] ?? 0) + 1)
    }
    row = next
  }
  return row.at(-1) ?? from.length
}
