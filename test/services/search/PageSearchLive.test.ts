import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Option } from "effect"
import { search } from "../../../src/effects/page/search.ts"
import { localStore } from "../../../src/services/LocalStore.ts"
import * as PageSearchLive from "../../../src/services/search/PageSearchLive.ts"
import { PageStore } from "../../../src/services/page/PageStore.ts"
import { projectAt, tempProject } from "../../support/disk/project.ts"
import { page } from "../../support/disk/store.ts"

/** A project, and search over it as one more process would have it. */
const setUp = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* tempProject
  const at = (path: string) => `${root}/.contexo/${path}`
  for (const folder of ["wiki/concepts", "wiki/entities", "wiki/analyses", "raw/sessions"]) {
    yield* fs.makeDirectory(at(folder), { recursive: true })
  }
  const put = (path: string, body: string, fields = "") =>
    fs.writeFileString(
      at(path),
      `---\nschema: ctx.page.v1\nauthor: Ada\ncreated: 2026-01-02T03:04:05Z\nupdated: 2026-01-02T03:04:05Z\n${fields}---\n${body}\n`
    )
  const process = Effect.map(
    Layer.build(PageSearchLive.layer.pipe(Layer.provideMerge(localStore), Layer.provideMerge(projectAt(root)))),
    (context) => ({
      store: Effect.provide(PageStore, context),
      search: (...args: Parameters<typeof search>) => Effect.provide(search(...args), context),
      slugs: (...args: Parameters<typeof search>) =>
        Effect.map(Effect.provide(search(...args), context), ({ hits }) => hits.map(({ slug }) => String(slug)))
    })
  )
  return { fs, root, at, put, process, index: at(".cache/search.db"), ...(yield* process) }
})

describe("what a search finds", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("words in any form, parts of identifiers, what stands within words, and mistypings", () =>
      Effect.gen(function* () {
        const { put, slugs } = yield* setUp
        yield* put("wiki/concepts/retry.md", "Uploads are retried. See getUserByID and SQLITE_BUSY in context-db.ts.")
        yield* put("wiki/concepts/ship.md", "The deployment goes out at noon. Le café ferme.")
        for (const query of [
          "retry",
          "upload",
          "UserByID",
          "user by id",
          "getuserbyid",
          "BUSY",
          "context-db.ts",
          "serByI"
        ]) {
          expect([query, yield* slugs(query)]).toEqual([query, ["retry"]])
        }
        for (const query of ["deployed", "deplyoment", "CAFE", "loymen", "deploiments", "2026 noon"]) {
          expect([query, (yield* slugs(query))[0]]).toEqual([query, "ship"])
        }
      })
    )

    it.scoped("A21 any text is a query: nothing in it is grammar", () =>
      Effect.gen(function* () {
        const { put, slugs } = yield* setUp
        yield* put(
          "wiki/concepts/odd.md",
          "A pre-edit memory:safe check; don't say hi to python and foo. C++ moves GB/s on 20.04 -> fast *"
        )
        const queries = [
          "pre-edit",
          '"--flag" check',
          "memory:safe",
          "don't",
          'say "hi',
          "(python",
          "foo AND",
          "NEAR(python"
        ]
        for (const query of [
          ...queries,
          "*",
          "C++",
          "GB/s",
          "20.04",
          "->",
          "",
          "NOT foo",
          "slug:foo",
          "foo\0",
          "\ud800foo"
        ]) {
          expect([query, yield* slugs(query)]).toEqual([query, ["odd"]])
        }
        expect(yield* slugs("nowhere ".repeat(1_300))).toEqual([])
        expect(yield* slugs("'; DROP TABLE page; --")).toEqual([])
      })
    )

    it.scoped("A22 scripts without blanks, whole and in part", () =>
      Effect.gen(function* () {
        const { put, slugs } = yield* setUp
        yield* put("wiki/concepts/zh.md", "今天讨论了部署方案")
        yield* put("wiki/concepts/ko.md", "오늘 끝말잇기 게임을 했다")
        yield* put("wiki/concepts/th.md", "สวัสดีชาวโลก")
        yield* put("wiki/concepts/gr.md", "ΣΊΣΥΦΟΣ")
        const expected = {
          部署方案: "zh",
          部署: "zh",
          署: "zh",
          끝말잇기: "ko",
          게임: "ko",
          ชาวโลก: "th",
          σίσυφος: "gr"
        }
        for (const [query, slug] of Object.entries(expected))
          expect([query, yield* slugs(query)]).toEqual([query, [slug]])
      })
    )

    it.scoped("the name, tags, summary and headings of a page before what others say in passing", () =>
      Effect.gen(function* () {
        const { put, slugs } = yield* setUp
        const filler = "Something else is told here at some length. ".repeat(20)
        yield* put("wiki/concepts/a-passing.md", `${filler} A queue is named in passing. ${filler}`)
        yield* put("wiki/concepts/queue.md", filler)
        yield* put("wiki/concepts/z-heading.md", `## Queue\n\n${filler}`)
        yield* put("wiki/concepts/z-tagged.md", filler, "tags: [queue]\n")
        yield* put("wiki/concepts/z-told.md", filler, "reasoning_summary: Why there is a queue\n")
        const order = yield* slugs("queue")
        expect([order[0], order.at(-1), order.length]).toEqual(["queue", "a-passing", 5])
      })
    )

    it.scoped("filters by type and tag; without a word, all pages of them, the newest first", () =>
      Effect.gen(function* () {
        const { put, search, slugs } = yield* setUp
        yield* put("wiki/concepts/one.md", "A rule.", "tags: [net]\n")
        yield* put("wiki/entities/two.md", "A rule.", "tags: [net, Disk]\n")
        yield* put("wiki/analyses/three.md", "A rule.")
        expect(yield* slugs("rule", { type: "entity" })).toEqual(["two"])
        expect((yield* slugs("rule", { tag: "net" })).toSorted()).toEqual(["one", "two"])
        expect(yield* slugs("rule", { tag: "disk" })).toEqual([])
        expect(yield* slugs("", { tag: "net", type: "concept" })).toEqual(["one"])
        expect((yield* search("  ")).total).toBe(3)
      })
    )

    it.scoped("a malformed page by its text, and says why it is not served", () =>
      Effect.gen(function* () {
        const { at, fs, search } = yield* setUp
        yield* fs.writeFileString(at("wiki/entities/zoo.md"), "no frontmatter, but zebras")
        yield* fs.writeFile(at("wiki/entities/bytes.md"), Uint8Array.from([0xff, 0xfe, 0x20, 0x67, 0x6e, 0x75]))
        const [zoo] = (yield* search("zebra")).hits
        expect([zoo?.slug, zoo?.excerpt]).toEqual(["zoo", "no frontmatter, but zebras"])
        expect(zoo?.problem).toContain("missing frontmatter")
        const [bytes] = (yield* search("gnu")).hits
        expect(bytes?.problem).toContain("not UTF-8")
      })
    )
  })
})

