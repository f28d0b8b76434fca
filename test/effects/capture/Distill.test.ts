import { describe, it } from "@effect/vitest"
import { FileSystem, type Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { ConfigProvider, Effect, Layer, type Scope } from "effect"
import { expect } from "vitest"
import * as Merge from "../../../src/effects/sync/Merge.ts"
import { captureSession } from "../../../src/effects/capture/captureSession.ts"
import { Push, push, type PushOptions } from "../../../src/effects/sync/Push.ts"
import { type WritePage, writePage } from "../../../src/effects/page/writePage.ts"
import { localStatus } from "../../../src/effects/sync/status.ts"
import { timeline } from "../../../src/effects/history/timeline.ts"
import { pushText } from "../../../src/main/render/push.ts"
import { PendingBuffers } from "../../../src/services/capture/PendingBuffers.ts"
import { SyncClient } from "../../../src/services/sync/SyncClient.ts"
import { trueSecrets } from "../../support/secrets.ts"
import { freshTeam, type Member, type Team } from "../../support/team.ts"

const pending = "raw/sessions/_pending"
const write = (member: Member, slug: string, type: WritePage["type"], body = "## Decision\n\nOne.\n") =>
  member.as(writePage({ slug, type, body, tags: ["billing"] }))
const pushed = (member: Member, options: PushOptions = {}) => Effect.map(member.as(push({}, options)), pushText)

const files = (member: Member) => {
  const at = (path: string) => `${member.root}/.contexo/${path}`
  const withFiles = <A, E>(use: (fs: FileSystem.FileSystem) => Effect.Effect<A, E>) =>
    member.as(Effect.flatMap(FileSystem.FileSystem, use))
  return {
    read: (path: string) => withFiles((fs) => fs.readFileString(at(path))),
    exists: (path: string) => withFiles((fs) => fs.exists(at(path))),
    /** Adds turns to a session's buffer, as a hook does; `hoursAgo` is when it was written. */
    say: (session: string, turns: ReadonlyArray<number>, hoursAgo = 0) =>
      withFiles((fs) =>
        Effect.gen(function* () {
          yield* fs.makeDirectory(at(pending), { recursive: true })
          const lines = turns.map((turn) =>
            JSON.stringify({ ts: "2026-12-01T09:00:00Z", turn, user: `${session} ${turn}` })
          )
          yield* fs.writeFileString(at(`${pending}/${session}.jsonl`), lines.map((line) => `${line}\n`).join(""), {
            flag: "a"
          })
          const time = (Date.now() - hoursAgo * 3_600_000) / 1000
          yield* fs.utimes(at(`${pending}/${session}.jsonl`), time, time)
        })
      )
  }
}

type Surroundings = Scope.Scope | FileSystem.FileSystem | Path.Path
const scenario = <A, E>(name: string, run: (member: Member, team: Team) => Effect.Effect<A, E, Surroundings>) =>
  it.scopedLive(name, () =>
    Effect.flatMap(freshTeam, (team) => Effect.flatMap(team.member("ada"), (member) => run(member, team))).pipe(
      Effect.provide(NodeContext.layer)
    )
  )

const paused = "<PUSH_PAUSED reason=distill_required>"
const landed = /^Pushed \d+ page\(s\); HEAD=/
const slugIn = (directive: string) => /source_slug: {2}"([^"]+)"/.exec(directive)?.[1] ?? "no slug"

/** A push that paused, and the source page that it asked for. */
const distilled = Effect.fnUntraced(function* (member: Member) {
  const directive = yield* pushed(member)
  expect(directive.startsWith(paused)).toBe(true)
  const sourceSlug = slugIn(directive)
  yield* write(member, sourceSlug, "source", "## Decision\n\nThree times, because of the bank.\n")
  return { directive, done: { distillDone: true, sourceSlug } satisfies PushOptions, sourceSlug }
})

