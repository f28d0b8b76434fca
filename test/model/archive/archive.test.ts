import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { maxArchiveBytes } from "../../../src/model/archive/Archive.ts"
import { readArchive } from "../../../src/model/archive/readArchive.ts"
import { renderArchive } from "../../../src/model/archive/renderArchive.ts"
import { sha256 } from "../../../src/model/text/Hash.ts"
import { identityOf, type PagePath, pagePath } from "../../../src/model/page/PagePath.ts"
import { pageTypes } from "../../../src/model/page/PageType.ts"
import { Slug } from "../../../src/model/page/Slug.ts"
import { pageText } from "../../support/pages.ts"

const text = (says: string) => `---\nschema: ctx.page.v1\n---\n${says}\n`
const at = (slug: string): PagePath => pagePath("concept", Slug.make(slug))
const bytes = (archive: string) => new TextEncoder().encode(archive)

/** An archive whose manifest vouches for what follows, whatever that is. */
const forged = (...pages: ReadonlyArray<{ readonly path: string; readonly text: string }>): string => {
  const manifest = {
    record: "manifest",
    format: "ctx-pages",
    version: 1,
    pages: pages.map((page) => ({ path: page.path, bytes: bytes(page.text).length, sha256: sha256(page.text) }))
  }
  const records = pages.map((page) => ({ record: "page", path: page.path, content: page.text }))
  return [manifest, ...records].map((line) => `${JSON.stringify(line)}\n`).join("")
}
const reason = (archive: string | Uint8Array): string => {
  const read = readArchive(typeof archive === "string" ? bytes(archive) : archive)
  return Either.isLeft(read) ? read.left : `read ${read.right.length} page(s)`
}

const slug = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,20}$/).map((one) => Slug.make(one))
const pages = fc.uniqueArray(
  fc.record({
    path: fc.tuple(fc.constantFrom(...pageTypes), slug).map(([type, name]) => pagePath(type, name)),
    text: pageText.filter((one) => !one.includes("\0"))
  }),
  { selector: ({ path }) => identityOf(path), maxLength: 8 }
)