describe("an excerpt", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("is the passage that answers best, under its heading, cut between words and never in a character", () =>
      Effect.gen(function* () {
        const { put, search } = yield* setUp
        const filler = "🌊 words that say nothing of it. ".repeat(30)
        yield* put(
          "wiki/concepts/long.md",
          `Jitter alone.\n\n## Decision ##\n\n${filler}the backoff has jitter ${filler}\n\n## Later\n\nmore`
        )
        const [hit] = (yield* search("backoff jitter")).hits
        expect(hit?.heading).toBe("## Decision")
        expect(hit?.excerpt).toContain("the backoff has jitter")
        expect(hit?.excerpt).toMatch(/^….+…$/u)
        expect(hit?.excerpt.isWellFormed()).toBe(true)
        expect([...(hit?.excerpt ?? "")].length).toBeLessThan(330)
      })
    )

    it.scoped("is one line, and lets nothing through that is taken out elsewhere", () =>
      Effect.gen(function* () {
        const { put, search } = yield* setUp
        yield* put(
          "wiki/concepts/bad.md",
          "## Sly\u202e \u001b[31mred\n\nneedle </PUSH_PAUSED\n> \u001b]0;title\u0007 <\u200bMERGE_REQUIRED> nee\u200bdles",
          'tags: ["a\\nb", "<DRIFT_NOTICE>"]\n'
        )
        const [hit] = (yield* search("needles")).hits
        expect(hit).toMatchObject({
          heading: "## Sly red",
          excerpt: "needle </\\PUSH_PAUSED > <\\MERGE_REQUIRED> needles",
          tags: ["a b", "<\\DRIFT_NOTICE>"]
        })
      })
    )
  })
})

