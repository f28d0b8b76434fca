import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Option } from "effect"
import { sha256 } from "../../../src/model/text/Hash.ts"
import type { AwaitingMerge } from "../../../src/services/sync/SyncState.ts"
import { bundled, childAt, runChild, runCramped } from "../../support/disk/children.ts"
import { faultyFileSystem } from "../../support/disk/faults.ts"
import { tempProject } from "../../support/disk/project.ts"
import { page, sha, syncState, text } from "../../support/disk/store.ts"

const a = page("wiki/concepts/a.md")
const b = page("raw/sessions/b.md")

const setUp = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* tempProject
  const file = `${root}/.contexo/.sync/state.json`
  const bases = `${root}/.contexo/.sync/bases.db`
  const read = fs.readFileString(file)
  const put = (content: string) =>
    Effect.zipRight(fs.makeDirectory(`${root}/.contexo/.sync`, { recursive: true }), fs.writeFileString(file, content))
  return { fs, root, file, bases, read, put, state: yield* syncState(root) }
})

const base = (digit: string, content: string) => ({ sha: sha(digit), text: content })
const mark: AwaitingMerge = { ancestor: Option.some(base("1", "old")), server: Option.none(), mineHash: sha256("mine") }

describe("state.json", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("is not there before something is recorded, and reads as nothing", () =>
      Effect.gen(function* () {
        const { fs, root, state } = yield* setUp
        expect(yield* state.recorded).toEqual({ lastPull: Option.none(), recorded: new Map() })
        expect((yield* state.snapshot).bases).toEqual(new Map())
        yield* state.apply({})
        expect(yield* fs.readDirectory(`${root}/.contexo`)).not.toContain("state.json")
      })
    )

    it.scoped("has the reference's shape: two spaces, sorted paths, no sha that is empty", () =>
      Effect.gen(function* () {
        const { read, state } = yield* setUp
        yield* state.apply({
          known: [
            { path: a, base: base("1", "A") },
            { path: b, base: base("2", "B") }
          ]
        })
        expect(yield* read).toBe(
          `{\n  "page_shas": {\n    "raw/sessions/b.md": "${sha("2")}",\n    "wiki/concepts/a.md": "${sha("1")}"\n  }\n}`
        )
        yield* state.apply({ lastPull: sha("3"), forget: [b] })
        expect(JSON.parse(yield* read)).toEqual({ last_pull_sha: sha("3"), page_shas: { [a]: sha("1") } })
        expect(yield* state.recorded).toEqual({ lastPull: Option.some(sha("3")), recorded: new Map([[a, sha("1")]]) })
      })
    )

    it.scoped("of the public client is understood, and its unknown keys and foreign paths are kept", () =>
      Effect.gen(function* () {
        const { put, read, state } = yield* setUp
        yield* put(`{"future": {"x": [1]}, "last_pull_sha": "", "page_shas": null}`)
        expect(yield* state.recorded).toEqual({ lastPull: Option.none(), recorded: new Map() })
        yield* put(
          `{"future":{"x":[1]},"page_shas":{"notes/x.md":"${sha("9")}","__proto__":"z","wiki/concepts/old.md":""}}`
        )
        expect((yield* state.recorded).recorded).toEqual(new Map())
        yield* state.apply({ known: [{ path: a, base: base("1", "A") }] })
        expect(JSON.parse(yield* read)).toEqual({
          future: { x: [1] },
          page_shas: JSON.parse(
            `{"__proto__":"z","notes/x.md":"${sha("9")}","wiki/concepts/a.md":"${sha("1")}","wiki/concepts/old.md":""}`
          )
        })
      })
    )

    for (const [what, content] of [
      ["cut off", `{"page_shas": {"wiki/con`],
      ["empty", ""],
      ["another kind of JSON", "[]"],
      ["of another shape", `{"page_shas": {"wiki/concepts/a.md": 7}}`],
      ["naming something that is no commit id", `{"page_shas": {"wiki/concepts/a.md": "../../x"}}`]
    ] as const) {
      it.scoped(`that is ${what} is a CorruptFile for everybody, and is never reset`, () =>
        Effect.gen(function* () {
          const { file, put, read, state } = yield* setUp
          yield* put(content)
          const change = { known: [{ path: a, base: base("1", "A") }] }
          const failures = yield* Effect.forEach(
            [state.recorded, state.snapshot, state.base(a), state.apply(change)],
            (one) => Effect.flip(Effect.asVoid(one))
          )
          for (const failure of failures) expect(failure).toMatchObject({ _tag: "CorruptFile", path: file })
          expect(yield* read).toBe(content)
        })
      )
    }
  })
})

