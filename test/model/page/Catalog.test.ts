import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { provenanceSlug } from "../../../src/model/page/Catalog.ts"
import { isPortable, isSlug } from "../../../src/model/page/Slug.ts"

const slug = (source: string) => provenanceSlug("migrate", source, "2026-07-05")

describe("the slug of a provenance page", () => {
  it("is date, kind and the source's own name", () => {
    expect(slug("/home/dev/projects/acme-api")).toBe("2026-07-05-migrate-acme-api")
    expect(provenanceSlug("generate", "/home/dev/projects/acme-api", "2026-07-05")).toBe("2026-07-05-generate-acme-api")
  })

  it("understands folders of Windows, trailing separators and git URLs", () => {
    expect(slug("C:\\work\\acme-api\\")).toBe("2026-07-05-migrate-acme-api")
    expect(slug("https://git.example/team/acme-api.git")).toBe("2026-07-05-migrate-acme-api")
    expect(slug("git@git.example:acme-api.git/")).toBe("2026-07-05-migrate-acme-api")
  })

  it("writes other names in the slug alphabet", () => {
    expect(slug("/srv/Müller & Söhne")).toBe("2026-07-05-migrate-Muller-Sohne")
    expect(slug("/srv/部署")).toBe("2026-07-05-migrate-project")
    expect(slug("/")).toBe("2026-07-05-migrate-project")
  })

  it("is a slug that every system can hold, whatever the source", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.fullUnicodeString({ maxLength: 400 })), (source) => {
        expect(isSlug(slug(source)) && isPortable(slug(source))).toBe(true)
      })
    )
  })
})
