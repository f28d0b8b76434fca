import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Option } from "effect"
import { bundled, runChild } from "../../support/disk/children.ts"
import { tempProject } from "../../support/disk/project.ts"
import { page, pageStore, text } from "../../support/disk/store.ts"

const concept = page("wiki/concepts/auth.md")

/** A project, its store, and short ways to its files. */
const setUp = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* tempProject
  const at = (path: string) => `${root}/.contexo/${path}`
  const put = (path: string, content: string) =>
    Effect.zipRight(
      fs.makeDirectory(at(path.slice(0, path.lastIndexOf("/"))), { recursive: true }),
      fs.writeFileString(at(path), content)
    )
  return { fs, root, at, put, store: yield* pageStore(root) }
})

describe("PageStore: one page", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("gives back what it was given, byte for byte: a BOM, CRLF, no final newline (A04)", () =>
      Effect.gen(function* () {
        const { at, fs, store } = yield* setUp
        expect(yield* store.read(concept)).toEqual(Option.none())
        const exact = "\ufeff---\r\ntitle: x\r\n---\r\nemoji 🟡, e\u0301, no end"
        yield* store.write(concept, exact)
        expect(yield* store.read(concept)).toEqual(Option.some(exact))
        expect(yield* fs.readFile(at(concept))).toEqual(Buffer.from(exact, "utf8"))
        expect((yield* fs.stat(at(concept))).mode & 0o777).toBe(0o644)
      })
    )

    it.scoped("round-trips any well-formed text", () =>
      Effect.gen(function* () {
        const { store } = yield* setUp
        const samples = fc.sample(
          fc.fullUnicodeString().filter((one) => !one.includes("\0")),
          50
        )
        for (const sample of samples) {
          yield* store.write(concept, sample)
          expect(yield* store.read(concept)).toEqual(Option.some(sample))
        }
      })
    )

    it.scoped("refuses NUL (A12) and what is not UTF-8, by path and reason", () =>
      Effect.gen(function* () {
        const { at, fs, put, store } = yield* setUp
        yield* put(concept, "a\0b")
        expect(yield* Effect.flip(store.read(concept))).toMatchObject({ _tag: "MalformedPage", path: concept })
        yield* fs.writeFile(at(concept), new Uint8Array([0x61, 0xff, 0xfe]))
        const failure = yield* Effect.flip(store.read(concept))
        expect(failure).toMatchObject({ _tag: "MalformedPage", reason: expect.stringContaining("UTF-8") })
      })
    )

    it.scoped("removes a page, and takes one that is not there as removed", () =>
      Effect.gen(function* () {
        const { store } = yield* setUp
        yield* store.remove(concept)
        yield* store.write(concept, text("x"))
        yield* store.remove(concept)
        expect(yield* store.read(concept)).toEqual(Option.none())
      })
    )

    it.scoped("finds a page whatever its case, the exact name first (A16)", () =>
      Effect.gen(function* () {
        const { put, store } = yield* setUp
        expect(yield* store.find(concept)).toEqual(Option.none())
        yield* put("wiki/concepts/Auth.md", text("x"))
        expect(yield* store.find(concept)).toEqual(Option.some("wiki/concepts/Auth.md"))
        yield* put(concept, text("y"))
        expect(yield* store.find(concept)).toEqual(Option.some(concept))
        expect(yield* store.find(page("wiki/entities/auth.md"))).toEqual(Option.none())
      })
    )
  })
})

