import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer } from "effect"
import { archivePages, exportArchive, exportPages } from "../../../src/effects/page/exportPages.ts"
import { importPages } from "../../../src/effects/page/importPages.ts"
import { identityOf, type PagePath, pagePath } from "../../../src/model/page/PagePath.ts"
import { pageTypes } from "../../../src/model/page/PageType.ts"
import { isPortable, Slug } from "../../../src/model/page/Slug.ts"
import { pageText } from "../../support/pages.ts"
import { projectLayers } from "../../../src/main/ProjectLayers.ts"
import { faultyFileSystem } from "../../support/disk/faults.ts"
import { freshPlace, type Place, projectIn } from "../../support/place.ts"
import { type Member, open, type ProjectServices } from "../../support/team.ts"

const page = (body: string, fields = "") => `---\nschema: ctx.page.v1\n${fields}---\n${body}\n`
const bytes = (text: string) => new TextEncoder().encode(text)

interface Start {
  readonly place: Place
  readonly ada: Member
  readonly ben: Member
  /** Writes a file of ada's store as it is. */
  readonly put: (path: string, text: string | Uint8Array) => Effect.Effect<void>
  /** A file of ben's store. */
  readonly got: (path: string) => Effect.Effect<string>
  /** Its bytes, a BOM included. */
  readonly exact: (path: string) => Effect.Effect<Uint8Array>
  readonly archive: Effect.Effect<Uint8Array>
}

const start = Effect.gen(function* () {
  const place = yield* freshPlace
  const fs = yield* FileSystem.FileSystem
  const member = (name: string) => Effect.zipRight(place.makeFolder(`${name}/.contexo`), open(place.at(name)))
  const ada = yield* member("ada")
  const ben = yield* member("ben")
  return {
    place,
    ada,
    ben,
    put: (path, text) => place.write(`ada/.contexo/${path}`, text),
    got: (path) => place.read(`ben/.contexo/${path}`),
    exact: (path) => Effect.orDie(fs.readFile(place.at(`ben/.contexo/${path}`))),
    archive: ada.as(archivePages({})).pipe(
      Effect.map(({ text }) => bytes(text)),
      Effect.orDie
    )
  } satisfies Start
})

const test = <E>(name: string, body: (at: Start) => Effect.Effect<unknown, E, Effect.Effect.Context<typeof start>>) =>
  it.scopedLive(name, () => Effect.provide(Effect.flatMap(start, body), NodeContext.layer))

const three = (put: Start["put"]) =>
  Effect.all([
    put("wiki/concepts/rule.md", page("See [[billing]].", "tags: [pay]\nrelated: [billing]\n")),
    put("wiki/entities/billing.md", page("Ours.")),
    put("raw/sessions/2026-07-05-chat.md", page("Said."))
  ])
const all = ["raw/sessions/2026-07-05-chat.md", "wiki/concepts/rule.md", "wiki/entities/billing.md"]

