import { describe, it } from "@effect/vitest"
import { Either, FastCheck as fc, Option, Schema } from "effect"
import { expect } from "vitest"
import { identityOf, pagePath, PagePath, parsePagePath, slugOf, typeOf } from "../../../src/model/page/PagePath.ts"
import { folderOf, PageType, pageTypes } from "../../../src/model/page/PageType.ts"
import { isSlug, Slug } from "../../../src/model/page/Slug.ts"

const slug = Slug.make("auth-flow")

describe("a page's path", () => {
  it("follows from type and slug", () => {
    expect(pageTypes.map((type) => pagePath(type, slug))).toEqual([
      "wiki/concepts/auth-flow.md",
      "wiki/entities/auth-flow.md",
      "wiki/analyses/auth-flow.md",
      "raw/sessions/auth-flow.md"
    ])
  })

  it("gives type and slug back", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...pageTypes),
        fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,20}$/).filter(isSlug),
        (type, text) => {
          const path = pagePath(type, Slug.make(text))
          expect([typeOf(path), slugOf(path)]).toEqual([type, text])
          expect(parsePagePath(path)).toEqual(Option.some(path))
        }
      )
    )
  })

  it.each([
    "config.json",
    "credentials.json",
    ".sync/state.json",
    "index.md",
    "tags.md",
    "wiki/a.md",
    "wiki/concepts/a",
    "wiki/concepts/.md",
    "wiki/concepts/a.MD",
    "wiki/concepts/../a.md",
    "../wiki/concepts/a.md",
    "/wiki/concepts/a.md",
    "./wiki/concepts/a.md",
    "wiki//concepts/a.md",
    "wiki\\concepts\\a.md",
    "wiki/concepts/a/b.md",
    "raw/sessions/_pending/a.md",
    "Wiki/concepts/a.md",
    "wiki/concepts/a.md\n",
    "wiki/concepts/a.md\0",
    "wiki/concepts/-a.md",
    "wiki/concepts/a..b.md",
    "wiki/concepts/caf\u00e9.md",
    ""
  ])("%j is none (A13)", (text) => {
    expect(parsePagePath(text)).toEqual(Option.none())
    expect(Either.mapLeft(Schema.decodeEither(PagePath)(text), (error) => error.message)).toEqual(
      Either.left(expect.stringContaining(`invalid page path ${JSON.stringify(text)}`))
    )
  })

  it("is the same page in any case (A16)", () => {
    expect(identityOf(pagePath("concept", Slug.make("Auth-Flow")))).toBe(identityOf(pagePath("concept", slug)))
    expect(identityOf(pagePath("entity", slug))).not.toBe(identityOf(pagePath("concept", slug)))
  })
})

describe("page types", () => {
  it("are the reference's four, each with a folder of its own", () => {
    expect(pageTypes).toEqual(["concept", "entity", "analysis", "source"])
    expect(new Set(Object.values(folderOf)).size).toBe(4)
    expect(Schema.is(PageType)("decision")).toBe(false)
  })
})