describe("a push pauses while the reasoning behind its pages is in a buffer", () => {
  scenario(
    "the whole handshake: one commit, the page cites the source, the buffer is archived, no second pause",
    (member) =>
      Effect.gen(function* () {
        const { exists, read, say } = files(member)
        yield* say("s1", [1, 2, 3])
        yield* write(member, "retry-rule", "concept")
        yield* write(member, "ledger", "entity")
        const { directive, done, sourceSlug } = yield* distilled(member)
        expect(sourceSlug).toMatch(/^\d{4}-\d\d-\d\d-retry-rule-reasoning$/)
        expect(directive).toContain("tags:              [billing]")
        expect(directive).toContain("- wiki/concepts/retry-rule.md (concept)\n- wiki/entities/ledger.md (entity)")
        expect(directive).toContain('"turn":3,"user":"s1 3"}\n\n</PUSH_PAUSED>')
        expect((yield* member.as(localStatus())).pendingBuffers).toBe(1)

        expect(yield* pushed(member, done)).toMatch(/^Pushed 3 page\(s\)/)
        expect(yield* read("wiki/concepts/retry-rule.md")).toContain(`sources:\n  - "${sourceSlug}"\n`)
        expect(yield* read("wiki/entities/ledger.md")).not.toContain(sourceSlug)
        expect((yield* member.as(timeline(10))).length).toBe(1)
        expect(yield* exists(`${pending}/s1.jsonl`)).toBe(false)
        expect((yield* read(`${pending}/_archive/s1.jsonl`)).trimEnd().split("\n")).toHaveLength(3)
        expect((yield* member.as(localStatus())).pendingBuffers).toBe(0)

        yield* write(member, "retry-rule", "concept", "## Decision\n\nTwo.\n")
        expect(yield* pushed(member)).toMatch(/^Pushed 1 page/)
        expect(yield* pushed(member, done)).toBe("Nothing to push (everything is already on the server)")
      })
  )

  scenario("the buffer that was shown is the one that is archived, and turns that came meanwhile stay", (member) =>
    Effect.gen(function* () {
      const { read, say } = files(member)
      yield* say("shown", [1, 2], 1)
      yield* write(member, "retry-rule", "concept")
      const { done } = yield* distilled(member)
      yield* say("shown", [3], 1)
      yield* say("other", [1])
      expect(yield* pushed(member, done)).toMatch(landed)
      expect(yield* read(`${pending}/shown.jsonl`)).toContain('"turn":3')
      expect(yield* read(`${pending}/shown.jsonl`)).not.toContain('"turn":2')
      expect(yield* read(`${pending}/other.jsonl`)).toContain('"turn":1')
      // Said again, it is known: the other session's turns are not distilled by that.
      yield* pushed(member, done)
      expect(yield* read(`${pending}/other.jsonl`)).toContain('"turn":1')
    })
  )

  scenario(
    "no pause: without a buffer, an old one, an empty one, entities alone, by argument, by environment",
    (member) =>
      Effect.gen(function* () {
        const { say } = files(member)
        yield* write(member, "one", "concept")
        expect(yield* pushed(member)).toMatch(landed)
        yield* say("old", [1], 7)
        yield* say("empty", [])
        yield* write(member, "two", "analysis")
        expect(yield* pushed(member)).toMatch(landed)
        yield* say("fresh", [1], 5)
        yield* write(member, "three", "entity")
        expect(yield* pushed(member)).toMatch(landed)
        yield* write(member, "four", "concept")
        expect((yield* pushed(member)).startsWith(paused)).toBe(true)
        expect(yield* pushed(member, { noDistill: true })).toMatch(landed)
        yield* write(member, "five", "concept")
        const disabled = ConfigProvider.fromMap(new Map([["CONTEXO_DISTILL_DISABLE", "1"]]))
        expect(yield* Effect.withConfigProvider(pushed(member), disabled)).toMatch(landed)
        expect(yield* pushed(member)).toBe("Nothing to push (everything is already on the server)")
      })
  )

  scenario("a clock that was put back hides no session", (member) =>
    Effect.gen(function* () {
      yield* files(member).say("tomorrow", [1], -24)
      yield* write(member, "one", "concept")
      expect((yield* pushed(member)).startsWith(paused)).toBe(true)
    })
  )

  scenario("done without a slug, or without the page: an error that says what to do, and nothing changed", (member) =>
    Effect.gen(function* () {
      const { exists, say } = files(member)
      yield* say("s1", [1])
      yield* write(member, "one", "concept")
      const refusal = (sourceSlug?: string) =>
        Effect.map(Effect.flip(member.as(push({}, { distillDone: true, sourceSlug }))), ({ message }) => message)
      expect(yield* refusal()).toBe(
        "distill_done=true requires source_slug (the slug just authored with ctx_write_page type=source)"
      )
      for (const slug of ["nosuch", "../one"]) {
        expect(yield* refusal(slug)).toBe(
          `distill_done set but source page "${slug}" not found at raw/sessions/${slug}.md — write it first with ctx_write_page(type="source", slug="${slug}", ...)`
        )
      }
      expect(yield* exists(`${pending}/s1.jsonl`)).toBe(true)
      expect((yield* pushed(member)).startsWith(paused)).toBe(true)
    })
  )
})

