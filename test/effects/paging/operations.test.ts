import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Option, TestClock } from "effect"
import { ofBytes, ofText, exactBytes } from "../../../src/model/paging/Content.ts"
import { around } from "../../../src/effects/paging/around.ts"
import { check } from "../../../src/effects/paging/check.ts"
import { cleanup } from "../../../src/effects/paging/cleanup.ts"
import { listMessages } from "../../../src/effects/paging/listMessages.ts"
import { listPages } from "../../../src/effects/paging/listPages.ts"
import { addMessage, forgetMessage } from "../../../src/effects/paging/messages.ts"
import {
  deletePage,
  listTopics,
  pageIn,
  pageOut,
  tagPage,
  topic,
  updatePage
} from "../../../src/effects/paging/pages.ts"
import { search } from "../../../src/effects/paging/search.ts"
import { deleteSession, endSession, listSessions, startSession } from "../../../src/effects/paging/sessions.ts"
import { initialise, stats } from "../../../src/effects/paging/stats.ts"
import { exportAll, importAll } from "../../../src/effects/paging/transfer.ts"
import { PagingDatabase } from "../../../src/services/paging/PagingDatabase.ts"
import { withEnvironment } from "../../support/place.ts"
import { pagingIn, withPaging } from "../../support/paging.ts"

const say = (role: string, text: string) => Effect.map(addMessage(role, ofText(text)), ({ id }) => id)
const keep = (text: string, kind = "note") => Effect.map(pageOut(ofText(text), { kind }), ({ id }) => id)
const hits = (found: { readonly references: ReadonlyArray<{ readonly kind: string; readonly id: number }> }) =>
  found.references.map(({ id, kind }) => `${kind === "page" ? "p" : "m"}${id}`)

const as = (session: string) => withEnvironment({ CP_SESSION: session })

describe("the file", () => {
  it.scoped("is made by any operation, readable by its owner alone, and found from below", () =>
    withPaging((place) =>
      Effect.gen(function* () {
        expect(yield* initialise()).toEqual({ database: place.at("agents/context-paging/context.db") })
        expect(yield* place.mode("agents/context-paging")).toBe(0o700)
        expect(yield* place.mode("agents/context-paging/context.db")).toBe(0o600)
        yield* place.makeFolder("src/deep")
        const { database } = yield* Effect.provide(initialise(), pagingIn(place.below("src/deep")))
        expect(database).toBe(place.at("agents/context-paging/context.db"))
      })
    )
  )

  it.scoped("is where CP_DB says, and below the repository's top where nothing says", () =>
    withPaging((place) =>
      Effect.gen(function* () {
        yield* place.git(".", "init", "-q")
        yield* place.makeFolder("src")
        const below = pagingIn(place.below("src"))
        expect((yield* Effect.provide(initialise(), below)).database).toBe(place.at("agents/context-paging/context.db"))
        const named = initialise().pipe(Effect.provide(below), withEnvironment({ CP_DB: place.at("else/x.db") }))
        expect((yield* named).database).toBe(place.at("else/x.db"))
      })
    )
  )

  it.scoped("that is no database, or of a newer version, is refused and left alone", () =>
    withPaging((place) =>
      Effect.gen(function* () {
        yield* place.write("a/agents/context-paging/context.db", "not a database, but somebody's text".repeat(50))
        const refusal = yield* Effect.flip(Effect.provide(stats(), pagingIn(place.below("a"))))
        expect(refusal).toMatchObject({ _tag: "PagingFailure", code: "corrupt" })
        expect(yield* place.read("a/agents/context-paging/context.db")).toContain("somebody's text")

        yield* initialise()
        yield* (yield* PagingDatabase).write("age", (sql) => sql.run("PRAGMA user_version = 99"))
        const newer = yield* Effect.flip(Effect.provide(stats(), pagingIn(place)))
        expect(newer).toMatchObject({ code: "newer" })
        expect(newer.message).toContain("it was made by a newer ctx-mcp: update this one")
      })
    )
  )
})