describe("PageStore: symbolic links (A14)", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("neither reads nor writes through a file or folder that leads out, and names where it leads", () =>
      Effect.gen(function* () {
        const { at, fs, root, store } = yield* setUp
        yield* fs.makeDirectory(`${root}/outside`)
        yield* fs.writeFileString(`${root}/outside/auth.md`, text("secret"))
        yield* fs.makeDirectory(at("wiki/concepts"), { recursive: true })
        yield* fs.symlink(`${root}/outside/auth.md`, at(concept))
        yield* fs.symlink(`${root}/outside`, at("wiki/entities"))
        const inFolder = page("wiki/entities/auth.md")
        const attempts = [store.read(concept), store.write(concept, "x"), store.remove(concept), store.find(concept)]
        const inside = [store.read(inFolder), store.write(inFolder, "x"), store.remove(inFolder), store.find(inFolder)]
        const failures = yield* Effect.forEach([...attempts, ...inside, store.catalog], (one) =>
          Effect.flip(Effect.asVoid(one))
        )
        expect(failures.map(({ _tag }) => _tag)).toEqual(Array.from({ length: 9 }, () => "LeavesStore"))
        expect(failures[0]?.message).toContain(`${root}/outside/auth.md`)
        expect(yield* fs.readDirectory(`${root}/outside`)).toEqual(["auth.md"])
        expect(yield* fs.readFileString(`${root}/outside/auth.md`)).toBe(text("secret"))
      })
    )

    it.scoped("also where the link dangles, lies above, or the new page would be made below it", () =>
      Effect.gen(function* () {
        const { at, fs, root, store } = yield* setUp
        yield* fs.makeDirectory(`${root}/outside`)
        yield* fs.symlink(`${root}/outside`, at("wiki"))
        yield* fs.makeDirectory(at("raw"))
        yield* fs.symlink(`${root}/nowhere`, at("raw/sessions"))
        const failures = yield* Effect.forEach([concept, page("raw/sessions/a.md")], (one) =>
          Effect.flip(store.write(one, "x"))
        )
        expect(failures.map(({ _tag }) => _tag)).toEqual(["LeavesStore", "LeavesStore"])
        expect(yield* fs.readDirectory(`${root}/outside`)).toEqual([])
        expect(yield* fs.exists(`${root}/nowhere`)).toBe(false)
      })
    )

    it.scoped("follows one that stays inside, and writes where it leads", () =>
      Effect.gen(function* () {
        const { at, fs, put, store } = yield* setUp
        yield* put("wiki/entities/auth.md", text("one"))
        yield* fs.makeDirectory(at("wiki/concepts"))
        yield* fs.symlink("../entities/auth.md", at(concept))
        expect(yield* store.read(concept)).toEqual(Option.some(text("one")))
        yield* store.write(concept, text("two"))
        expect(yield* fs.readFileString(at("wiki/entities/auth.md"))).toBe(text("two"))
        expect(yield* fs.readLink(at(concept))).toBe("../entities/auth.md")
        expect([...(yield* store.catalog).entries.keys()]).toEqual([concept, "wiki/entities/auth.md"])
        yield* store.remove(concept)
        expect(yield* store.read(page("wiki/entities/auth.md"))).toEqual(Option.some(text("two")))
      })
    )
  })
})