describe("an export into a folder", () => {
  test("is each page at its own path, with links that its readers follow", ({ ada, place, put }) =>
    Effect.gen(function* () {
      yield* three(put)
      const plain = yield* ada.as(exportPages("markdown", place.at("deep/er/plain"), {}))
      expect(plain).toEqual({ written: all, unchanged: [], kept: [], left: [], leftOut: [] })
      expect(yield* place.read("deep/er/plain/wiki/concepts/rule.md")).toBe(
        page("See [billing](../entities/billing.md).", "tags: [pay]\nrelated: [billing]\n")
      )
      expect(yield* place.read("deep/er/plain/wiki/entities/billing.md")).toBe(page("Ours."))
      yield* ada.as(exportPages("obsidian", place.at("vault"), {}))
      expect(yield* place.read("vault/wiki/concepts/rule.md")).toBe(
        page("See [[billing]].", 'tags: [pay]\nrelated: ["[[billing]]"]\n')
      )
    }))

  test("takes the pages of a type or with a tag, and names what is no page", ({ ada, place, put }) =>
    Effect.gen(function* () {
      yield* three(put)
      yield* put("wiki/concepts/broken.md", "no frontmatter")
      yield* put("credentials.json", "{}")
      const tagged = yield* ada.as(exportPages("markdown", place.at("tagged"), { tag: "pay" }))
      expect(tagged.written).toEqual(["wiki/concepts/rule.md"])
      expect(tagged.leftOut).toMatchObject([{ path: "wiki/concepts/broken.md" }])
      // The other page is not there to link to.
      expect(yield* place.read("tagged/wiki/concepts/rule.md")).toContain("See [[billing]].")
      const typed = yield* ada.as(exportPages("markdown", place.at("typed"), { type: "entity" }))
      expect(typed).toMatchObject({ written: ["wiki/entities/billing.md"], leftOut: [] })
      const none = yield* ada.as(exportPages("markdown", place.at("none"), { tag: "nobody-has-it" }))
      expect(none.written).toEqual([])
      expect(yield* place.exists("none")).toBe(false)
    }))

  test("never touches what is not its own, and goes on where it is", ({ ada, place, put }) =>
    Effect.gen(function* () {
      yield* three(put)
      yield* place.write("out/notes.txt", "mine")
      yield* place.write("out/wiki/concepts/rule.md", "mine too")
      const first = yield* ada.as(exportPages("markdown", place.at("out"), {}))
      expect(first.kept).toEqual([
        { path: "wiki/concepts/rule.md", reason: "another file stands there, or this one was edited" }
      ])
      expect(first.written.length).toBe(2)

      // What an export wrote is brought up to date; what somebody edited since is kept; nothing is removed.
      yield* put("wiki/entities/billing.md", page("Theirs now."))
      yield* put("wiki/concepts/new.md", page("New."))
      yield* place.write("out/raw/sessions/2026-07-05-chat.md", "edited")
      yield* place.remove("ada/.contexo/wiki/concepts/rule.md")
      const second = yield* ada.as(exportPages("markdown", place.at("out"), {}))
      expect(second.written).toEqual(["wiki/concepts/new.md", "wiki/entities/billing.md"])
      expect(second.kept.map(({ path }) => path)).toEqual(["raw/sessions/2026-07-05-chat.md"])
      expect(yield* place.read("out/wiki/entities/billing.md")).toBe(page("Theirs now."))
      expect(yield* place.read("out/raw/sessions/2026-07-05-chat.md")).toBe("edited")
      expect(yield* place.read("out/wiki/concepts/rule.md")).toBe("mine too")
      expect(yield* place.read("out/notes.txt")).toBe("mine")

      yield* place.remove("ada/.contexo/wiki/entities/billing.md")
      const third = yield* ada.as(exportPages("markdown", place.at("out"), {}))
      expect(third).toMatchObject({
        written: [],
        unchanged: ["wiki/concepts/new.md"],
        left: ["wiki/entities/billing.md"]
      })
      expect(yield* place.exists("out/wiki/entities/billing.md")).toBe(true)
    }))

  test("A14: follows no symbolic link out of the folder", ({ ada, place, put }) =>
    Effect.gen(function* () {
      yield* three(put)
      yield* place.makeFolder("elsewhere/entities")
      yield* place.write("elsewhere/rule.md", "mine")
      yield* place.makeFolder("out/wiki/concepts")
      yield* place.link(place.at("elsewhere/entities"), "out/wiki/entities")
      yield* place.link(place.at("elsewhere/rule.md"), "out/wiki/concepts/rule.md")
      yield* place.makeFolder("out/raw/sessions")
      yield* place.link(place.at("out/nowhere"), "out/raw/sessions/2026-07-05-chat.md")
      yield* place.link(place.at("elsewhere/ledger"), "out/.ctx-export.json")
      const { kept, written } = yield* ada.as(exportPages("markdown", place.at("out"), {}))
      expect(written).toEqual([])
      expect(kept.map(({ reason }) => reason)).toEqual([
        "a symbolic link that leads nowhere stands there",
        `a symbolic link leads out of the folder, to ${place.at("elsewhere/rule.md")}`,
        `a symbolic link leads out of the folder, to ${place.at("elsewhere/entities")}`
      ])
      expect(yield* place.read("elsewhere/rule.md")).toBe("mine")
      expect(yield* place.exists("elsewhere/entities/billing.md")).toBe(false)
      expect(yield* place.exists("elsewhere/ledger")).toBe(false)
    }))

  test("trusts no ledger that is not its own, and leaves it", ({ ada, place, put }) =>
    Effect.gen(function* () {
      yield* three(put)
      for (const ledger of ["not json", '{"version":2,"files":{}}', "[]"]) {
        yield* place.write("out/.ctx-export.json", ledger)
        yield* ada.as(exportPages("markdown", place.at("out"), {}))
        expect(yield* place.read("out/.ctx-export.json")).toBe(ledger)
      }
    }))

  test("goes neither into the store itself nor into a file", ({ ada, place, put }) =>
    Effect.gen(function* () {
      yield* three(put)
      const before = yield* place.everything
      yield* place.link(place.at("ada/.contexo"), "shortcut")
      for (const out of ["ada/.contexo", "ada/.contexo/wiki/new", "shortcut/deep"]) {
        const failure = yield* Effect.flip(ada.as(exportPages("obsidian", place.at(out), {})))
        expect(failure._tag, out).toBe("ExportIntoStore")
        expect((yield* Effect.flip(ada.as(exportArchive(place.at(out), {}))))._tag).toBe("ExportIntoStore")
      }
      expect((yield* place.everything).filter((one) => !one.startsWith("shortcut"))).toEqual(
        before.filter((one) => !one.startsWith("shortcut"))
      )
      yield* place.write("file", "x")
      const failure = yield* Effect.flip(ada.as(exportPages("markdown", place.at("file"), {})))
      expect(failure.message).toMatch(/file: cannot use as a folder \(ENOTDIR\)/)
      yield* place.makeFolder("folder")
      const other = yield* Effect.flip(ada.as(exportArchive(place.at("folder"), {})))
      expect(other.message).toMatch(/folder: cannot write \(EISDIR\)/)
    }))
})

