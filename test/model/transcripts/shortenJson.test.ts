import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { jsonShortener } from "../../../src/model/transcripts/shortenJson.ts"

const shorten = (text: string, maxString: number, pieces: number, maxTotal = 1e9) => {
  const shortener = jsonShortener(maxString, maxTotal)
  const bytes = new TextEncoder().encode(text)
  const step = Math.max(1, Math.ceil(bytes.length / pieces))
  for (let at = 0; at < bytes.length; at += step) shortener.push(bytes.subarray(at, at + step))
  const out = shortener.end()
  return out === undefined ? undefined : new TextDecoder().decode(out)
}

const strings = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constant('\\"🟡\\u00e9\n')
)
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    strings,
    fc.integer(),
    fc.boolean(),
    fc.array(tie("value")),
    fc.dictionary(strings, tie("value"))
  )
})).value

describe("shortening JSON without parsing it", () => {
  it("changes nothing where no string is long", () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 40 }), (value, pieces) => {
        const text = JSON.stringify(value)
        expect(shorten(text, 1000, pieces)).toBe(text)
      })
    )
  })

  it("leaves JSON whose strings are beginnings of what they were, wherever the pieces end", () => {
    fc.assert(
      fc.property(
        fc.array(strings),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 40 }),
        (list, max, pieces) => {
          const out: unknown = JSON.parse(shorten(JSON.stringify(list), max, pieces) ?? "null")
          expect(Array.isArray(out) && out.length).toBe(list.length)
          if (!Array.isArray(out)) return
          for (const [index, text] of out.entries()) {
            // A code point that two pieces share may be cut; nothing else comes in.
            expect(
              list[index]?.toWellFormed().startsWith(
                String(text)
                  .replace(/\uFFFD+$/, "")
                  .replace(/[\ud800-\udbff]$/, "")
              )
            ).toBe(true)
          }
        }
      )
    )
  })

  it("keeps what stands around a string of megabytes, and gives up on megabytes of short ones", () => {
    const text = JSON.stringify({ type: "user", image: "A".repeat(3e6), text: "why?" })
    expect(JSON.parse(shorten(text, 1000, 17) ?? "")).toEqual({ type: "user", image: "A".repeat(1000), text: "why?" })
    expect(shorten(JSON.stringify(Array.from({ length: 1000 }, () => "ab")), 1000, 3, 2000)).toBeUndefined()
  })
})