describe("what comes between", () => {
  scenario("a push that fails after loses nothing, does not pause again, and may be said again", (member, team) =>
    Effect.gen(function* () {
      const { say } = files(member)
      const ben = yield* team.member("ben")
      yield* write(ben, "retry-rule", "concept", "## Decision\n\nBen's.\n")
      yield* pushed(ben)
      yield* say("s1", [1])
      yield* write(member, "retry-rule", "concept")
      const { done } = yield* distilled(member)
      expect(yield* pushed(member, done)).toContain("<MERGE_REQUIRED>")
      // The mark stands: neither a pause nor a citation gets an unmerged page past it.
      yield* say("s2", [1])
      expect(yield* pushed(member)).toContain("<MERGE_REQUIRED>")
      expect(yield* pushed(member, done)).toContain("<MERGE_REQUIRED>")
      yield* write(member, "retry-rule", "concept", "## Decision\n\nBoth.\n")
      expect(yield* pushed(member, done)).toMatch(/^Pushed 2 page/)
      const texts = yield* member.as(Effect.flatMap(SyncClient, (client) => client.pages))
      expect(texts.map(({ path }) => path)).toContain(`raw/sessions/${done.sourceSlug}.md`)
    })
  )

  scenario("a page that awaits its merge is not cited past it", (member, team) =>
    Effect.gen(function* () {
      const { read, say } = files(member)
      const ben = yield* team.member("ben")
      yield* write(ben, "retry-rule", "concept", "## Decision\n\nBen's.\n")
      yield* pushed(ben)
      yield* write(member, "retry-rule", "concept")
      expect(yield* pushed(member)).toContain("<MERGE_REQUIRED>")
      yield* say("s1", [1])
      yield* write(member, "trail", "source")
      expect(yield* pushed(member, { distillDone: true, sourceSlug: "trail" })).toContain("<MERGE_REQUIRED>")
      expect(yield* read("wiki/concepts/retry-rule.md")).not.toContain("trail")
    })
  )

  scenario("a crash between archive and buffer: turns that are in both are distilled", (member) =>
    Effect.gen(function* () {
      const { read, say } = files(member)
      yield* say("s1", [1, 2])
      yield* member.as(Effect.flatMap(PendingBuffers, (buffers) => buffers.archive("s1")))
      yield* say("s1", [1, 2])
      yield* write(member, "one", "concept")
      expect(yield* pushed(member)).toMatch(landed)
      yield* say("s1", [3])
      yield* write(member, "two", "concept")
      const { done } = yield* distilled(member)
      expect(yield* pushed(member, done)).toMatch(landed)
      expect((yield* read(`${pending}/_archive/s1.jsonl`)).trimEnd().split("\n")).toHaveLength(3)
    })
  )

  scenario("a second trail of the day gets a name of its own", (member) =>
    Effect.gen(function* () {
      const { say } = files(member)
      yield* say("s1", [1])
      yield* write(member, "one", "concept")
      const first = yield* distilled(member)
      yield* pushed(member, first.done)
      yield* say("s2", [1])
      yield* write(member, "one", "concept", "## Decision\n\nTwo.\n")
      expect((yield* distilled(member)).sourceSlug).toBe(`${first.sourceSlug}-2`)
    })
  )

  scenario("a program that leaves the layer out pushes without a pause", (member) =>
    Effect.gen(function* () {
      yield* files(member).say("s1", [1])
      yield* write(member, "one", "concept")
      const plain = Merge.layer.pipe(Layer.provide(Push.layer))
      const { outcome } = yield* member.as(Effect.provide(push({}, {}), plain))
      expect(outcome._tag).toBe("Pushed")
    })
  )
})