describe("PageStore: the catalogue", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("lists the four folders in path order, with fields, hash, size and first sentence", () =>
      Effect.gen(function* () {
        const { put, store } = yield* setUp
        expect(yield* store.catalog).toEqual({ entries: new Map(), problems: [] })
        yield* put("wiki/entities/b.md", text("Bee. More."))
        yield* put("wiki/concepts/a.md", text("A \u202e sentence. More."))
        yield* put("raw/sessions/s.md", text("S"))
        yield* put("wiki/concepts/deep/x.md", text("not recursive"))
        yield* put("raw/sessions/_pending/x.jsonl", "{}")
        yield* put("raw/sessions/.hidden.md", text("hidden"))
        yield* put("wiki/concepts/.ctx-1-0123456789abcdef.tmp", "half")
        yield* put("wiki/concepts/notes.txt", "not Markdown")
        const { entries, problems } = yield* store.catalog
        expect(problems).toEqual([])
        expect([...entries.keys()]).toEqual(["raw/sessions/s.md", "wiki/concepts/a.md", "wiki/entities/b.md"])
        expect(entries.get(page("wiki/concepts/a.md"))).toMatchObject({
          page: { type: "concept", slug: "a", author: "Ada", tags: ["t"], path: "wiki/concepts/a.md" },
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          bytes: Buffer.byteLength(text("A \u202e sentence. More.")),
          unsafe: true
        })
        expect(entries.get(page("wiki/entities/b.md"))).toMatchObject({ lead: "Bee", unsafe: false })
        expect(entries.get(page("wiki/entities/b.md"))?.page).not.toHaveProperty("body")
      })
    )

    it.scoped("reports what is no page by path and reason, and serves the rest (A03, A17)", () =>
      Effect.gen(function* () {
        const { at, fs, put, root, store } = yield* setUp
        yield* put("wiki/concepts/good.md", text("x"))
        yield* put("wiki/concepts/bad.md", "---\ntags: [#abc, def]\n---\n# t")
        yield* put("wiki/concepts/cafe\u0301.md", text("NFD"))
        yield* put("wiki/concepts/caf\u00e9.md", text("NFC"))
        yield* put("wiki/concepts/部署.md", text("no Latin letter"))
        yield* put("wiki/concepts/Loud.MD", text("x"))
        yield* fs.makeDirectory(at("wiki/concepts/folder.md"))
        yield* fs.symlink(root, at("wiki/concepts/link.md"))
        const { entries, problems } = yield* store.catalog
        expect([...entries.keys()]).toEqual(["wiki/concepts/good.md"])
        expect(problems.map(({ path }) => path.slice("wiki/concepts/".length))).toEqual(
          ["bad.md", "folder.md", "link.md", "cafe\u0301.md", "caf\u00e9.md", "Loud.MD", "部署.md"].toSorted()
        )
        const reason = (name: string) => problems.find(({ path }) => path.endsWith(name))?.reason
        expect(reason("bad.md")).toContain("parse frontmatter")
        expect(reason("folder.md")).toContain("a folder")
        expect(reason("link.md")).toContain("leads out of the project")
        expect([reason("cafe\u0301.md"), reason("caf\u00e9.md")].map((one) => one?.split("rename it to ")[1])).toEqual([
          "cafe.md",
          "cafe-2.md"
        ])
        expect(reason("Loud.MD")).toContain("rename it to Loud.md")
        expect(reason("部署.md")).toContain("rename it to page.md")
      })
    )

    it.scoped("serves the first of two names that differ only by case, and reports both (A16)", () =>
      Effect.gen(function* () {
        const { put, store } = yield* setUp
        yield* put("wiki/concepts/auth-flow.md", text("small"))
        yield* put("wiki/concepts/Auth-Flow.md", text("capital"))
        yield* put("wiki/entities/auth-flow.md", text("another type is another page"))
        const { entries, problems } = yield* store.catalog
        expect([...entries.keys()]).toEqual(["wiki/concepts/Auth-Flow.md", "wiki/entities/auth-flow.md"])
        expect(problems).toEqual([
          {
            path: "wiki/concepts/Auth-Flow.md",
            reason: expect.stringContaining("auth-flow.md differs from it only by case")
          },
          { path: "wiki/concepts/auth-flow.md", reason: expect.stringContaining("merge it into that") }
        ])
      })
    )

    it.scoped("never takes what it cannot look into for empty (A20)", () =>
      Effect.gen(function* () {
        const { at, fs, put, root, store } = yield* setUp
        yield* put(concept, text("x"))
        yield* put("wiki/entities/locked.md", text("x"))
        yield* store.catalog
        yield* fs.chmod(root, 0o755)
        yield* fs.chmod(at("wiki/entities/locked.md"), 0)
        const child = yield* bundled("./listPages.ts")
        expect(yield* runChild(child, root)).toBe(
          `${concept} | wiki/entities/locked.md: cannot be read (EACCES): check its permissions\n`
        )
        yield* fs.chmod(at("wiki/concepts"), 0)
        expect(yield* runChild(child, root)).toBe(`FileFailure ${at("wiki/concepts")} EACCES\n`)
        yield* fs.chmod(at("wiki/concepts"), 0o755)
        yield* fs.remove(at("wiki/concepts"), { recursive: true })
        yield* fs.writeFileString(at("wiki/concepts"), "a file in place of the folder")
        expect(yield* Effect.flip(store.catalog)).toMatchObject({ _tag: "FileFailure", reason: "ENOTDIR" })
        yield* fs.remove(`${root}/.contexo`, { recursive: true })
        expect(yield* Effect.flip(store.catalog)).toMatchObject({ _tag: "FileFailure", reason: "ENOENT" })
      })
    )
  })
})
