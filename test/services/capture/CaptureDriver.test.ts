import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { byteLength } from "../../../src/model/text/Text.ts"
import { assistant, bench, claudeLine, noon, toolResult, toolUse, user } from "./support.ts"

const texts = (records: ReadonlyArray<{ readonly user?: string; readonly assistant?: string }>) =>
  records.map((record) => [record.user, record.assistant])

describe("a turn", () => {
  it.scoped("is everything between two real prompts: all its texts, all its tools, one record", () =>
    Effect.gen(function* () {
      const { event, records, write } = yield* bench
      write(
        user("Use Stripe?", { timestamp: "2026-07-05T09:12:44.512Z" }),
        assistant("Looking."),
        toolUse("Read"),
        toolResult("the file"),
        toolUse("Edit"),
        toolResult("done"),
        assistant("Yes.")
      )
      expect(event()).toMatchObject({ session: "s1", added: 1, malformed: 0, unknown: 0 })
      expect(records()).toEqual([
        {
          ts: "2026-07-05T09:12:44Z",
          turn: 1,
          user: "Use Stripe?",
          assistant: "Looking.\nYes.",
          tools: ["Read", "Edit"]
        }
      ])
    })
  )

  it.scoped("goes in once, however often events look, and the next one behind it", () =>
    Effect.gen(function* () {
      const { event, records, write } = yield* bench
      write(user("one"), assistant("1"))
      event()
      event()
      write(user("two"), assistant("2"))
      event({ hook_event_name: "SessionEnd" })
      event()
      expect(texts(records())).toEqual([
        ["one", "1"],
        ["two", "2"]
      ])
      expect(records().map(({ turn }) => turn)).toEqual([1, 2])
    })
  )

  it.scoped("that goes on after its end has its record replaced", () =>
    Effect.gen(function* () {
      const { event, records, write } = yield* bench
      write(user("one"), assistant("1"))
      event()
      write(toolUse("Bash"), assistant("and more"))
      event()
      expect(records()).toMatchObject([{ turn: 1, user: "one", assistant: "1\nand more", tools: ["Bash"] }])
    })
  )

  it.scoped("is not written while it goes on, but when the next prompt ends it (an interruption fires no Stop)", () =>
    Effect.gen(function* () {
      const { event, records, write } = yield* bench
      write(user("one"), assistant("half"))
      event({ hook_event_name: "PostToolUse", tool_name: "Read" })
      expect(records()).toEqual([])
      write(user("two"))
      event({ hook_event_name: "UserPromptSubmit", prompt: "two" })
      expect(texts(records())).toEqual([["one", "half"]])
    })
  )
})

