import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Clock, Effect, Option } from "effect"
import { open } from "../../../src/services/sqlite/SqliteDriver.ts"
import { bundled, childAt, runChild, runCramped } from "../../support/disk/children.ts"
import { tempProject } from "../../support/disk/project.ts"
import { page, pageStore, text } from "../../support/disk/store.ts"

const a = page("wiki/concepts/a.md")
const b = page("wiki/concepts/b.md")

const setUp = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* tempProject
  const at = (path: string) => `${root}/.contexo/${path}`
  yield* fs.makeDirectory(at("wiki/concepts"), { recursive: true })
  const cache = at(".cache/catalog.db")
  /** Writes a file as it was long ago, so that its stamp can be trusted. */
  const old = (path: string, content: string, hoursAgo = 2) =>
    Effect.gen(function* () {
      yield* fs.writeFileString(at(path), content)
      const seconds = (yield* Clock.currentTimeMillis) / 1000 - hoursAgo * 3600
      yield* fs.utimes(at(path), seconds, seconds)
    })
  /** What the cache says of a page, falsified: whoever then shows it has read the cache, and not the file. */
  const falsify = Effect.scoped(
    Effect.gen(function* () {
      const db = yield* open({ path: cache, journal: "rollback" })
      yield* db.exec("UPDATE page SET data = replace(data, 'Ada', 'Eve'), facts = replace(facts, ',1,0,0', ',0,0,0')")
    })
  )
  return { fs, root, at, old, cache, falsify, store: yield* pageStore(root) }
})

const authorOf = (store: Effect.Effect.Success<ReturnType<typeof pageStore>>, path = a) =>
  Effect.map(store.catalog, ({ entries }) => entries.get(path)?.page.author)

describe("what the catalogue remembers", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("a second process takes unchanged pages from the cache, and this one does not ask it again", () =>
      Effect.gen(function* () {
        const { falsify, old, root, store } = yield* setUp
        yield* old(a, text("A"))
        expect(yield* authorOf(store)).toBe("Ada")
        yield* falsify
        expect(yield* authorOf(store)).toBe("Ada")
        expect(yield* authorOf(yield* pageStore(root))).toBe("Eve")
      })
    )

    it.scoped("an unchanged project gives the same catalogue, and a changed one keeps the entries of other pages", () =>
      Effect.gen(function* () {
        const { old, store } = yield* setUp
        yield* old(a, text("A"))
        yield* old(b, text("B"))
        const first = yield* store.catalog
        const second = yield* store.catalog
        // The time of the last change of status cannot be set back, so a file is settled two seconds after it was made.
        expect([...second.entries.values()]).toEqual([...first.entries.values()])
        yield* store.write(b, text("Changed"))
        const third = yield* store.catalog
        expect(third.entries.get(a)).toBe(first.entries.get(a))
        expect(third.entries.get(b)?.hash).not.toBe(first.entries.get(b)?.hash)
      })
    )

    it.scoped("a change in place that keeps size and time of modification is seen", () =>
      Effect.gen(function* () {
        const { at, fs, store } = yield* setUp
        yield* fs.writeFileString(at(a), text("one"))
        const { mtime } = yield* fs.stat(at(a))
        const seconds = Option.getOrThrow(mtime).getTime() / 1000
        const before = (yield* store.catalog).entries.get(a)?.lead
        // In place: same inode, same size, and the time set back.
        yield* fs.writeFileString(at(a), text("two"))
        yield* fs.utimes(at(a), seconds, seconds)
        expect([before, (yield* store.catalog).entries.get(a)?.lead]).toEqual(["one", "two"])
      })
    )

    it.scoped("sees what others did: edits in place, replaced, removed and added files", () =>
      Effect.gen(function* () {
        const { at, fs, root, store } = yield* setUp
        const other = yield* pageStore(root)
        yield* fs.writeFileString(at(a), text("A"))
        yield* fs.writeFileString(at(b), text("B"))
        yield* store.catalog
        yield* fs.writeFileString(at(a), text("A, longer"))
        yield* other.remove(b)
        yield* other.write(page("raw/sessions/c.md"), text("C"))
        const { entries } = yield* store.catalog
        expect([...entries].map(([path, { lead }]) => [path, lead])).toEqual([
          ["raw/sessions/c.md", "C"],
          [a, "A, longer"]
        ])
      })
    )

    for (const [what, damage] of [
      ["garbage", "not a database, ".repeat(1000)],
      ["empty", ""],
      ["half a page of it", "SQLite format 3\0".padEnd(700, "x")]
    ] as const) {
      it.scoped(`a cache that is ${what} is begun anew, without an error`, () =>
        Effect.gen(function* () {
          const { cache, falsify, fs, old, root, store } = yield* setUp
          yield* old(a, text("A"))
          yield* store.catalog
          yield* fs.writeFileString(cache, damage)
          expect(yield* authorOf(yield* pageStore(root))).toBe("Ada")
          // The process that found it damaged, or the next one, has written it again.
          expect(yield* authorOf(yield* pageStore(root))).toBe("Ada")
          yield* falsify
          expect(yield* authorOf(yield* pageStore(root))).toBe("Eve")
        })
      )
    }

    it.scoped("a cache of another version, or of another shape, is begun anew", () =>
      Effect.gen(function* () {
        const { cache, old, root, store } = yield* setUp
        yield* old(a, text("A"))
        yield* store.catalog
        const run = (sql: string) =>
          Effect.scoped(Effect.flatMap(open({ path: cache, journal: "rollback" }), (db) => db.exec(sql)))
        yield* run("PRAGMA user_version = 99; UPDATE page SET data = replace(data, 'Ada', 'Eve')")
        expect(yield* authorOf(yield* pageStore(root))).toBe("Ada")
        yield* run("DROP TABLE page; CREATE TABLE page (other TEXT)")
        expect(yield* authorOf(yield* pageStore(root))).toBe("Ada")
        yield* run("UPDATE page SET facts = 'x'")
        expect(yield* authorOf(yield* pageStore(root))).toBe("Ada")
      })
    )

    it.scoped("works without: a folder in its place, a file in place of the folder, a link that leads out", () =>
      Effect.gen(function* () {
        const { at, fs, old, root } = yield* setUp
        yield* old(a, text("A"))
        yield* fs.makeDirectory(at(".cache/catalog.db"), { recursive: true })
        expect(yield* authorOf(yield* pageStore(root))).toBe("Ada")
        yield* fs.remove(at(".cache"), { recursive: true })
        yield* fs.writeFileString(at(".cache"), "mine")
        expect(yield* authorOf(yield* pageStore(root))).toBe("Ada")
        expect(yield* fs.readFileString(at(".cache"))).toBe("mine")
        yield* fs.remove(at(".cache"))
        yield* fs.makeDirectory(`${root}/outside`)
        yield* fs.symlink(`${root}/outside`, at(".cache"))
        expect(yield* authorOf(yield* pageStore(root))).toBe("Ada")
        expect(yield* fs.readDirectory(`${root}/outside`)).toEqual([])
      })
    )

    it.scoped("works in a project where nothing may be written, with and without a cache", () =>
      Effect.gen(function* () {
        const { at, fs, old, root, store } = yield* setUp
        yield* old(a, text("A"))
        yield* fs.chmod(root, 0o755)
        yield* fs.chmod(at(""), 0o555)
        const child = yield* bundled("./listPages.ts")
        expect(yield* runChild(child, root)).toBe(`${a} |\n`)
        yield* store.catalog
        expect(yield* runChild(child, root)).toBe(`${a} |\n`)
        // The cache itself may be read and not written.
        yield* fs.chmod(at(".cache"), 0o755)
        yield* fs.chmod(at(".cache/catalog.db"), 0o644)
        expect(yield* runChild(child, root)).toBe(`${a} |\n`)
      })
    )
  })
})