describe("A11, A42: what a directive shows of a buffer", () => {
  scenario("no secret, whoever wrote the buffer, and no more than 30 KB of it", (member) =>
    Effect.gen(function* () {
      yield* member.as(
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const folder = `${member.root}/.contexo/${pending}`
          yield* fs.makeDirectory(folder, { recursive: true })
          const lines = trueSecrets.map(({ text }, n) =>
            JSON.stringify({
              ts: "2026-12-01T09:00:00Z",
              turn: n + 1,
              user: text,
              assistant: `${"🟡".repeat(900)} ${text}`
            })
          )
          yield* fs.writeFileString(`${folder}/foreign.jsonl`, `${lines.join("\n")}\n`)
        })
      )
      yield* write(member, "one", "concept")
      const directive = yield* pushed(member)
      const captured = yield* Effect.map(member.as(captureSession()), (one) => one.render())
      for (const text of [directive, captured]) {
        expect(text).toContain(`"truncated":{"dropped":${trueSecrets.length - 50},"reason":"inline_window"}`)
        for (const { secret } of trueSecrets) expect(text).not.toContain(JSON.stringify(secret).slice(1, -1))
        expect(Buffer.byteLength(text)).toBeLessThan(34_000)
        expect(text.isWellFormed()).toBe(true)
      }
    })
  )
})

describe("ctx_capture_session", () => {
  scenario("the newest session within a day, or the one that is named", (member) =>
    Effect.gen(function* () {
      const { exists, say } = files(member)
      const failure = (id?: string) => Effect.map(Effect.flip(member.as(captureSession(id))), ({ message }) => message)
      expect(yield* failure()).toBe(
        "no recent capture buffer (run 'ctx hooks install' once per project, then have a Claude Code session here)"
      )
      expect(yield* failure("../x")).toBe('invalid session_id "../x"')
      expect(yield* failure("nosuch")).toBe('no buffer for session "nosuch"')
      yield* say("void", [])
      expect(yield* failure()).toBe("buffer is empty")
      yield* say("old", [1, 2], 30)
      yield* say("new", [1], 20)
      const text = yield* Effect.map(member.as(captureSession()), (one) => one.render())
      expect(text).toMatch(/slug: {14}"\d{4}-\d\d-\d\d-session-new" {3}\(rename to reflect the topic\)/)
      expect(text).toContain('"user":"new 1"')
      expect(yield* Effect.map(member.as(captureSession("old")), (one) => one.buffer.length)).toBe(2)
      const long = `s${"x".repeat(118)}`
      yield* say(long, [1])
      expect((yield* member.as(captureSession(long))).suggestedSlug).toHaveLength(80)
      expect(yield* exists(`${pending}/new.jsonl`)).toBe(true)
    })
  )
})