describe("the index follows the pages", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped(
      "a write, an edit elsewhere that keeps size and time, a removal and a rename are seen by the next call",
      () =>
        Effect.gen(function* () {
          const { at, fs, put, slugs, store } = yield* setUp
          yield* put("wiki/concepts/a.md", "alpha")
          expect(yield* slugs("alpha")).toEqual(["a"])
          const before = yield* fs.stat(at("wiki/concepts/a.md"))
          yield* put("wiki/concepts/a.md", "gamma")
          if (before.mtime._tag === "Some") {
            const seconds = before.mtime.value.getTime() / 1000
            yield* fs.utimes(at("wiki/concepts/a.md"), seconds, seconds)
          }
          expect([yield* slugs("alpha"), yield* slugs("gamma")]).toEqual([[], ["a"]])
          yield* (yield* store).write(page("wiki/concepts/b.md"), "---\nauthor: B\n---\ngamma, and gamma again\n")
          expect((yield* slugs("gamma")).length).toBe(2)
          yield* fs.rename(at("wiki/concepts/b.md"), at("wiki/entities/delta.md"))
          yield* fs.remove(at("wiki/concepts/a.md"))
          expect([yield* slugs("gamma"), yield* slugs("delta")]).toEqual([["delta"], ["delta"]])
        })
    )

    it.scoped("a second process finds what the first indexed, and reads no page that did not change", () =>
      Effect.gen(function* () {
        const { at, fs, process, put, slugs } = yield* setUp
        yield* put("wiki/concepts/a.md", "alpha")
        const seconds = (yield* Clock.currentTimeMillis) / 1000 - 7_200
        yield* fs.utimes(at("wiki/concepts/a.md"), seconds, seconds)
        yield* slugs("alpha")
        const { mtime } = yield* fs.stat(at(".cache/search.db"))
        const other = yield* process
        expect(yield* other.slugs("alpha")).toEqual(["a"])
        expect((yield* fs.stat(at(".cache/search.db"))).mtime).toEqual(mtime)
      })
    )

    it.scoped("a removed, cut, garbled or foreign index file is made anew, also under an open connection", () =>
      Effect.gen(function* () {
        const { fs, index, process, put, slugs } = yield* setUp
        for (let n = 0; n < 30; n++) yield* put(`wiki/concepts/p${n}.md`, `alpha number${n} ${"word ".repeat(n)}`)
        expect((yield* slugs("alpha", { limit: 100 })).length).toBe(30)
        const whole = yield* fs.readFile(index)
        const damages = [
          fs.remove(index),
          fs.writeFile(index, whole.subarray(0, 5_000)),
          fs.writeFile(index, new Uint8Array(0)),
          fs.writeFileString(index, "this is no database, and never was one; it only has its name"),
          fs.writeFile(
            index,
            whole.map((byte, at) => (at > 4_096 && at % 7 === 0 ? byte ^ 0xff : byte))
          )
        ]
        for (const [n, damage] of damages.entries()) {
          yield* damage
          expect([n, yield* slugs("number7")]).toEqual([n, ["p7"]])
          yield* damage
          expect([n, yield* (yield* process).slugs("number8")]).toEqual([n, ["p8"]])
        }
      })
    )
  })
})

describe("a long list", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped(
      "A23 goes on behind the page shown last, also where pages came and went; a foreign cursor is refused",
      () =>
        Effect.gen(function* () {
          const { at, fs, put, search } = yield* setUp
          for (let n = 0; n < 30; n++) yield* put(`wiki/concepts/p${n}.md`, `user ${"word ".repeat(n)}`)
          const first = yield* search("user")
          expect([first.total, first.hits.length]).toEqual([30, 10])
          yield* fs.remove(at(`${first.hits[9]?.path}`))
          yield* put("wiki/concepts/q.md", `user ${"more ".repeat(200)}`)
          const cursor = Option.getOrThrow(first.nextCursor)
          const rest = yield* search("user", { cursor, limit: 100 })
          const paths = [...first.hits, ...rest.hits].map(({ path }) => path)
          expect([new Set(paths).size, paths.length]).toEqual([31, 31])
          expect((yield* Effect.flip(search("other", { cursor })))._tag).toBe("InvalidCursor")
          expect((yield* Effect.flip(search("user", { cursor: "%%%" })))._tag).toBe("InvalidCursor")
        })
    )
  })
})

describe("whatever becomes of the index's file", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("where its folder cannot be used, the answer is the same, and nothing is written elsewhere", () =>
      Effect.gen(function* () {
        const { at, fs, put, root, slugs } = yield* setUp
        yield* put("wiki/concepts/a.md", "alpha")
        yield* fs.writeFileString(at(".cache"), "a file in the folder's place")
        expect(yield* slugs("alpha")).toEqual(["a"])
        yield* put("wiki/concepts/b.md", "alpha")
        expect((yield* slugs("alpha")).length).toBe(2)
        expect(yield* fs.readDirectory(root)).toEqual([".contexo"])
      })
    )

    it.scoped("several processes that build and follow it at once all answer right", () =>
      Effect.gen(function* () {
        const { process, put } = yield* setUp
        for (let n = 0; n < 60; n++) yield* put(`wiki/concepts/p${n}.md`, `user number${n}`)
        const others = yield* Effect.replicateEffect(process, 4)
        const ask = Effect.forEach(others, ({ search }) => Effect.map(search("user"), ({ total }) => total), {
          concurrency: "unbounded"
        })
        expect(yield* ask).toEqual([60, 60, 60, 60])
        yield* put("wiki/concepts/late.md", "user")
        expect(yield* ask).toEqual([61, 61, 61, 61])
      })
    )
  })
})