describe("an archive", () => {
  const slug = fc
    .stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,12}$/)
    .filter(isPortable)
    .map((one) => Slug.make(one))
  const pages = fc.uniqueArray(
    fc.record({
      path: fc.tuple(fc.constantFrom(...pageTypes), slug).map(([type, name]): PagePath => pagePath(type, name)),
      text: pageText.filter((one) => !one.includes("\0"))
    }),
    { selector: ({ path }) => identityOf(path), minLength: 1, maxLength: 6 }
  )

  it.scopedLive("gives another project any pages byte for byte, types and sessions included", () =>
    Effect.gen(function* () {
      for (const some of fc.sample(pages, { numRuns: 25, seed: 7 })) {
        const { archive, ben, exact, put } = yield* start
        for (const { path, text } of some) yield* put(path, text)
        const imported = yield* ben.as(importPages("a.jsonl", yield* archive))
        expect(new Set(imported.created)).toEqual(new Set(some.map(({ path }) => path)))
        expect(imported.conflicts).toEqual([])
        for (const { path, text } of some) expect(yield* exact(path)).toEqual(Buffer.from(text))
        // And back again: nothing is new.
        const again = yield* ben.as(archivePages({}))
        expect(bytes(again.text)).toEqual(yield* archive)
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  test("holds the pages and nothing else of the store", ({ ada, ben, place, put }) =>
    Effect.gen(function* () {
      yield* three(put)
      const secret = "ctxp_do-not-tell"
      yield* put("credentials.json", secret)
      yield* put(".sync/state.json", `{"last_pull_sha":"","pages":{},"x":"${secret}"}`)
      yield* put("raw/sessions/_pending/s.md", secret)
      yield* put("wiki/concepts/notes.txt", secret)
      const { paths, text } = yield* ada.as(archivePages({}))
      expect(paths).toEqual(all)
      expect(text).not.toContain(secret)
      yield* ben.as(importPages("a.jsonl", bytes(text)))
      const files = (yield* place.below("ben/.contexo").everything).filter((one) => !/^\.(cache|sync)/.test(one))
      expect(files.filter((one) => /\.\w+$/.test(one))).toEqual(["index.md", ...all, "tags.md"].toSorted())
      expect(yield* place.read("ben/.contexo/index.md")).toContain("billing")
    }))

  test("of a file that stands there with other bytes is kept", ({ ada, place, put }) =>
    Effect.gen(function* () {
      yield* three(put)
      const file = place.at("deep/team.jsonl")
      expect((yield* ada.as(exportArchive(file, {}))).written).toEqual(all)
      expect(yield* ada.as(exportArchive(file, {}))).toMatchObject({ written: [], unchanged: all, kept: [] })
      yield* put("wiki/concepts/new.md", page("New."))
      const before = yield* place.read("deep/team.jsonl")
      expect((yield* ada.as(exportArchive(file, {}))).kept).toMatchObject([{ path: file }])
      expect(yield* place.read("deep/team.jsonl")).toBe(before)
    }))
})

describe("an import", () => {
  test("keeps a page that differs and names it, unless it is to be overwritten", ({ archive, ben, got, place, put }) =>
    Effect.gen(function* () {
      yield* three(put)
      yield* place.write("ben/.contexo/wiki/concepts/rule.md", page("Ben's."))
      yield* place.write("ben/.contexo/wiki/entities/billing.md", page("Ours."))
      const outcome = {
        created: ["raw/sessions/2026-07-05-chat.md"],
        overwritten: [],
        unchanged: ["wiki/entities/billing.md"],
        conflicts: [{ path: "wiki/concepts/rule.md", reason: "differs from the page here; --overwrite replaces it" }],
        secrets: []
      }
      const bundle = yield* archive
      const before = yield* place.below("ben/.contexo/wiki").everything
      expect(yield* ben.as(importPages("a", bundle, { dryRun: true }))).toEqual(outcome)
      expect(yield* place.below("ben/.contexo/wiki").everything).toEqual(before)
      expect(yield* place.exists("ben/.contexo/raw")).toBe(false)
      expect(yield* ben.as(importPages("a", bundle))).toEqual(outcome)
      expect(yield* got("wiki/concepts/rule.md")).toBe(page("Ben's."))
      expect(yield* ben.as(importPages("a", bundle, { overwrite: true }))).toMatchObject({
        created: [],
        overwritten: ["wiki/concepts/rule.md"],
        conflicts: []
      })
      expect(yield* got("wiki/concepts/rule.md")).toContain("See [[billing]].")
    }))

  test("A15, A16: makes no case twin, and no name that Windows cannot hold", ({ archive, ben, place, put }) =>
    Effect.gen(function* () {
      yield* put("wiki/concepts/rule.md", page("x"))
      yield* put("wiki/concepts/con.md", page("x"))
      yield* place.write("ben/.contexo/wiki/concepts/Rule.md", page("x"))
      const imported = yield* ben.as(importPages("a", yield* archive, { overwrite: true }))
      expect(imported).toMatchObject({
        created: [],
        overwritten: [],
        conflicts: [
          { path: "wiki/concepts/con.md", reason: expect.stringContaining("cannot exist on Windows") },
          { path: "wiki/concepts/rule.md", reason: expect.stringContaining("differs only by case from") }
        ]
      })
      expect(yield* place.exists("ben/.contexo/wiki/concepts/con.md")).toBe(false)
    }))

  test("A14: writes through no symbolic link that leads out", ({ archive, ben, place, put }) =>
    Effect.gen(function* () {
      yield* put("wiki/concepts/rule.md", page("x"))
      yield* place.makeFolder("elsewhere")
      yield* place.makeFolder("ben/.contexo/wiki")
      yield* place.link(place.at("elsewhere"), "ben/.contexo/wiki/concepts")
      const failure = yield* Effect.flip(ben.as(importPages("a", yield* archive, { overwrite: true })))
      expect(failure.message).toContain("leads out of the project")
      expect(yield* place.exists("elsewhere/rule.md")).toBe(false)
    }))

  test("refuses a damaged archive whole, and replaces what is no page only when it is asked to", (at) =>
    Effect.gen(function* () {
      const { archive, ben, got, place, put } = at
      yield* three(put)
      const bundle = yield* archive
      const damaged = bundle.map((byte, index) => (index === bundle.length - 6 ? byte ^ 1 : byte))
      const failure = yield* Effect.flip(ben.as(importPages("team.jsonl", damaged)))
      expect(failure.message).toMatch(/^team\.jsonl: .* damaged, or changed\. Nothing was imported\.$/)
      expect(yield* place.exists("ben/.contexo/wiki")).toBe(false)

      yield* place.write("ben/.contexo/wiki/concepts/rule.md", new Uint8Array([0xff, 0xfe]))
      expect((yield* ben.as(importPages("a", bundle))).conflicts.map(({ path }) => path)).toEqual([
        "wiki/concepts/rule.md"
      ])
      yield* ben.as(importPages("a", bundle, { overwrite: true }))
      expect(yield* got("wiki/concepts/rule.md")).toContain("See [[billing]].")
    }))

  test("says what holds a secret, which a push will refuse", ({ archive, ben, put }) =>
    Effect.gen(function* () {
      yield* put("wiki/concepts/leak.md", page("x\npostgres://ada:Xk29vLq8Tz41@db.example.com/x"))
      const { secrets } = yield* ben.as(importPages("a", yield* archive))
      expect(secrets).toMatchObject([{ path: "wiki/concepts/leak.md", line: 5 }])
    }))
})

/** A member whose disk fails at its n-th call. */
const failing = (place: Place, name: string, at: number) =>
  Effect.map(
    Layer.build(
      projectLayers.pipe(
        Layer.provideMerge(projectIn(place, name)),
        Layer.provideMerge(faultyFileSystem({ at, code: "EIO" })),
        Layer.provideMerge(NodeContext.layer)
      )
    ),
    (context) =>
      <A, E>(operation: Effect.Effect<A, E, ProjectServices>) =>
        Effect.provide(operation, context)
  )

/** More than an import or an export of three pages makes. */
const calls = 40

describe("a disk that fails at any call", () => {
  test("leaves whole pages or none, a failure that says so, and an import that can be run again", (at) =>
    Effect.gen(function* () {
      const { archive, ben, exact, place, put } = at
      yield* three(put)
      const bundle = yield* archive
      let failures = 0
      for (let call = 1; call <= calls; call++) {
        yield* place.remove("ben")
        yield* place.makeFolder("ben/.contexo")
        const as = yield* failing(place, "ben", call)
        const exit = yield* Effect.exit(as(importPages("a", bundle)))
        for (const path of all) {
          if (yield* place.exists(`ben/.contexo/${path}`)) {
            expect(yield* exact(path)).toEqual(Buffer.from(yield* place.read(`ada/.contexo/${path}`)))
          }
        }
        // Some calls have another way: a folder that cannot be opened for writing is flushed through a reading one.
        if (exit._tag === "Success") continue
        failures++
        expect(String(exit)).toContain("EIO")
        const again = yield* Effect.flatMap(open(ben.root), (member) => member.as(importPages("a", bundle)))
        expect([...again.created, ...again.unchanged].toSorted()).toEqual(all)
        expect(again.conflicts).toEqual([])
      }
      expect(failures).toBeGreaterThan(10)
    }))

  test("leaves whole files or none in a folder, and an export that can be run again", ({ ada, place, put }) =>
    Effect.gen(function* () {
      yield* three(put)
      yield* ada.as(exportPages("markdown", place.at("whole"), {}))
      let failures = 0
      for (let call = 1; call <= calls; call++) {
        yield* place.makeFolder("out")
        yield* place.remove("out")
        const as = yield* failing(place, "ada", call)
        const exit = yield* Effect.exit(as(exportPages("markdown", place.at("out"), {})))
        for (const path of all) {
          if (yield* place.exists(`out/${path}`)) {
            expect(yield* place.read(`out/${path}`)).toBe(yield* place.read(`whole/${path}`))
          }
        }
        if (exit._tag === "Success") continue
        failures++
        expect(String(exit)).toContain("EIO")
        expect((yield* ada.as(exportPages("markdown", place.at("out"), {}))).kept).toEqual([])
      }
      expect(failures).toBeGreaterThan(10)
    }))
})
