import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { resolveAmong, sharedSlugs, withMarkdownLinks, withVaultLinks } from "../../../src/model/archive/links.ts"
import { splitPage } from "../../../src/model/frontmatter/Frontmatter.ts"
import { type PagePath, pagePath } from "../../../src/model/page/PagePath.ts"
import { Slug } from "../../../src/model/page/Slug.ts"
import { wikiLinks } from "../../../src/model/page/WikiLinks.ts"
import { pageText } from "../../support/pages.ts"

const concept = (slug: string) => pagePath("concept", Slug.make(slug))
const rule = concept("retry-rule")
const billing = pagePath("entity", Slug.make("Billing"))
const session = pagePath("source", Slug.make("2026-07-05-chat"))
const paths: ReadonlyArray<PagePath> = [rule, concept("twin"), billing, pagePath("entity", Slug.make("twin")), session]

const page = (body: string, fields = "") => `---\nschema: ctx.page.v1\n${fields}---\n${body}\n`
const markdown = (from: PagePath, body: string) => withMarkdownLinks(from, page(body), resolveAmong(paths))
const vault = (body: string, fields = "") => withVaultLinks(page(body, fields), sharedSlugs(paths), resolveAmong(paths))

describe("links of plain Markdown", () => {
  it("lead from file to file", () => {
    expect(markdown(rule, "[[retry-rule]] [[billing]] [[2026-07-05-chat]]")).toBe(
      page(
        "[retry-rule](retry-rule.md) [billing](../entities/Billing.md) [2026-07-05-chat](../../raw/sessions/2026-07-05-chat.md)"
      )
    )
    expect(markdown(session, "[[retry-rule]]")).toBe(page("[retry-rule](../../wiki/concepts/retry-rule.md)"))
  })

  it("keep label and heading, in a table too", () => {
    expect(markdown(rule, "[[billing|the *bills*]] [[billing#Rate limits: why?]] [[billing#A|b]]")).toBe(
      page(
        "[the *bills*](../entities/Billing.md) [billing > Rate limits: why?](../entities/Billing.md#rate-limits-why) [b](../entities/Billing.md#a)"
      )
    )
    expect(markdown(rule, "| a | b |\n|---|---|\n| [[billing\\|x]] | [[billing]] |")).toContain(
      "| [x](../entities/Billing.md) | [billing](../entities/Billing.md) |"
    )
  })

  it("leave alone what leads to no exported page, what is embedded, and what is no link", () => {
    const body = "[[gone]] ![[billing]] `[[billing]]` \\[[billing]]\n\n    [[billing]]\n"
    expect(markdown(rule, body)).toBe(page(body))
  })
})

describe("links of a vault", () => {
  it("are wikilinks in the lists too", () => {
    expect(
      vault("see [[retry-rule]]", 'related: [retry-rule, "https://x.example", gone]\nsources:\n  - 2026-07-05-chat\n')
    ).toBe(
      page(
        "see [[retry-rule]]",
        'related: ["[[retry-rule]]", "https://x.example", gone]\nsources:\n  - "[[2026-07-05-chat]]"\n'
      )
    )
  })

  it("name the folder where two pages share a slug", () => {
    expect(vault("[[twin]] [[twin#A]]\n[[twin|t]] [[twin#A|t]]", "related: [twin]\n")).toBe(
      page(
        "[[wiki/concepts/twin|twin]] [[wiki/concepts/twin#A|twin]]\n[[wiki/concepts/twin|t]] [[wiki/concepts/twin#A|t]]",
        'related: ["[[wiki/concepts/twin|twin]]"]\n'
      )
    )
    expect(vault("| a |\n|---|\n| [[twin]] [[twin\\|t]] |")).toContain(
      "| [[wiki/concepts/twin]] [[wiki/concepts/twin\\|t]] |"
    )
  })

  it("leave empty lists, anchors and pages without references byte for byte as they are", () => {
    for (const fields of ["related: []\n", "related: &a [gone]\nsources: *a\n", "tags: [retry-rule]\n", ""]) {
      expect(vault("plain", fields)).toBe(page("plain", fields))
    }
  })
})

describe("any page", () => {
  const slugs = ["a", "b", "c"].map(concept)
  const bodies = fc.tuple(
    pageText,
    fc.array(fc.constantFrom("[[a]]", "[[A|x]]", "`[[b]]`", "text", "[[zz]]", "|", "\n\n"), { maxLength: 8 })
  )

  it("keeps every byte outside of the links that are rewritten", () => {
    fc.assert(
      fc.property(bodies, ([text, more]) => {
        const whole = text + more.join(" ")
        const resolve = resolveAmong(slugs)
        // Nothing is exported that a link could mean.
        expect(withMarkdownLinks(rule, whole, resolveAmong([]))).toBe(whole)
        expect(withVaultLinks(whole, sharedSlugs([]), resolveAmong([]))).toBe(whole)
        // No slug is shared, and the body of a vault's page stays.
        const vaulted = withVaultLinks(whole, sharedSlugs(slugs), resolve)
        expect(splitPage(vaulted).body).toBe(splitPage(whole).body)
        const linked = withMarkdownLinks(rule, whole, resolve)
        const still = wikiLinks(splitPage(linked).body).filter(({ slug }) => /^[abc]$/i.test(slug))
        expect(still).toEqual([])
      })
    )
  })
})