describe("sessions", () => {
  it.scoped("begin, end, begin again, and go with all that they hold", () =>
    withPaging(() =>
      Effect.gen(function* () {
        yield* startSession("a")
        yield* as("a")(say("user", "hello"))
        yield* as("a")(keep("a page"))
        yield* say("user", "by hand")
        yield* endSession("a")
        const [a, manual] = (yield* listSessions()).toSorted((one, other) => (one.key < other.key ? -1 : 1))
        expect(a).toMatchObject({ key: "a", messages: 1, pages: 1, topics: 1, ended: Option.some(0) })
        expect(manual).toMatchObject({ key: "manual", messages: 1, ended: Option.none() })
        yield* startSession("a")
        expect((yield* listSessions()).every(({ ended }) => Option.isNone(ended))).toBe(true)

        expect(yield* deleteSession("a")).toEqual({ key: "a", messages: 1, pages: 1 })
        expect(hits(yield* search("hello"))).toEqual([])
        expect(hits(yield* search("by hand"))).toEqual(["m2"])
        expect(yield* stats()).toMatchObject({ sessions: 1, messages: 1, pages: 0 })
        for (const step of [Effect.asVoid(deleteSession("a")), Effect.asVoid(endSession("nobody"))]) {
          expect(yield* Effect.flip(step)).toMatchObject({ _tag: "NoSuchSession" })
        }
      })
    )
  )

  it.scoped("have names of one line", () =>
    withPaging(() =>
      Effect.gen(function* () {
        for (const name of ["", " ", "a\nb", "x".repeat(201)]) {
          expect(yield* Effect.flip(startSession(name))).toMatchObject({ _tag: "InvalidName", what: "session" })
        }
      })
    )
  )
})

describe("pages", () => {
  it.scoped("take topic and tags from the environment, and keep their number", () =>
    withPaging(
      () =>
        Effect.gen(function* () {
          const { id } = yield* pageOut(ofText("The port is 4848."))
          expect(yield* pageIn(id)).toMatchObject({
            id: 1,
            session: "s1",
            topic: "ports",
            kind: "note",
            tags: ["net", "why"],
            content: { text: "The port is 4848." }
          })
          yield* TestClock.adjust("1 minute")
          yield* updatePage(id, ofText("The port is 4849."))
          expect(yield* pageIn(id)).toMatchObject({
            id: 1,
            created: 0,
            updated: 60_000,
            content: { text: "The port is 4849." }
          })
          yield* tagPage(id, "new")
          yield* tagPage(id, "new")
          expect((yield* pageIn(id)).tags).toEqual(["net", "new", "why"])
          expect(yield* listTopics()).toEqual([{ name: "ports", session: "s1", pages: 1 }])
          expect(yield* topic("other")).toMatchObject({ name: "other", session: "s1" })

          yield* deletePage(id)
          expect((yield* pageOut(ofText("x"), { topic: "t", tags: ["a"], kind: "error" })).id).toBe(2)
          for (const step of [pageIn(1), updatePage(1, ofText("")), deletePage(1), tagPage(1, "a")]) {
            expect(yield* Effect.flip(Effect.asVoid(step))).toMatchObject({ _tag: "NoSuchRow", what: "page", id: 1 })
          }
          expect(yield* Effect.flip(pageOut(ofText(""), { kind: "thought" }))).toMatchObject({ _tag: "InvalidKind" })
        }),
      { CP_SESSION: "s1", CP_TOPIC: "ports", CP_TAGS: "net, why,," }
    )
  )

  it.scoped("are listed by window, content, topic and tag, the oldest first", () =>
    withPaging(() =>
      Effect.gen(function* () {
        yield* keep("first")
        yield* TestClock.adjust("2 hours")
        yield* pageOut(ofText("second"), { topic: "Deploy" })
        yield* pageOut(ofText("third"), { tags: ["urgent"] })
        const ids = (options: Parameters<typeof listPages>[0]) =>
          Effect.map(listPages(options), ({ pages }) => pages.map(({ id }) => id))
        expect(yield* listPages({})).toMatchObject({ session: "manual", earlier: 0, beyond: 1 })
        expect(yield* ids({})).toEqual([2, 3])
        expect(yield* ids({ since: "any" })).toEqual([1, 2, 3])
        expect(yield* ids({ query: "deploy" })).toEqual([2])
        expect(yield* ids({ query: "URGENT" })).toEqual([3])
        expect(yield* ids({ since: "any", limit: 2 })).toEqual([2, 3])
        yield* as("other")(keep("fourth"))
        expect(yield* ids({ since: "any" })).toEqual([1, 2, 3])
        expect(yield* ids({ all: true })).toEqual([1, 2, 3, 4])
      })
    )
  )
})