describe("the indexes", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("are written from what is on disk, problems included, and only when they differ", () =>
      Effect.gen(function* () {
        const { at, fs, store } = yield* setUp
        yield* fs.writeFileString(at(b), "no frontmatter")
        yield* store.write(a, text("First sentence. Second."))
        yield* store.regenerateIndexes
        const index = yield* fs.readFileString(at("index.md"))
        expect(index).toContain("- [A](wiki/concepts/a.md) — First sentence | tags: t | Ada 2026-01-02")
        expect(index).toContain("- [B](wiki/concepts/b.md) — (unreadable: ")
        expect(yield* fs.readFileString(at("tags.md"))).toContain("## t\n\n- [a](wiki/concepts/a.md)")
        const before = yield* fs.stat(at("index.md"))
        yield* store.regenerateIndexes
        expect((yield* fs.stat(at("index.md"))).ino).toEqual(before.ino)
        yield* fs.writeFileString(at("index.md"), "scribbled over")
        yield* store.remove(b)
        yield* store.regenerateIndexes
        expect(yield* fs.readFileString(at("index.md"))).not.toContain("unreadable")
      })
    )

    it.scoped("do not follow a link that leads out (A14)", () =>
      Effect.gen(function* () {
        const { at, fs, root, store } = yield* setUp
        yield* fs.writeFileString(`${root}/mine.txt`, "mine")
        yield* fs.symlink(`${root}/mine.txt`, at("index.md"))
        expect(yield* Effect.flip(store.regenerateIndexes)).toMatchObject({ _tag: "LeavesStore", path: at("index.md") })
        expect(yield* fs.readFileString(`${root}/mine.txt`)).toBe("mine")
      })
    )

    it.scoped("in a large project show own and others' writes, and others' edits in place after the next listing", () =>
      Effect.gen(function* () {
        const { at, fs, root, store } = yield* setUp
        const other = yield* pageStore(root)
        yield* store.batch(
          Effect.forEach(
            Array.from({ length: 2_001 }, (_, n) => page(`wiki/concepts/n${n}.md`)),
            (path) => store.write(path, text("N"))
          )
        )
        const lineOf = (slug: string) =>
          Effect.map(
            fs.readFileString(at("index.md")),
            (index) => /— (.*) \| tags/.exec(index.split(`/${slug}.md)`)[1] ?? "")?.[1]
          )
        yield* store.regenerateIndexes
        expect(yield* lineOf("n7")).toBe("N")
        yield* store.write(page("wiki/concepts/n7.md"), text("Own write"))
        yield* store.write(page("wiki/concepts/new.md"), text("Own new page"))
        yield* store.remove(page("wiki/concepts/n8.md"))
        yield* store.regenerateIndexes
        expect(yield* Effect.all([lineOf("n7"), lineOf("new"), lineOf("n8")])).toEqual([
          "Own write",
          "Own new page",
          undefined
        ])
        yield* other.write(page("wiki/concepts/n9.md"), text("Other process"))
        yield* store.write(page("wiki/concepts/n7.md"), text("Own write again"))
        yield* store.regenerateIndexes
        expect(yield* Effect.all([lineOf("n7"), lineOf("n9")])).toEqual(["Own write again", "Other process"])
        yield* fs.writeFileString(at("wiki/concepts/n10.md"), text("In place"))
        yield* store.catalog
        yield* store.regenerateIndexes
        expect(yield* lineOf("n10")).toBe("In place")
      })
    )
  })
})