describe("paging.md 3.6: what transcripts of Claude Code do", () => {
  it.scoped("1: Stop fires before the last line is written: the event's text fills in, once", () =>
    Effect.gen(function* () {
      const { event, records, write } = yield* bench
      write(user("one"))
      event({ last_assistant_message: "done" })
      expect(texts(records())).toEqual([["one", "done"]])
      write(assistant("done"))
      event({ last_assistant_message: "done" })
      write(user("two"), assistant("2"))
      event({ last_assistant_message: "2" })
      expect(texts(records())).toEqual([
        ["one", "done"],
        ["two", "2"]
      ])
    })
  )

  it.scoped("1: nor even the prompt: the text goes to no earlier turn, and meets its own later", () =>
    Effect.gen(function* () {
      const { event, records, write } = yield* bench
      write(user("one", { promptId: "p1" }), assistant("1"))
      event({ prompt_id: "p1", last_assistant_message: "1" })
      event({ hook_event_name: "UserPromptSubmit", prompt_id: "p2", prompt: "two" })
      event({ prompt_id: "p2", last_assistant_message: "2" })
      expect(texts(records())).toEqual([
        ["one", "1"],
        ["two", "2"]
      ])
      write(user("two", { promptId: "p2" }), toolUse("Read"), assistant("2"))
      event({ hook_event_name: "SessionEnd" })
      expect(records()).toMatchObject([{ user: "one" }, { turn: 2, user: "two", assistant: "2", tools: ["Read"] }])
    })
  )

  it.scoped("2: lines that are broken, empty or of another shape are skipped and counted, anywhere", () =>
    Effect.gen(function* () {
      const { event, records, write } = yield* bench
      write(
        user("one"),
        '{"type":"user","message":{"role":"user","content":"cut o\n',
        "\n",
        claudeLine({ type: "user", message: "error" }),
        claudeLine({ tpye: "assistant", message: { content: [] } }),
        claudeLine({ type: "brand-new-line", text: "?" }),
        "[1,2]\n",
        assistant("1")
      )
      expect(event()).toMatchObject({ malformed: 4, unknown: 1 })
      expect(texts(records())).toEqual([["one", "1"]])
    })
  )

  it.scoped("3, A34: a line that is half written waits for its other half, cut inside a character too", () =>
    Effect.gen(function* () {
      const { event, records, rewrite, transcript, write } = yield* bench
      const line = Buffer.from(user("zwei – 🟡"))
      const half = line.indexOf(Buffer.from("🟡")) + 2
      write(user("one"), assistant("1"))
      writeFileSync(transcript, line.subarray(0, half), { flag: "a" })
      expect(event()).toMatchObject({ malformed: 0 })
      expect(texts(records())).toEqual([["one", "1"]])
      writeFileSync(transcript, line.subarray(half), { flag: "a" })
      write(assistant("2").trimEnd())
      // Whole, though its line break is still to come.
      event()
      write("\n")
      event()
      expect(texts(records())).toEqual([
        ["one", "1"],
        ["zwei – 🟡", "2"]
      ])
      expect(rewrite).toBeDefined()
    })
  )

  it.scoped("5: a line that comes again is the same line; a session's lines in another's file go to their own", () =>
    Effect.gen(function* () {
      const { event, records, write } = yield* bench
      const [prompt, answer] = [user("one"), assistant("1")]
      write(prompt, answer, answer, prompt, toolUse("Read"))
      write(user("elsewhere", { sessionId: "s2" }), assistant("there", { sessionId: "s2" }))
      write(user("two"), assistant("2"))
      event()
      write(answer)
      event()
      expect(records()).toMatchObject([
        { turn: 1, user: "one", assistant: "1", tools: ["Read"] },
        { turn: 2, user: "two" }
      ])
      expect(texts(records("s2"))).toEqual([["elsewhere", "there"]])
    })
  )

  it.scoped("6: a file whose every line names another session belongs to the session of the event", () =>
    Effect.gen(function* () {
      const { event, records, write } = yield* bench
      write(user("one", { sessionId: "older" }), assistant("1", { sessionId: "older" }))
      event()
      expect(texts(records())).toEqual([["one", "1"]])
    })
  )

  it.scoped("8: a file that shrank, or was written anew, is read again, and no turn is written twice", () =>
    Effect.gen(function* () {
      const { event, records, rewrite, transcript, write } = yield* bench
      const [first, second] = [
        [user("one"), assistant("1")],
        [user("two"), assistant("2")]
      ]
      write(...first, ...second)
      event()
      truncateSync(transcript, byteLength(first.join("\n")))
      write("\n", user("three"), assistant("3"))
      event()
      renameSync(transcript, `${transcript}.old`)
      rewrite(...second, user("four"), assistant("4"))
      event()
      expect(records().map((record) => [record.turn, record.user])).toEqual([
        [1, "one"],
        [2, "two"],
        [3, "three"],
        [4, "four"]
      ])
    })
  )

  it.scoped("9, 13: a transcript that is not there fails nothing: the events tell the turn", () =>
    Effect.gen(function* () {
      const { event, records } = yield* bench
      event({ hook_event_name: "UserPromptSubmit", prompt: "one" })
      event({ last_assistant_message: "1" })
      event({ last_assistant_message: "1" })
      event({ last_assistant_message: "alone" })
      expect(texts(records())).toEqual([
        ["one", "1"],
        [undefined, "alone"]
      ])
    })
  )

  it.scoped("14, 16 and harness text: subagents, reminders, commands and summaries are no prompts", () =>
    Effect.gen(function* () {
      const { event, records, write } = yield* bench
      write(
        user("<command-name>/clear</command-name>"),
        user("Caveat: The messages below were generated by the user while running local commands."),
        user([
          { type: "text", text: "<system-reminder>be brief</system-reminder>" },
          { type: "text", text: "one" }
        ]),
        user("Base directory for this skill", { isMeta: true }),
        user("summary so far", { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
        user("do this part", { isSidechain: true, agentId: "a1" }),
        assistant("part done", { isSidechain: true, agentId: "a1" }),
        user("a task ended", { origin: { kind: "task-notification" } }),
        assistant({ type: "thinking", thinking: "", signature: "x" }),
        assistant("1"),
        assistant("API Error: 529", { isApiErrorMessage: true }),
        user("[Request interrupted by user]"),
        claudeLine({ type: "attachment", attachment: { type: "queued_command", prompt: "and then?" } }),
        assistant("then this")
      )
      event()
      expect(texts(records())).toEqual([
        ["one", "1"],
        ["and then?", "then this"]
      ])
    })
  )
})

describe("a buffer", () => {
  it.scoped("A11: is cut on code points, within its bytes, and holds no half of a pair", () =>
    Effect.gen(function* () {
      const { event, records, write } = yield* bench
      write(user(`${"a".repeat(2044)}🟡${"b".repeat(50)}`), assistant(`\ud83d ${"ü".repeat(3000)}`))
      event()
      const [record] = records()
      expect(record?.user).toBe(`${"a".repeat(2044)}...`)
      expect(byteLength(record?.assistant ?? "")).toBeLessThanOrEqual(4096)
      expect(record?.assistant).toMatch(/^\uFFFD ü+\.\.\.$/)
    })
  )

  it.scoped("A42: is redacted before it is cut, and so is a prompt that waits for its reply", () =>
    Effect.gen(function* () {
      const { event, records, root, store, write } = yield* bench
      const redact = (text: string) => text.replaceAll(/planted-[a-z]{8}/g, "[redacted:test]")
      event({ hook_event_name: "UserPromptSubmit", prompt: "planted-promptxx" }, { redact })
      write(user(`${"a".repeat(2040)} planted-straddle`), assistant("it is planted-abcdefgh"))
      event({ last_assistant_message: "planted-lastsaid" }, { redact })
      expect(records()[0]?.assistant).toBe("it is [redacted:test]\n[redacted:test]")
      expect(root).not.toBe("")
      for (const name of readdirSync(store, { recursive: true, withFileTypes: true })) {
        if (name.isFile()) expect(readFileSync(join(name.parentPath, name.name), "latin1")).not.toContain("planted-")
      }
    })
  )

  it.scoped("holds 500 lines: the oldest 100 go, and a marker counts all that went", () =>
    Effect.gen(function* () {
      const { event, records, write } = yield* bench
      for (let n = 1; n <= 801; n++) write(user(`prompt ${n}`), assistant(`${n}`))
      event()
      expect(records().length).toBeLessThanOrEqual(500)
      const [marker, first] = records()
      expect(marker).toMatchObject({ turn: 0, truncated: { reason: "buffer_cap" } })
      expect((marker?.truncated?.dropped ?? 0) + records().length - 1).toBe(801)
      expect(first?.turn).toBe((marker?.truncated?.dropped ?? 0) + 1)
      expect(records().at(-1)?.turn).toBe(801)
    })
  )

  it.scoped(
    "has every turn of a session without end, whatever its clock says, and none twice when all is read again",
    () =>
      Effect.gen(function* () {
        const { event, records, rewrite, write } = yield* bench
        const stopped = { timestamp: "2026-07-05T09:12:44Z" }
        const turns = Array.from({ length: 1100 }, (_, n) => [user(`prompt ${n + 1}`), assistant("so")].join(""))
        write(...turns)
        event()
        for (let n = 1; n <= 3; n++) {
          write(user(`late ${n}`, stopped), assistant("so"))
          event()
        }
        expect(records().at(-1)).toMatchObject({ turn: 1103, user: "late 3" })
        rewrite("\n", ...turns, user("new"), assistant("so"))
        event()
        expect(records().at(-1)).toMatchObject({ turn: 1104, user: "new" })
        expect(records().at(-2)).toMatchObject({ turn: 1103 })
      })
  )

  it.scoped("loses the half record of a crash, keeps lines that it cannot read, and numbers go on", () =>
    Effect.gen(function* () {
      const { bufferPath, event, records, write } = yield* bench
      mkdirSync(dirname(bufferPath()), { recursive: true })
      writeFileSync(bufferPath(), '{"ts":"2026-07-05T09:00:00Z","turn":7,"user":"old"}\nnot json\n{"ts":"2026-07-0')
      write(user("one"), assistant("1"))
      event()
      expect(records().map(({ turn }) => turn)).toEqual([7, 8])
      expect(readFileSync(bufferPath(), "utf8").split("\n")[1]).toBe("not json")
    })
  )

  it.scoped("knows its turns when the state is lost, or was never written, and when it was archived meanwhile", () =>
    Effect.gen(function* () {
      const { bufferPath, event, records, store, write } = yield* bench
      const state = join(store, ".sync", "capture", "s1.json")
      write(user("one"), assistant("1"))
      event()
      writeFileSync(state, "half a sta")
      write(user("two"), assistant("2"))
      event()
      expect(records().map(({ turn }) => turn)).toEqual([1, 2])
      const archive = join(dirname(bufferPath()), "_archive")
      mkdirSync(archive)
      renameSync(bufferPath(), join(archive, "s1.jsonl"))
      event()
      writeFileSync(state, "")
      write(user("three"), assistant("3"))
      event()
      expect(records()).toMatchObject([{ turn: 3, user: "three" }])
    })
  )

  it.scoped("of a session id that is a path lies among the others", () =>
    Effect.gen(function* () {
      const { event, root, store, write } = yield* bench
      write(user("one"), assistant("1"))
      for (const session of ["../../x", "/etc/passwd", "..", "con", "a\u0000b", "x".repeat(5000)]) {
        event({ session_id: session })
        event({ session_id: session })
      }
      const names = readdirSync(join(store, "raw", "sessions", "_pending"))
      expect(new Set(names).size).toBe(6)
      expect(names.every((name) => /^[\w-]{3,100}\.jsonl$/.test(name))).toBe(true)
      expect(readdirSync(root).toSorted()).toEqual(["app", "s1.jsonl"])
    })
  )

  it.scoped("that is a symbolic link, or lies behind one, is not written", () =>
    Effect.gen(function* () {
      const { bufferPath, event, root, store, write } = yield* bench
      const outside = join(root, "outside")
      mkdirSync(dirname(bufferPath()), { recursive: true })
      writeFileSync(outside, "mine")
      symlinkSync(outside, bufferPath())
      write(user("one"), assistant("1"))
      expect(() => event()).toThrow("ELOOP")
      expect(readFileSync(outside, "utf8")).toBe("mine")
      renameSync(join(store, "raw"), join(root, "elsewhere"))
      symlinkSync(join(root, "elsewhere"), join(store, "raw"))
      expect(() => event({ session_id: "s9" })).toThrow("ELOOP")
      expect(existsSync(join(root, "elsewhere", "sessions", "_pending", "s9.jsonl"))).toBe(false)
    })
  )

  it.scoped("that nobody touched for 30 days goes", () =>
    Effect.gen(function* () {
      const { bufferPath, event } = yield* bench
      mkdirSync(dirname(bufferPath()), { recursive: true })
      for (const [name, days] of [
        ["old", 31],
        ["young", 29]
      ] as const) {
        writeFileSync(bufferPath(name), "")
        utimesSync(bufferPath(name), noon / 1000 - days * 86_400, noon / 1000 - days * 86_400)
      }
      event()
      expect([existsSync(bufferPath("old")), existsSync(bufferPath("young"))]).toEqual([false, true])
    })
  )
})
