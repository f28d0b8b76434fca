import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc, Option } from "effect"
import { type Undo, undoOf } from "../../../src/services/agents/Change.ts"
import { addIgnore, ignoreLine } from "../../../src/services/agents/GitIgnore.ts"
import { takeOut } from "../../support/edits.ts"

const header = "# Contexo local knowledge (synced via ctx push/pull, not git)"
const withoutIgnore = (text: string, undo: Option.Option<Undo>) => Either.getOrThrow(takeOut(ignoreLine, text, undo))
const added = (text: string) => addIgnore(Option.some(text)).after

describe(".contexo/ in .gitignore", () => {
  it.each([
    ["dist\n", `dist\n\n${header}\n.contexo/\n`],
    ["dist", `dist\n\n${header}\n.contexo/`],
    ["dist\r\n", `dist\r\n\r\n${header}\r\n.contexo/\r\n`],
    ["a\r\ndist", `a\r\ndist\r\n\r\n${header}\r\n.contexo/`],
    ["dist\n\n", `dist\n\n\n${header}\n.contexo/\n`],
    ["", `${header}\n.contexo/\n`]
  ])("goes to the end of %j", (before, after) => {
    expect(addIgnore(Option.some(before))).toEqual({ after, change: "added" })
  })

  it("makes the file where there is none", () => {
    expect(addIgnore(Option.none())).toEqual({ after: `${header}\n.contexo/\n`, change: "created" })
  })

  it.each([".contexo/\n", "a\n  .contexo  \nb", "a\r\n.contexo/\r\n", `dist\n\n${header}\n.contexo/\n`])(
    "is there already in %j",
    (text) => {
      expect(addIgnore(Option.some(text))).toEqual({ after: text, change: "present" })
    }
  )

  it.each(["# .contexo/\n", "/.contexo/x\n", "my.contexo/\n", "!.contexo/\n"])("is not there in %j", (text) => {
    expect(addIgnore(Option.some(text)).change).toBe("added")
  })

  const text = fc
    .array(fc.constantFrom("dist", "", "  ", "*.log", "# note", "é"), { maxLength: 6 })
    .chain((lines) => fc.constantFrom(lines.join("\n"), lines.join("\r\n"), `${lines.join("\n")}\n`))

  it("comes out again exactly, with and without a note of what was there", () => {
    fc.assert(
      fc.property(text, (before) => {
        const after = added(before)
        expect(withoutIgnore(after, Option.some(undoOf(Option.some(before), after)))).toEqual(Option.some(before))
        // Without a note, an empty file and no file look the same.
        expect(withoutIgnore(after, Option.none())).toEqual(Option.liftPredicate(before, (text) => text !== ""))
      })
    )
    const { after } = addIgnore(Option.none())
    expect(withoutIgnore(after, Option.some(undoOf(Option.none(), after)))).toEqual(Option.none())
    expect(withoutIgnore(after, Option.none())).toEqual(Option.none())
  })

  it("comes out alone, whatever was added after it", () => {
    const undo = Option.some(undoOf(Option.some("dist\n"), added("dist\n")))
    expect(withoutIgnore(`${added("dist\n")}*.log\n`, undo)).toEqual(Option.some("dist\n*.log\n"))
    expect(withoutIgnore("dist\n.contexo/\n*.log\n", undo)).toEqual(Option.some("dist\n*.log\n"))
    expect(withoutIgnore("dist\n", undo)).toEqual(Option.some("dist\n"))
  })
})