describe("a batch", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("writes what single writes write, keeps modes, and leaves nothing else", () =>
      Effect.gen(function* () {
        const { at, fs, store } = yield* setUp
        yield* fs.writeFileString(at(a), "old")
        yield* fs.chmod(at(a), 0o600)
        yield* store.batch(
          Effect.gen(function* () {
            yield* store.write(a, text("A"))
            yield* store.write(b, "")
            yield* store.batch(store.write(page("wiki/entities/e.md"), text("E")))
            yield* store.write(page("wiki/concepts/gone.md"), text("x"))
            yield* store.remove(page("wiki/concepts/gone.md"))
            expect(yield* store.read(a)).toEqual(Option.some(text("A")))
          })
        )
        expect(yield* fs.readDirectory(at("wiki/concepts"))).toEqual(["a.md", "b.md"])
        expect(yield* store.read(page("wiki/entities/e.md"))).toEqual(Option.some(text("E")))
        expect((yield* fs.stat(at(a))).mode & 0o777).toBe(0o600)
      })
    )

    it.scoped("removes what a killed batch left behind an hour ago", () =>
      Effect.gen(function* () {
        const { at, fs, old, store } = yield* setUp
        yield* old("wiki/concepts/.ctx-1-0123456789abcdef.tmp", "half")
        yield* store.batch(store.write(a, text("A")))
        expect(yield* fs.readDirectory(at("wiki/concepts"))).toEqual(["a.md"])
      })
    )

    it.scoped("names what the system refuses, and leaves the old content", () =>
      Effect.gen(function* () {
        const { at, fs, root } = yield* setUp
        const child = yield* bundled("./batch.ts")
        yield* fs.writeFileString(at(a), "old")
        yield* fs.chmod(root, 0o755)
        yield* fs.chmod(at("wiki/concepts"), 0o777)
        expect(yield* runCramped(child, root, a, "10000")).toBe("write EFBIG\n")
        yield* fs.chmod(at("wiki/concepts"), 0o555)
        expect(yield* runChild(child, root, a, "10")).toBe("write EACCES\n")
        expect(yield* fs.readDirectory(at("wiki/concepts"))).toEqual(["a.md"])
        expect(yield* fs.readFileString(at(a))).toBe("old")
        yield* fs.chmod(at("wiki/concepts"), 0o755)
      })
    )

    it.scoped(
      "killed in the middle leaves each page old or new, 20 rounds (A36)",
      () =>
        Effect.gen(function* () {
          const { at, fs, root, store } = yield* setUp
          const child = yield* bundled("./batch.ts")
          for (let round = 0; round < 20; round++) {
            // It writes pages of one letter for ever; it is killed somewhere in there.
            yield* Effect.scoped(childAt(`round ${round % 5}`, child, root, "loop", "2000"))
            for (const name of (yield* fs.readDirectory(at("wiki/concepts"))).filter((one) => one.endsWith(".md"))) {
              expect(yield* fs.readFileString(at(`wiki/concepts/${name}`))).toMatch(/^(?:a{2000}|b{2000})$/)
            }
          }
          expect((yield* store.catalog).problems.length).toBeGreaterThan(0)
        }),
      60_000
    )
  })
})