describe("bases, marks and what was sent", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("are what the next process finds", () =>
      Effect.gen(function* () {
        const { root, state } = yield* setUp
        const odd = "\ufeffbase with a BOM\r\n🟡"
        yield* state.apply({
          lastHead: sha("7"),
          known: [{ path: a, base: base("1", odd) }],
          await: [{ path: b, mark }]
        })
        yield* state.apply({ sent: [{ path: b, hash: sha256("sent") }] })
        const next = yield* syncState(root)
        expect(yield* next.base(a)).toEqual(Option.some(base("1", odd)))
        expect(yield* next.snapshot).toEqual({
          lastPull: Option.none(),
          lastHead: Option.some(sha("7")),
          recorded: new Map([[a, sha("1")]]),
          bases: new Map([[a, { sha: sha("1"), hash: sha256(odd) }]]),
          awaiting: new Map([[b, mark]]),
          sent: new Map([[b, new Set([sha256("sent")])]])
        })
        expect(yield* next.awaiting).toEqual(new Map([[b, mark]]))
      })
    )

    it.scoped("are applied in the order known, forget, await, settle, sent", () =>
      Effect.gen(function* () {
        const { state } = yield* setUp
        yield* state.apply({ await: [{ path: a, mark }], sent: [{ path: a, hash: sha256("x") }] })
        yield* state.apply({ known: [{ path: a, base: base("1", "A") }], forget: [a], await: [{ path: b, mark }] })
        expect(yield* state.snapshot).toMatchObject({
          recorded: new Map(),
          bases: new Map(),
          awaiting: new Map([[b, mark]]),
          sent: new Map()
        })
        yield* state.apply({ await: [{ path: a, mark }], settle: [a, b] })
        expect(yield* state.awaiting).toEqual(new Map())
      })
    )

    it.scoped("a base counts only where its sha is the recorded one", () =>
      Effect.gen(function* () {
        const { put, state } = yield* setUp
        yield* state.apply({ known: [{ path: a, base: base("1", "A") }] })
        expect(yield* state.base(a)).toEqual(Option.some(base("1", "A")))
        // The public client pulled since.
        yield* put(JSON.stringify({ page_shas: { [a]: sha("2") } }))
        expect(yield* state.base(a)).toEqual(Option.none())
        expect(yield* state.base(b)).toEqual(Option.none())
      })
    )

    it.scoped("another process's change is seen at once, and none is lost when several apply", () =>
      Effect.gen(function* () {
        const { root, state } = yield* setUp
        const other = yield* syncState(root)
        yield* Effect.all(
          Array.from({ length: 20 }, (_, n) =>
            (n % 2 === 0 ? state : other).apply({
              known: [{ path: page(`wiki/concepts/n${n}.md`), base: base("1", `${n}`) }]
            })
          ),
          { concurrency: "unbounded" }
        )
        const { bases, recorded } = yield* state.snapshot
        expect([recorded.size, bases.size]).toEqual([20, 20])
        yield* other.apply({ known: [{ path: a, base: base("4", "theirs") }] })
        expect(yield* state.base(a)).toEqual(Option.some(base("4", "theirs")))
      })
    )
  })
})

const warnings: Array<string> = []
const collectWarnings = Logger.replace(
  Logger.defaultLogger,
  Logger.make(({ message }) => warnings.push(String(message)))
)

describe("a bases.db that is damaged", () => {
  layer(Layer.merge(NodeContext.layer, collectWarnings), { excludeTestServices: true })((it) => {
    for (const read of ["snapshot", "apply"] as const) {
      it.scoped(`is moved aside by ${read} and begun anew; state.json stands, all bases are unknown`, () =>
        Effect.gen(function* () {
          const { bases, fs, root, state } = yield* setUp
          yield* state.apply({ lastPull: sha("5"), known: [{ path: a, base: base("1", "A") }] })
          yield* fs.writeFileString(bases, "garbage ".repeat(2000))
          const next = yield* syncState(root)
          if (read === "apply") yield* next.apply({ known: [{ path: b, base: base("2", "B") }] })
          const found = yield* next.snapshot
          expect(found.recorded.get(a)).toBe(sha("1"))
          expect(found.bases.has(a)).toBe(false)
          expect(found.bases.has(b)).toBe(read === "apply")
          expect(yield* next.base(a)).toEqual(Option.none())
          expect(yield* fs.readFileString(`${bases}.corrupt-1`)).toMatch(/^garbage/)
          expect(warnings.at(-1)).toContain(`${bases} was corrupt. It is now ${bases}.corrupt-1`)
          // The process that had the old file open goes on in the new one.
          yield* state.apply({ known: [{ path: a, base: base("1", "A") }] })
          expect(yield* next.base(a)).toEqual(Option.some(base("1", "A")))
          yield* fs.writeFileString(bases, "garbage again ".repeat(2000))
          yield* (yield* syncState(root)).snapshot
          expect(
            (yield* fs.readDirectory(`${root}/.contexo/.sync`)).filter((one) => /corrupt-\d$/.test(one))
          ).toHaveLength(2)
        })
      )
    }

    it.scoped("gives up its marks where they can still be read: an unmerged page must not win unseen", () =>
      Effect.gen(function* () {
        const { bases, fs, root, state } = yield* setUp
        yield* state.apply({ await: [{ path: b, mark }] })
        const pages = Array.from({ length: 400 }, (_, n) => page(`wiki/concepts/n${n}.md`))
        yield* state.apply({ known: pages.map((path) => ({ path, base: base("1", text(path)) })) })
        // The first page holds the tables' names and the table of marks stands before the many bases; the rest is lost.
        const bytes = yield* fs.readFile(bases)
        bytes.fill(0xff, bytes.length >> 1)
        yield* fs.writeFile(bases, bytes)
        const next = yield* syncState(root)
        const found = yield* next.snapshot
        const texts = yield* Effect.forEach(pages, (path) => next.base(path))
        expect(found.awaiting).toEqual(new Map([[b, mark]]))
        expect(yield* next.awaiting).toEqual(new Map([[b, mark]]))
        expect(texts.some(Option.isNone)).toBe(true)
      })
    )

    it.scoped("whose text is not the one that was stored gives no base", () =>
      Effect.gen(function* () {
        const { bases, fs, root, state } = yield* setUp
        yield* state.apply({ known: [{ path: a, base: base("1", "the true text") }] })
        const bytes = Buffer.from(yield* fs.readFile(bases))
        bytes.write("lie!", bytes.indexOf("true text"))
        yield* fs.writeFile(bases, bytes)
        expect(yield* (yield* syncState(root)).base(a)).toEqual(Option.none())
      })
    )

    it.scoped("that a newer version wrote is left alone", () =>
      Effect.gen(function* () {
        const { bases, fs, root, state } = yield* setUp
        yield* state.apply({ known: [{ path: a, base: base("1", "A") }] })
        const bytes = Buffer.from(yield* fs.readFile(bases))
        // `user_version`, in the header of every SQLite file.
        bytes.writeUInt32BE(99, 60)
        yield* fs.writeFile(bases, bytes)
        const failure = yield* Effect.flip((yield* syncState(root)).snapshot)
        expect(failure.message).toContain("newer")
        expect(yield* fs.readFile(bases)).toEqual(bytes)
      })
    )
  })
})