describe("messages", () => {
  it.scoped("are listed the oldest first, the newest of a window, and say how many are left off", () =>
    withPaging(() =>
      Effect.gen(function* () {
        yield* say("user", "old words")
        yield* TestClock.adjust("2 hours")
        yield* Effect.forEach(["one", "two", "three"], (text) => say("assistant", `${text} words`))
        yield* say("tool", "output")
        const listed = yield* listMessages({ limit: 2 })
        expect(listed.messages.map(({ id }) => id)).toEqual([4, 5])
        expect(listed).toMatchObject({ earlier: { count: 2, more: false }, beyond: { count: 1, more: false } })
        expect((yield* listMessages({ query: "WORDS", role: "assistant" })).messages.map(({ id }) => id)).toEqual([
          2, 3, 4
        ])
        expect((yield* listMessages({ query: "nowhere" })).beyond).toEqual({ count: 0, more: false })
        expect((yield* as("else")(listMessages({}))).messages).toEqual([])
        expect((yield* as("else")(listMessages({ all: true, since: "any" }))).messages).toHaveLength(5)
      })
    )
  )

  it.scoped("are shown among their neighbours of the same session, whenever that was", () =>
    withPaging(() =>
      Effect.gen(function* () {
        for (const text of ["a", "b", "c", "d", "e"]) yield* say("user", text)
        yield* as("else")(say("user", "not here"))
        yield* TestClock.adjust("30 days")
        expect((yield* around(3, 1)).messages.map(({ id }) => id)).toEqual([2, 3, 4])
        expect((yield* around(1)).messages.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
        expect((yield* around(3, 0)).messages.map(({ id }) => id)).toEqual([3])
        expect(yield* Effect.flip(around(99))).toMatchObject({ _tag: "NoSuchRow", what: "message", id: 99 })
      })
    )
  )

  it.scoped("that are forgotten are gone from rows, index and file, and their number is not given again", () =>
    withPaging((place) =>
      Effect.gen(function* () {
        const id = yield* say("user", "the secret hunter2hunter2 of mine")
        yield* forgetMessage(id)
        expect(hits(yield* search("hunter2"))).toEqual([])
        expect(yield* Effect.flip(forgetMessage(id))).toMatchObject({ _tag: "NoSuchRow" })
        expect(yield* say("user", "next")).toBe(2)
        for (const name of yield* place.everything) {
          if (name.includes("context.db")) expect(yield* place.read(name)).not.toContain("hunter2hunter2")
        }
      })
    )
  )

  it.scoped("want one of the six roles", () =>
    withPaging(() =>
      Effect.gen(function* () {
        const refusal = yield* Effect.flip(addMessage("robot", ofText("x")))
        expect(refusal.message).toBe(
          '"robot" is no role. The roles are user, thinking, assistant, tool_call, tool, system.'
        )
      })
    )
  )
})

describe("search", () => {
  it.scoped("A21: takes any text for what it is", () =>
    withPaging(() =>
      Effect.gen(function* () {
        const texts = [
          "pre-edit",
          '"--flag"',
          "memory:safe",
          "don't",
          'say "hi',
          "(python",
          "foo AND",
          "NEAR(",
          "*",
          "C++",
          "GB/s",
          "20.04",
          "100%_x",
          "a'b\"c\\d",
          "%",
          "_"
        ]
        for (const text of texts) yield* say("user", `before ${text} after`)
        for (const [index, text] of texts.entries()) {
          expect(hits(yield* search(text))).toContain(`m${index + 1}`)
          expect((yield* search(text)).references.every(({ excerpt }) => excerpt.includes(text))).toBe(true)
        }
        expect(hits(yield* search(""))).toHaveLength(texts.length)
      })
    )
  )

  it.scoped("A22: finds substrings in every script, short ones too", () =>
    withPaging(() =>
      Effect.gen(function* () {
        yield* say("user", "今天讨论了部署方案")
        yield* say("assistant", "오늘 끝말잇기 게임을")
        yield* say("tool", "getUserByID SQLITE_BUSY σίσυφος")
        expect(hits(yield* search("部署方案"))).toEqual(["m1"])
        expect(hits(yield* search("部署"))).toEqual(["m1"])
        expect(hits(yield* search("끝말잇기"))).toEqual(["m2"])
        expect(hits(yield* search("userbyid"))).toEqual(["m3"])
        expect(hits(yield* search("userbyid", { matchCase: true }))).toEqual([])
        expect(hits(yield* search("ΣΊΣΥΦΟΣ"))).toEqual(["m3"])
        expect(hits(yield* search("sy"))).toEqual(["m3"])
        expect(hits(yield* search("sy", { matchCase: true }))).toEqual([])
      })
    )
  )

  it.scoped("counts by role and kind, pages through, and says what lies beyond the window", () =>
    withPaging(() =>
      Effect.gen(function* () {
        yield* say("user", "port long ago")
        yield* TestClock.adjust("3 hours")
        for (let n = 0; n < 25; n++) yield* say(n % 5 === 0 ? "tool" : "assistant", `port ${n}`)
        yield* keep("the port is chosen", "decision")
        const first = yield* search("port")
        expect([...first.matches]).toEqual([
          ["assistant", { count: 20, more: false }],
          ["tool", { count: 5, more: false }],
          ["decision", { count: 1, more: false }]
        ])
        expect(first.beyond).toEqual({ count: 1, more: false })
        expect(first.nextOffset).toBe(20)
        const second = yield* search("port", { offset: 20 })
        expect(hits(second)).toHaveLength(6)
        expect(second.nextOffset).toBeUndefined()
        expect(new Set([...hits(first), ...hits(second)]).size).toBe(26)
        expect(hits(yield* search("port", { role: "tool,decision" }))).toEqual(["m2", "m7", "m12", "m17", "m22", "p1"])
        expect(hits(yield* search("port", { role: "decision" }))).toEqual(["p1"])
        expect(hits(yield* search("port", { since: "any", role: "user" }))).toEqual(["m1"])
        expect(yield* search("long ago")).toMatchObject({ references: [], beyond: { count: 1 } })
        expect(yield* Effect.flip(search("x", { role: "robot" }))).toMatchObject({ _tag: "InvalidRole", kinds: true })
        expect(yield* Effect.flip(search("x", { since: "yesterday" }))).toMatchObject({ _tag: "InvalidSince" })
      })
    )
  )

  it.scoped("ranks on request: what answers first, and its neighbours as weak evidence", () =>
    withPaging(() =>
      Effect.gen(function* () {
        yield* say("user", "What did the dentist say?")
        yield* say("assistant", "Twice a year is enough.")
        for (let n = 0; n < 10; n++) yield* say("user", `filler about the weather ${n}`)
        yield* say("user", "the meeting about dentists was long")
        const found = yield* search("what does the dentist recommend", { rank: true })
        expect(hits(found)[0]).toBe("m1")
        expect(hits(found)).toContain("m2")
        expect(hits(found)).not.toContain("m7")
      })
    )
  )

  it.scoped("leaves out its own echoes", () =>
    withPaging(() =>
      Effect.gen(function* () {
        yield* say("assistant", "the needle is here")
        yield* say("tool_call", '{"command":"ctx paging search needle"}')
        expect(hits(yield* search("needle"))).toEqual(["m1"])
        expect(hits(yield* search("needle", { rank: true }))).toEqual(["m1"])
      })
    )
  )

  it.scoped("finds what a plain look at every text finds, whatever the texts", () => {
    const letters = fc.constantFrom(
      "a",
      "B",
      "ß",
      "É",
      "é",
      "Σ",
      "σ",
      "ς",
      "İ",
      "部",
      "署",
      "끝",
      "😀",
      "\u0301",
      "%",
      '"',
      " ",
      "K",
      "Ა",
      "ა"
    )
    const text = fc.array(letters, { maxLength: 12 }).map((all) => all.join(""))
    return Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(text, { minLength: 1, maxLength: 8 }),
          fc.array(letters, { minLength: 1, maxLength: 5 }),
          fc.boolean(),
          (texts, query, old) =>
            Effect.runPromise(
              Effect.scoped(
                withPaging(() =>
                  Effect.gen(function* () {
                    const asked = query.join("")
                    for (const one of texts) yield* say("user", one)
                    // Without a bound the index answers; within one, a look at the window.
                    const found = yield* search(asked, { since: old ? "any" : "1h", limit: 100 })
                    const simple = (one: string) =>
                      Array.from(one, (letter) => {
                        const small = letter.toLowerCase()
                        return small.length === letter.length && !(letter > "\u007f" && small <= "\u007f")
                          ? small
                          : letter
                      })
                        .join("")
                        .replaceAll("ς", "σ")
                    const expected = texts.flatMap((one, index) =>
                      simple(one).includes(simple(asked)) ? [`m${index + 1}`] : []
                    )
                    expect(hits(found)).toEqual(expected)
                  })
                )
              )
            )
        ),
        { numRuns: 60 }
      )
    )
  })
})