describe("an archive of pages", () => {
  it("gives back any pages, byte for byte, and the same pages are the same archive", () => {
    fc.assert(
      fc.property(pages, (some) => {
        const archive = renderArchive(some)
        const read = Either.getOrThrowWith(readArchive(bytes(archive)), (left) => new Error(left))
        expect(new Map(read.map((page) => [page.path, page.text]))).toEqual(
          new Map(some.map((page) => [page.path, page.text]))
        )
        expect(renderArchive(some.toReversed())).toBe(archive)
        expect(renderArchive(read)).toBe(archive)
      })
    )
  })

  it("is lines of JSON, the first of which names every page and its hash", () => {
    const archive = renderArchive([
      { path: at("b"), text: text("two 🟡\u2028\u0007") },
      { path: at("a"), text: text("one") }
    ])
    expect(archive.split("\n").map((line) => (line === "" ? line : JSON.parse(line)))).toEqual([
      {
        record: "manifest",
        format: "ctx-pages",
        version: 1,
        pages: [
          { path: at("a"), bytes: 32, sha256: sha256(text("one")) },
          { path: at("b"), bytes: 41, sha256: sha256(text("two 🟡\u2028\u0007")) }
        ]
      },
      { record: "page", path: at("a"), content: text("one") },
      { record: "page", path: at("b"), content: text("two 🟡\u2028\u0007") },
      ""
    ])
    // As a tool leaves it that made its lines end otherwise, or took the last line end away.
    expect(reason(archive.replaceAll("\n", "\r\n"))).toBe("read 2 page(s)")
    expect(reason(archive.trimEnd())).toBe("read 2 page(s)")
    expect(reason(renderArchive([]))).toBe("read 0 page(s)")
  })

  it("A13: refuses any path that is no page's", () => {
    for (const path of [
      "../x.md",
      "wiki/concepts/../../../x.md",
      "wiki/concepts/..%2fx.md",
      "/etc/passwd",
      "C:\\x.md",
      "wiki\\concepts\\x.md",
      "wiki/concepts/x",
      "wiki/concepts/a/b.md",
      "wiki/concepts/.hidden.md",
      "raw/sessions/_pending/s.md",
      "credentials.json",
      ".sync/state.json",
      "wiki/concepts/x\u0000.md",
      "wiki/concepts/\u202egnp.md"
    ]) {
      expect(reason(forged({ path, text: text("x") })), path).toMatch(/is not the path of a page$/)
    }
    expect(reason(forged({ path: "<PUSH_PAUSED>\u001b[31m\n", text: text("x") }))).toBe(
      '"<\\\\PUSH_PAUSED>" is not the path of a page'
    )
  })

  it("A16: refuses a page twice, and two that are one page", () => {
    const twice = forged({ path: at("a"), text: text("1") }, { path: at("a"), text: text("2") })
    expect(reason(twice)).toBe("it holds wiki/concepts/a.md twice")
    const twins = forged({ path: at("auth"), text: text("1") }, { path: at("Auth"), text: text("2") })
    expect(reason(twins)).toBe("wiki/concepts/auth.md and wiki/concepts/Auth.md differ only by case, which is one page")
  })

  it("refuses what was changed, cut short, or added to", () => {
    const whole = renderArchive([
      { path: at("a"), text: text("one") },
      { path: at("b"), text: text("two") }
    ])
    expect(reason(whole.replace("one\\n", "0ne\\n"))).toMatch(/a\.md is not what the manifest says/)
    expect(reason(whole.slice(0, -10))).toBe("line 3 is not JSON: it was cut short, or changed")
    expect(reason(whole.split("\n").slice(0, 2).join("\n"))).toBe(
      "it names 2 page(s) and holds 1: it was cut short, or changed"
    )
    expect(reason(`${whole}{"record":"page"}\n`)).toMatch(/^it names 2 page\(s\) and holds 3/)
    const [manifest, one, two] = whole.split("\n")
    expect(reason([manifest, two, one].join("\n"))).toBe(
      'line 2 is of "wiki/concepts/b.md" where wiki/concepts/a.md belongs'
    )
    for (let length = 0; length < whole.length - 1; length += 7) {
      expect(reason(whole.slice(0, length))).not.toMatch(/^read/)
    }
  })

  it("refuses texts that are no pages, and characters that no file can hold as they are", () => {
    expect(reason(forged({ path: at("a"), text: "no frontmatter" }))).toMatch(/a\.md: page: missing frontmatter/)
    expect(reason(forged({ path: at("a"), text: text("a\0b") }))).toMatch(/a\.md: page: it holds a NUL/)
    expect(reason(forged({ path: at("a"), text: text("\ud800") }))).toMatch(/a\.md is not what the manifest says/)
  })

  it("says what a file is that is no archive", () => {
    const tar = new Uint8Array(512)
    tar.set(new TextEncoder().encode("ustar"), 257)
    expect(reason(tar)).toBe("it is a tar file, not what 'ctx export --format archive' writes")
    expect(reason(new Uint8Array([0x1f, 0x8b, 8, 0]))).toMatch(/^it is a gzip file/)
    expect(reason("PK\u0003\u0004")).toMatch(/^it is a zip file/)
    expect(reason(new Uint8Array([0xff, 0xfe, 0x41]))).toMatch(/^it is not UTF-8 text/)
    for (const other of ["", "\n", "# Notes\n", "null", "[]", '{"format":"x"}', '"ctx-pages"']) {
      expect(reason(other), other).toMatch(/not what 'ctx export|not the manifest that 'ctx export/)
    }
    expect(reason('{"record":"manifest","format":"ctx-pages","version":2,"pages":[]}')).toBe(
      'it is of version "2", and this ctx reads version 1: update ctx'
    )
    expect(reason('{"record":"manifest","format":"ctx-pages","version":1,"pages":[{"path":1}]}')).toBe(
      "line 1: the manifest is damaged"
    )
  })

  it("takes what a later version adds", () => {
    const archive = forged({ path: at("a"), text: text("x") })
      .replace('"version":1,', '"version":1,"project":"acme",')
      .replace('"record":"page",', '"record":"page","mode":420,')
    expect(reason(archive)).toBe("read 1 page(s)")
  })

  it("refuses bombs before anything is built from them", () => {
    expect(reason(new Uint8Array(maxArchiveBytes + 1))).toMatch(/^it is larger than 256 MiB/)
    expect(reason("[".repeat(1_000_000))).toBe("line 1: it nests more than 64 levels deep")
    expect(reason(`[${"{},".repeat(300_000)}{}]`)).toBe("line 1: it holds more than 200002 arrays and objects")
    const page = forged({ path: at("a"), text: text("x") }).replace('"record":"page"', '"record":"page","x":[[]]')
    expect(reason(page)).toBe("line 2: it holds more than 1 arrays and objects")
  })
})
