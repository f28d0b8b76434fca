import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { exactBytes, isIntact, ofBytes, ofText } from "../../../src/model/paging/Content.ts"
import { excerptAt } from "../../../src/model/paging/Excerpt.ts"
import { find, fold, trigrams } from "../../../src/model/paging/Fold.ts"
import { isLookup } from "../../../src/model/paging/Echo.ts"
import { parseSince } from "../../../src/model/paging/Since.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)

describe("content", () => {
  it.each(["", "a\r\nb\r\n", "\ufeffbom", "cafe\u0301", "\u001b[31mred", "👩‍👩‍👧", "x\n\n"])(
    "of plain text %j is that text",
    (text) => {
      expect(ofText(text)).toMatchObject({ text, raw: null, bytes: utf8(text).length })
    }
  )

  it("keeps what SQLite's text would not: NUL, lone surrogates, bytes that are no UTF-8", () => {
    expect(ofText("a\0b")).toMatchObject({ text: "a\ufffdb", raw: utf8("a\0b") })
    expect(ofText("x\ud83dy")).toMatchObject({ text: "x\ufffdy", raw: Uint8Array.of(0x78, 0xed, 0xa0, 0xbd, 0x79) })
    expect(ofBytes(Uint8Array.of(0x61, 0xff))).toMatchObject({ text: "a\ufffd", raw: Uint8Array.of(0x61, 0xff) })
  })

  it("gives back the bytes that were put in, and knows when it does not", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const stored = ofBytes(bytes)
        expect(exactBytes(stored)).toEqual(bytes)
        expect(isIntact(stored)).toBe(true)
        expect(isIntact({ ...stored, text: `${stored.text}x`, raw: null })).toBe(false)
      })
    )
    fc.assert(
      fc.property(fc.fullUnicodeString({ maxLength: 200 }), fc.string16bits({ maxLength: 100 }), (plain, units) => {
        expect(exactBytes(ofText(plain))).toEqual(utf8(plain))
        const stored = ofText(units)
        expect(stored.text.isWellFormed()).toBe(true)
        expect(isIntact(stored)).toBe(true)
      })
    )
  })
})

describe("looking for a text", () => {
  it.each([
    ["fooBarBaz", "barb", 3],
    ["ΣΊΣΥΦΟΣ", "σίσυφος", 0],
    ["Straße", "STRASSE", -1],
    ["ПРИВЕТ мир", "привет", 0],
    ["今天讨论了部署方案", "部署", 5],
    ["İstanbul", "istanbul", -1],
    ["e\u0301", "é", -1],
    ["100%_x", "%_", 3]
  ])("%j holds %j at %i", (text, query, at) => {
    expect(find(text, query, false)).toBe(at)
  })

  it("keeps every letter in its place", () => {
    fc.assert(
      fc.property(fc.fullUnicodeString({ maxLength: 200 }), (text) => {
        expect(fold(text)).toHaveLength(text.length)
        expect(fold(fold(text))).toBe(fold(text))
      })
    )
  })

  it("asks the index for letters that it knows only", () => {
    expect(trigrams("abcd")).toEqual(["abc", "bcd"])
    expect(trigrams("ab")).toEqual([])
    expect(trigrams("ᲐᲑᲒ")).toEqual([])
    expect(trigrams("x".repeat(10))).toEqual(["xxx"])
    expect(trigrams(Array.from({ length: 500 }, (_, n) => n).join(" ")).length).toBeLessThanOrEqual(24)
  })
})

describe("an excerpt", () => {
  it("is one safe line around the place, on code points, with what is left off marked", () => {
    const text = `${"😀".repeat(200)}needle\n\t<PUSH_PAUSED \u001b[31m${"界".repeat(200)}`
    const excerpt = excerptAt(text, text.indexOf("needle"), 6)
    expect(excerpt).toBe(`…${"😀".repeat(70)}needle <\\PUSH_PAUSED ${"界".repeat(50)}…`)
    expect(excerptAt("short", 0, 0)).toBe("short")
  })

  it("holds what was looked for, whatever stands around it", () => {
    fc.assert(
      fc.property(
        fc.fullUnicodeString({ maxLength: 300 }),
        fc.fullUnicodeString({ maxLength: 300 }),
        (before, after) => {
          const text = `${before}NEEDLE${after}`
          const excerpt = excerptAt(text, text.indexOf("NEEDLE"), 6)
          expect(excerpt).toContain("NEEDLE")
          expect(excerpt.isWellFormed() && !/[\r\n\t\u001b]/.test(excerpt)).toBe(true)
        }
      )
    )
  })
})

describe("arguments", () => {
  it.each([
    ["30m", 1_800_000],
    ["24h", 86_400_000],
    ["7d", 604_800_000],
    ["90s", 90_000],
    ["2w", 1_209_600_000]
  ])("%s is %i ms", (text, milliseconds) => {
    expect(parseSince(text)).toMatchObject({ _tag: "Some", value: { text, milliseconds } })
  })

  it("any has no bound, and nothing else is a duration", () => {
    expect(parseSince("any")).toMatchObject({ value: { milliseconds: undefined } })
    for (const text of ["", "h", "1", "-1h", "1y", "1.5h", "9999999d"]) expect(parseSince(text)._tag).toBe("None")
  })

  it("a look-up in this database is an echo, the word alone is none", () => {
    expect(isLookup("mcp__contexo__ctx_page_search", "{}")).toBe(true)
    expect(isLookup("Bash", '{"command":"python3 .claude/skills/context-paging/scripts/cp_search.py port"}')).toBe(true)
    expect(isLookup("Bash", '{"command":"ctx paging around m12"}')).toBe(true)
    expect(isLookup("Bash", '{"command":"grep -r search ."}')).toBe(false)
    expect(isLookup("ctx_page_out", "text")).toBe(false)
  })
})
