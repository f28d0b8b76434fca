import { describe, it } from "@effect/vitest"
import { Either, FastCheck as fc, Schema } from "effect"
import { expect } from "vitest"
import { foldSlug, invalidSlug, isPortable, isSlug, Slug, unportableSlug } from "../../../src/model/page/Slug.ts"
import { anyString } from "../../support/arbitraries.ts"

describe("a slug", () => {
  it.each(["contexo", "2026-06-13-topic", "my_page.v2", "a-b-c", "_x", "A", "1458", "x".repeat(200)])(
    "may be %s",
    (text) => {
      expect(isSlug(text)).toBe(true)
    }
  )

  // A13: nothing that leaves the store, and nothing that a shell, a URL or a reader may take for something else.
  it.each([
    "",
    "../../etc/passwd",
    "a/b",
    "a\\b",
    "..",
    ".",
    "-rf",
    ".hidden",
    "foo/../bar",
    "a..b",
    "a b",
    "slug!",
    "..%2f..%2fx",
    "C:\\x",
    "\u202egnp",
    "a\nb",
    "a\n",
    "a\0",
    "café",
    "cafe\u0301",
    "x".repeat(201)
  ])("may not be %j (A13, A17)", (text) => {
    expect(isSlug(text)).toBe(false)
    expect(Either.mapLeft(Schema.decodeEither(Slug)(text), (error) => error.message)).toEqual(
      Either.left(expect.stringContaining(invalidSlug(text)))
    )
  })

  it("is refused in the reference's words", () => {
    expect(invalidSlug("a/b")).toBe(
      `page: invalid slug "a/b" (use letters, digits, '-', '_', '.'; no '/', '\\', '..', or leading '-'/'.')`
    )
  })

  it("never holds a separator, whatever the text", () => {
    fc.assert(fc.property(anyString, (text) => !isSlug(text) || /^(?!.*\.\.)[\w.-]+$/.test(text)))
    expect(isSlug("a.b")).toBe(true)
  })
})

describe("names that Windows cannot hold (A15)", () => {
  it.each(["con", "CON", "nul.txt", "aux.notes", "prn", "com1", "lpt9.md", "name."])("%s is not portable", (slug) => {
    expect(isPortable(slug)).toBe(false)
    expect(unportableSlug(slug)).toContain(JSON.stringify(slug))
  })

  it.each(["console", "nullable", "auxiliary", "com10", "com", "lpt", "a.con", "name.v1"])("%s is portable", (slug) => {
    expect(isPortable(slug)).toBe(true)
  })
})

describe("identity", () => {
  it("does not see case (A16)", () => {
    expect(foldSlug("Auth-Flow")).toBe(foldSlug("auth-flow"))
    expect(foldSlug("auth-flow")).not.toBe(foldSlug("auth_flow"))
  })
})
