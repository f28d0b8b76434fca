import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { pagePath } from "../../../src/model/page/PagePath.ts"
import { Slug } from "../../../src/model/page/Slug.ts"
import { decodeColumns, encodeRow } from "../../../src/services/page/CatalogRow.ts"
import type { SeenFile } from "../../../src/services/page/PageFile.ts"

const text = fc.fullUnicodeString()
const texts = fc.array(text, { maxLength: 3 })
const number = fc.double({ min: 0, max: 4e12, noNaN: true, noDefaultInfinity: true })
const hash = fc.hexaString({ minLength: 64, maxLength: 64 })
const stamp = { size: fc.nat(), mtime: number, ctime: number, ino: fc.nat(), racy: fc.boolean() }

const seen = fc
  .record({
    ...stamp,
    hash,
    reason: fc.option(text),
    lead: text,
    unsafe: fc.boolean(),
    author: text,
    agent: text,
    created: text,
    updated: text,
    tags: texts,
    sources: texts,
    related: texts,
    reasoningSummary: text
  })
  .map(
    ({ ctime, hash, ino, lead, mtime, racy, reason, size, unsafe, agent, reasoningSummary, ...fields }) =>
      (n: number): SeenFile => {
        const slug = Slug.make(`n${n}`)
        const path = pagePath("concept", slug)
        const file = { path, size, mtime, ctime, ino, racy }
        if (reason !== null) return { _tag: "Malformed", ...file, hash, reason }
        const page = {
          path,
          type: "concept" as const,
          slug,
          ...fields,
          ...(agent === "" ? {} : { agent }),
          ...(reasoningSummary === "" ? {} : { reasoningSummary })
        }
        return { _tag: "Page", ...file, entry: { page, hash, bytes: size, lead, unsafe } }
      }
  )

const joined = (files: ReadonlyArray<SeenFile>) => {
  const rows = files.map(encodeRow)
  return {
    paths: rows.map(({ path }) => path).join("\n"),
    facts: rows.map(({ facts }) => facts).join(","),
    hashes: rows.map(({ hash }) => hash).join(""),
    data: rows.map(({ data }) => data).join("\n")
  }
}

/** With what is only worked out when it is asked for. */
const plain = (file: SeenFile) => {
  if (file._tag === "Malformed") return file
  const { bytes, hash, lead, page, unsafe } = file.entry
  return { ...file, entry: { bytes, hash, lead, page, unsafe } }
}

describe("rows of the catalogue's cache", () => {
  it("give back what was stored", () => {
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 8 }), (makers) => {
        const files = makers.map((make, n) => make(n))
        expect(decodeColumns(joined(files)).map(plain)).toEqual(files.map(plain))
      })
    )
  })

  it("that do not fit each other, or name what is no page, give nothing", () => {
    const [one] = fc.sample(seen, 1).map((make) => make(1))
    if (one === undefined) throw new Error("no sample")
    const columns = joined([one])
    const broken = [
      { ...columns, facts: `${columns.facts},1` },
      { ...columns, facts: columns.facts.replace(/^\d+/, `"x"`) },
      { ...columns, facts: "no numbers" },
      { ...columns, hashes: columns.hashes.slice(1) },
      { ...columns, paths: "wiki/concepts/../../x.md" },
      { ...columns, paths: "" }
    ]
    expect(broken.map((one) => decodeColumns(one).length)).toEqual(broken.map(() => 0))
    expect(decodeColumns({ paths: "", facts: "", hashes: "", data: "" })).toEqual([])
  })
})