describe("exactness", () => {
  it.scoped("what goes in comes out, byte for byte, in rows, exports and imports", () =>
    withPaging((place) =>
      Effect.gen(function* () {
        const contents = [
          "a\r\nb\r\n",
          "\ufeffbom",
          "cafe\u0301",
          "nul\0nul",
          "lone \ud83d end",
          "\u001b[31mred\u001b[0m",
          "trailing \n\n ",
          ""
        ].map(ofText)
        const all = [...contents, ofBytes(Uint8Array.of(0, 255, 254, 13, 10))]
        for (const content of all) {
          const { id } = yield* pageOut(content)
          expect(exactBytes((yield* pageIn(id)).content)).toEqual(exactBytes(content))
          yield* addMessage("tool", content)
        }
        const listed = yield* listMessages({ limit: 100 })
        expect(listed.messages.map(({ content }) => exactBytes(content))).toEqual(all.map(exactBytes))
        expect(yield* check()).toMatchObject({ messages: 9, pages: 9, damaged: [], integrity: [], index: [] })

        const lines: Array<string> = []
        yield* tagPage(1, "a tag")
        yield* exportAll((some) => Effect.sync(() => lines.push(...some.trimEnd().split("\n"))))
        const copied = Effect.gen(function* () {
          expect(yield* importAll(lines)).toMatchObject({ messages: 9, pages: 9 })
          expect(yield* importAll(lines)).toMatchObject({ messages: 0, pages: 0 })
          const again: Array<string> = []
          yield* exportAll((some) => Effect.sync(() => again.push(...some.trimEnd().split("\n"))))
          expect(again).toEqual(lines)
        })
        const elsewhere = { CP_DB: place.at("copy", "context.db") }
        yield* copied.pipe(Effect.provide(pagingIn(place)), withEnvironment(elsewhere))
      })
    )
  )

  it.scoped("50 MB in, 50 MB out, and found", () =>
    withPaging(() =>
      Effect.gen(function* () {
        const big = ofText(`${"x y z ".repeat(8_400_000)}the needle at the end`)
        const { id } = yield* pageOut(big)
        yield* addMessage("tool", big)
        expect((yield* pageIn(id)).content.sha256).toBe(big.sha256)
        expect(hits(yield* search("needle at the end", { since: "any" }))).toEqual(["m1", "p1"])
      })
    )
  )

  it.scoped("a line that is no record ends an import, and what came before it is in", () =>
    withPaging(() =>
      Effect.gen(function* () {
        const session = '{"record":"session","key":"s","started":1,"active":1}'
        const message =
          '{"record":"message","session":"s","role":"user","ts":1,"source":"cli","uid":"u","content":"hi"}'
        for (const wrong of [
          "{",
          "[]",
          '{"record":"message","session":"s","role":"user","ts":1,"source":"cli","uid":"v"}'
        ]) {
          const refusal = yield* Effect.flip(importAll([session, message, "", wrong]))
          expect(refusal).toMatchObject({ _tag: "InvalidRecord", line: 4 })
        }
        expect(yield* stats()).toMatchObject({ messages: 1 })
      })
    )
  )
})

