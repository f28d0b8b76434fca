import { expect, it } from "@effect/vitest"
import { fitLines } from "../../../src/main/mcp/fit.ts"

it("A23: an answer is cut at whole lines, and says how many are left off", () => {
  const lines = Array.from({ length: 5_000 }, (_, n) => `kept: wiki/concepts/pagé-${n}.md (changed here)`)
  const fitted = fitLines(lines.join("\n"), 10_000)
  expect(Buffer.byteLength(fitted)).toBeLessThanOrEqual(10_000)
  const shown = fitted.split("\n")
  expect(shown.slice(0, -1)).toEqual(lines.slice(0, shown.length - 1))
  expect(shown.at(-1)).toBe(`[${5_000 - shown.length + 1} more line(s) left off.]`)
})

it("an answer that fits is left as it is", () => {
  expect(fitLines("Pulled 2 page(s); HEAD=abcdef01\nmerged: wiki/concepts/a.md")).toBe(
    "Pulled 2 page(s); HEAD=abcdef01\nmerged: wiki/concepts/a.md"
  )
})