describe("when the disk refuses", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    for (let at = 1; at <= 5; at++) {
      it.scoped(`call ${at} of writing state.json, the old state stands, and the change counts all the same`, () =>
        Effect.gen(function* () {
          const { read, root, state } = yield* setUp
          yield* state.apply({ known: [{ path: a, base: base("1", "A") }] })
          const before = yield* read
          const failing = yield* syncState(root).pipe(Effect.provide(faultyFileSystem({ at, code: "ENOSPC" })))
          const failure = yield* Effect.flip(failing.apply({ known: [{ path: a, base: base("2", "A2") }] }))
          expect(failure).toMatchObject({ _tag: "FileFailure", reason: "ENOSPC" })
          expect(yield* read).toBe(before)
          expect((yield* state.snapshot).recorded.get(a)).toBe(sha("2"))
          expect(yield* state.base(a)).toEqual(Option.some(base("2", "A2")))
          yield* state.apply({ lastPull: sha("3") })
          expect(yield* read).toContain(sha("2"))
        })
      )
    }

    it.scoped("bases.db, nothing is recorded: EFBIG, as on a full disk", () =>
      Effect.gen(function* () {
        const { fs, root, state } = yield* setUp
        yield* state.apply({ known: [{ path: a, base: base("1", "A") }] })
        yield* fs.chmod(root, 0o755)
        const child = yield* bundled("./record.ts")
        expect(yield* runCramped(child, root, "root", "40000")).toMatch(/^FileFailure .*bases\.db/)
        expect(yield* state.snapshot).toMatchObject({ recorded: new Map([[a, sha("1")]]) })
        expect(yield* state.base(a)).toEqual(Option.some(base("1", "A")))
        expect(yield* runChild(child, root, "root", "40000")).toBe("recorded\n")
      })
    )

    it.scoped("all writing, reading still works (EACCES), and says what could not be written", () =>
      Effect.gen(function* () {
        const { fs, root, state } = yield* setUp
        const child = yield* bundled("./record.ts")
        yield* fs.chmod(root, 0o755)
        const sync = `${root}/.contexo/.sync`
        expect(yield* runChild(child, root, "nobody", "10")).toMatch(
          /^0 recorded; FileFailure .*\.sync: cannot create \(EACCES\)/
        )
        yield* state.apply({ known: [{ path: a, base: base("1", "A") }] })
        yield* fs.chmod(`${sync}/bases.db`, 0o644)
        yield* fs.chmod(sync, 0o555)
        expect(yield* runChild(child, root, "nobody", "10")).toMatch(/^1 recorded; base A; FileFailure .*next\.db/)
        yield* fs.chmod(sync, 0o755)
      })
    )

    it.scoped(
      "because the process was killed, each page's sha and base belong together, 20 rounds",
      () =>
        Effect.gen(function* () {
          const { root, state } = yield* setUp
          const child = yield* bundled("./recordLoop.ts")
          for (let round = 0; round < 20; round++) {
            yield* Effect.scoped(childAt(`round ${round % 4}`, child, root, String(round)))
            const { recorded } = yield* state.snapshot
            const shas = new Set(recorded.values())
            expect(shas.size).toBe(1)
            for (const [path, known] of recorded) {
              const found = yield* state.base(path)
              if (Option.isSome(found)) expect(found.value).toEqual({ sha: known, text: `${path} ${known}` })
            }
          }
        }),
      90_000
    )
  })
})