describe("check", () => {
  it.scoped("notices damage to rows and index, and builds the index again", () =>
    withPaging(() =>
      Effect.gen(function* () {
        for (const text of ["alpha beta", "gamma delta"]) yield* say("user", text)
        const database = yield* PagingDatabase
        yield* database.write("damage", (sql) => {
          sql.run("DROP TRIGGER messages_trigrams_changed")
          sql.run("UPDATE messages SET content = 'changed' WHERE id = 1")
          sql.run("INSERT INTO messages_trigrams(messages_trigrams) VALUES ('delete-all')")
        })
        expect(yield* check()).toMatchObject({
          damaged: ["m1"],
          index: ["messages_trigrams: 2 row(s) are missing"],
          repaired: false
        })
        expect(yield* check(true)).toMatchObject({ repaired: true })
        expect(yield* check()).toMatchObject({ damaged: ["m1"], index: [] })
        expect(hits(yield* search("gamma", { since: "any" }))).toEqual(["m2"])
      })
    )
  )
})

describe("cleanup", () => {
  it.scoped("takes sessions that ended long ago or are stale, once a day, and on its own none with pages", () =>
    withPaging(() =>
      Effect.gen(function* () {
        yield* as("ended")(say("user", "a"))
        yield* endSession("ended")
        yield* as("paged")(keep("worth keeping"))
        yield* endSession("paged")
        yield* as("stale")(say("user", "b"))
        yield* TestClock.adjust("100 days")
        yield* as("fresh")(say("user", "c"))
        expect(yield* cleanup({ keepPages: true })).toMatchObject({ due: true, sessions: ["ended"], messages: 1 })
        expect(yield* cleanup({})).toMatchObject({ due: false, sessions: [] })
        expect(yield* cleanup({ force: true })).toMatchObject({ sessions: ["paged"], pages: 1 })
        yield* TestClock.adjust("100 days")
        expect(yield* cleanup({})).toMatchObject({ sessions: ["stale"] })
        expect((yield* listSessions()).map(({ key }) => key)).toEqual(["fresh"])
      })
    )
  )

  it.scoped("A24: 40,000 messages go, and the file stays sound", () =>
    withPaging(() =>
      Effect.gen(function* () {
        yield* as("big")(say("user", "x"))
        yield* (yield* PagingDatabase)
          .write("fill", (sql) =>
            sql.run(`INSERT INTO messages (session_id, role, ts, bytes, uid, source, sha256, content)
            SELECT 1, 'tool', 0, 5, 'n' || value, 'test', '-', 'text ' || value FROM generate_series(1, 40000)`)
          )
          .pipe(
            // An engine without that table counts by itself.
            Effect.catchAll(() =>
              Effect.flatMap(PagingDatabase, (database) =>
                database.write("fill", (sql) =>
                  sql.run(`WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 40000)
                  INSERT INTO messages (session_id, role, ts, bytes, uid, source, sha256, content)
                  SELECT 1, 'tool', 0, 5, 'n' || value, 'test', '-', 'text ' || value FROM n`)
                )
              )
            )
          )
        expect(hits(yield* search("text 39999", { since: "any" }))).toEqual(["m40000"])
        expect(yield* deleteSession("big")).toMatchObject({ messages: 40_001 })
        expect(yield* check()).toMatchObject({ messages: 0, integrity: [], index: [] })
      })
    )
  )
})
