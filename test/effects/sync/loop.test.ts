import { describe, it } from "@effect/vitest"
import { FileSystem, type Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { Effect, Option, Redacted, type Scope } from "effect"
import { expect } from "vitest"
import { pagePath } from "../../../src/model/page/PagePath.ts"
import { Slug } from "../../../src/model/page/Slug.ts"
import { pull } from "../../../src/effects/sync/pull.ts"
import { push, type PushOptions } from "../../../src/effects/sync/Push.ts"
import { readPageFramed } from "../../../src/effects/page/readPage.ts"
import { localStatus } from "../../../src/effects/sync/status.ts"
import { type WritePage, writePage } from "../../../src/effects/page/writePage.ts"
import { pullText } from "../../../src/main/render/pull.ts"
import { pushText } from "../../../src/main/render/push.ts"
import { Credentials } from "../../../src/services/sync/Credentials.ts"
import { ProjectConfig } from "../../../src/services/project/ProjectConfig.ts"
import { SyncState } from "../../../src/services/sync/SyncState.ts"
import { freshTeam, type Member, type Team } from "../../support/team.ts"

const concept = (slug: string) => pagePath("concept", Slug.make(slug))
const path = concept("merging")

const body = (decision: string, questions = "None.") =>
  `## Decision\n\n${decision}\n\n## Open Questions\n\n${questions}\n`

const write = (member: Member, text: string, more: Partial<WritePage> = {}) =>
  member.as(writePage({ slug: "merging", type: "concept", body: text, ...more }))
const pushed = (member: Member, options: PushOptions = {}) => Effect.map(member.as(push({}, options)), pushText)
const pulled = (member: Member, full = false) => Effect.map(member.as(pull({ full })), pullText)
const disk = (member: Member, file: string = path) =>
  member.as(Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(`${member.root}/.contexo/${file}`)))
const edit = (member: Member, change: (text: string) => string, file: string = path) =>
  member.as(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const name = `${member.root}/.contexo/${file}`
      yield* fs.writeFileString(name, change(yield* fs.readFileString(name)))
    })
  )

type Surroundings = Scope.Scope | FileSystem.FileSystem | Path.Path

/** Two clones that hold the same page. */
const inStep = Effect.fnUntraced(function* (team: Team) {
  const ada = yield* team.member("ada")
  const ben = yield* team.member("ben")
  yield* write(ada, body("One."))
  yield* pushed(ada)
  yield* pulled(ben)
  return { ada, ben }
})

const scenario = <A, E>(name: string, run: (team: Team) => Effect.Effect<A, E, Surroundings>) =>
  it.scoped(name, () => Effect.flatMap(freshTeam, run).pipe(Effect.provide(NodeContext.layer)))

describe("two clones share pages through a server", () => {
  scenario("what one writes and pushes, the other pulls byte for byte", (team) =>
    Effect.gen(function* () {
      const { ada, ben } = yield* inStep(team)
      expect(yield* disk(ben)).toBe(yield* disk(ada))
      expect(yield* pushed(ada)).toBe("Nothing to push (everything is already on the server)")
      expect(yield* pulled(ben)).toBe("Already up to date")
      expect(yield* Effect.map(ada.as(push({ tag: "nosuch" }, {})), pushText)).toBe(
        "Nothing to push (no pages match filters)"
      )
    })
  )

  scenario("push, edit, pull keeps the edit: a push does not make the pull forget what is local", (team) =>
    Effect.gen(function* () {
      const ada = yield* team.member("ada")
      yield* write(ada, body("One."))
      yield* pushed(ada)
      yield* write(ada, body("Two."))
      expect(yield* pulled(ada)).toBe("Already up to date")
      expect(yield* disk(ada)).toContain("Two.")
      expect(yield* pushed(ada)).toMatch(/^Pushed 1 page\(s\); HEAD=[0-9a-f]{8}$/)
    })
  )

  scenario("edits of different sections merge on pull, and the pull says so", (team) =>
    Effect.gen(function* () {
      const { ada, ben } = yield* inStep(team)
      yield* write(ada, body("Two."))
      yield* pushed(ada)
      yield* write(ben, body("One.", "Why?"))
      const answer = yield* pulled(ben)
      expect(answer).toMatch(/^Pulled 1 page\(s\); HEAD=[0-9a-f]{8}\nmerged: wiki\/concepts\/merging\.md$/)
      const text = yield* disk(ben)
      expect(text).toContain("Two.")
      expect(text).toContain("Why?")
    })
  )

  scenario("edits of one section keep the local file, name it, and leave the record, until the edit is gone", (team) =>
    Effect.gen(function* () {
      const { ada, ben } = yield* inStep(team)
      const before = yield* disk(ben)
      yield* write(ada, body("Two."))
      yield* pushed(ada)
      yield* write(ben, body("Three."))
      expect(yield* pulled(ben)).toMatch(/^Pulled 0 page\(s\); HEAD=[0-9a-f]{8}\nkept: wiki\/concepts\/merging\.md \(/)
      expect(yield* disk(ben)).toContain("Three.")
      // Kept once, the page is looked at again: taking the edit back lets the server's version in.
      yield* edit(ben, () => before)
      expect(yield* pulled(ben)).toMatch(/^Pulled 1 page/)
      expect(yield* disk(ben)).toContain("Two.")
    })
  )

  scenario("a page that one only re-stamps merges silently on push", (team) =>
    Effect.gen(function* () {
      const { ada, ben } = yield* inStep(team)
      yield* write(ada, body("Two."))
      yield* pushed(ada)
      yield* write(ben, body("One."), { author: "ben", agent: "codex" })
      expect(yield* pushed(ben)).toMatch(/^Pushed 1 page\(s\); HEAD=[0-9a-f]{8}\nmerged: wiki\/concepts\/merging\.md$/)
      expect(yield* disk(ben)).toContain("Two.")
      expect(yield* pulled(ada)).toMatch(/^Pulled 1 page/)
    })
  )

  scenario("an unchanged page never conflicts and never drifts", (team) =>
    Effect.gen(function* () {
      const { ada, ben } = yield* inStep(team)
      yield* ada.as(writePage({ slug: "other", type: "concept", body: body("Other.") }))
      yield* pushed(ada)
      yield* ben.as(writePage({ slug: "third", type: "entity", body: body("Third.") }))
      expect(yield* pushed(ben)).toMatch(/^Pushed 1 page/)
      const { text } = yield* ben.as(readPageFramed(path))
      expect(text).not.toContain("DRIFT_NOTICE")
    })
  )
})

describe("a push that meets somebody else's edit", () => {
  const conflict = Effect.fnUntraced(function* (team: Team) {
    const { ada, ben } = yield* inStep(team)
    yield* write(ada, body("Two."))
    yield* pushed(ada)
    yield* write(ben, body("Three."))
    return { ada, ben }
  })

  scenario("is answered by MERGE_REQUIRED, with all three versions and the conflicting section", (team) =>
    Effect.gen(function* () {
      const { ben } = yield* conflict(team)
      const answer = yield* pushed(ben)
      expect(
        answer.startsWith("<MERGE_REQUIRED>\nPush rejected: 1 file(s) have moved on the server since your edit.")
      ).toBe(true)
      expect(answer).toContain(
        "  CONFLICTING regions (both sides changed):\n    ## Decision — synthesize both edits into one coherent version"
      )
      for (const version of ["One.", "Two.", "Three."]) expect(answer).toContain(version)
      expect(answer.endsWith("</MERGE_REQUIRED>")).toBe(true)
    })
  )

  scenario("an unmerged re-push does not win, and a merged one does not loop", (team) =>
    Effect.gen(function* () {
      const { ada, ben } = yield* conflict(team)
      const first = yield* pushed(ben)
      expect(yield* pushed(ben)).toBe(first)
      expect((yield* ben.as(localStatus())).awaitingMerge).toEqual([path])
      yield* write(ben, body("Two and three."))
      expect((yield* ben.as(localStatus())).awaitingMerge).toEqual([])
      expect(yield* pushed(ben)).toMatch(/^Pushed 1 page/)
      expect(yield* pulled(ada)).toMatch(/^Pulled 1 page/)
      expect(yield* disk(ada)).toBe(yield* disk(ben))
    })
  )

  scenario("an edit by any tool ends the mark, because its bytes changed", (team) =>
    Effect.gen(function* () {
      const { ben } = yield* conflict(team)
      yield* pushed(ben)
      yield* edit(ben, (text) => text.replace("Three.", "Two and three."))
      expect(yield* pushed(ben)).toMatch(/^Pushed 1 page/)
    })
  )

  scenario("accept_mine pushes the page as it is here", (team) =>
    Effect.gen(function* () {
      const { ada, ben } = yield* conflict(team)
      yield* pushed(ben)
      expect(yield* pushed(ben, { acceptMine: true })).toMatch(/^Pushed 1 page/)
      yield* pulled(ada)
      expect(yield* disk(ada)).toContain("Three.")
    })
  )

  scenario("a pull while the merge is open neither loses the edit nor the server's", (team) =>
    Effect.gen(function* () {
      const { ada, ben } = yield* conflict(team)
      yield* pushed(ben)
      expect(yield* pulled(ben)).toMatch(/kept: wiki\/concepts\/merging\.md|Already up to date/)
      expect(yield* disk(ben)).toContain("Three.")
      yield* write(ada, body("Two again."))
      yield* pushed(ada)
      yield* pulled(ben)
      expect(yield* disk(ben)).toContain("Three.")
      // Still nothing overwrites Ada's edit without a merge.
      expect(yield* pushed(ben)).toContain("<MERGE_REQUIRED>")
    })
  )

  const disjoint = Effect.fnUntraced(function* (team: Team) {
    const { ada, ben } = yield* inStep(team)
    yield* write(ada, body("Two."))
    yield* pushed(ada)
    yield* write(ben, body("One.", "Why?"))
    return ben
  })

  scenario("says so where no section was changed on both sides", (team) =>
    Effect.gen(function* () {
      const ben = yield* disjoint(team)
      expect(yield* pushed(ben)).toContain("(No section was modified by both sides — auto-mergeable in principle.)")
    })
  )

  scenario("merges and pushes in one step with auto_merge, where no section was changed on both sides", (team) =>
    Effect.gen(function* () {
      const ben = yield* disjoint(team)
      expect(yield* pushed(ben, { autoMerge: true })).toMatch(/^Pushed 1 page\(s\).*\nmerged: /s)
      const text = yield* disk(ben)
      expect(text).toContain("Two.")
      expect(text).toContain("Why?")
    })
  )

  scenario("A41: a batch with one stale page lands nothing", (team) =>
    Effect.gen(function* () {
      const { ada, ben } = yield* conflict(team)
      yield* ben.as(writePage({ slug: "fine", type: "concept", body: body("Fine.") }))
      expect(yield* pushed(ben)).toContain("Push rejected: 1 file(s)")
      expect(yield* pulled(ada)).toBe("Already up to date")
      expect((yield* ben.as(localStatus())).neverPushed).toEqual([concept("fine")])
    })
  )

  scenario("both created the page: there is no ancestor, and it says so", (team) =>
    Effect.gen(function* () {
      const ada = yield* team.member("ada")
      const ben = yield* team.member("ben")
      yield* write(ada, body("Ada's."))
      yield* write(ben, body("Ben's."))
      yield* pushed(ada)
      const answer = yield* pushed(ben)
      expect(answer).toContain("(none — both sides created this page)")
      yield* write(ben, body("Ada's and Ben's."))
      expect(yield* pushed(ben)).toMatch(/^Pushed 1 page/)
    })
  )

  scenario("A16: a page that differs by case from one on the server names it", (team) =>
    Effect.gen(function* () {
      const ada = yield* team.member("ada")
      const ben = yield* team.member("ben")
      yield* ada.as(writePage({ slug: "Auth-Flow", type: "concept", body: body("A.") }))
      yield* pushed(ada)
      yield* ben.as(writePage({ slug: "auth-flow", type: "concept", body: body("B.") }))
      const failure = yield* Effect.flip(ben.as(push({}, {})))
      expect(failure._tag).toBe("CaseTwin")
      expect(failure.message).toContain("wiki/concepts/Auth-Flow.md")
    })
  )
})

describe("reading", () => {
  scenario("a page that moved on the server carries the notice until a pull, and the banner always", (team) =>
    Effect.gen(function* () {
      const { ada, ben } = yield* inStep(team)
      yield* write(ada, body("Two."))
      yield* pushed(ada)
      const { text } = yield* ben.as(readPageFramed(path))
      expect(text.startsWith("<DRIFT_NOTICE>\nThis page changed on the server since your last pull.")).toBe(true)
      expect(text).toContain("What changed:\n  ~ ## Decision\n")
      // The answer is kept for a minute, keyed by what was compared: the pull clears it at once.
      yield* pulled(ben)
      const after = yield* ben.as(readPageFramed(path))
      expect(after.text.startsWith("> **Shared knowledge page**")).toBe(true)
    })
  )

  scenario("A32: a write on top of what somebody else wrote since the read merges, or is refused", (team) =>
    Effect.gen(function* () {
      const { ben } = yield* inStep(team)
      yield* ben.as(readPageFramed(path))
      yield* edit(ben, (text) => text.replace("None.", "Somebody asks."))
      const merged = yield* write(ben, body("Two."))
      expect(merged.merged).toBe(true)
      expect(yield* disk(ben)).toContain("Somebody asks.")
      yield* ben.as(readPageFramed(path))
      yield* edit(ben, (text) => text.replace("Two.", "Theirs."))
      const failure = yield* Effect.flip(write(ben, body("Mine.")))
      expect(failure._tag).toBe("ChangedSinceRead")
      expect(yield* disk(ben)).toContain("Theirs.")
    })
  )

  scenario("rule 10: a long page is read in parts, and not written before it was read whole", (team) =>
    Effect.gen(function* () {
      const ben = yield* team.member("ben")
      const long = `## A\n\n${"Long line of text.\n".repeat(8_000)}`
      yield* ben.as(writePage({ slug: "merging", type: "concept", body: long }))
      const fresh = yield* team.member("ben")
      const first = yield* fresh.as(readPageFramed(path))
      expect(Buffer.byteLength(first.text)).toBeLessThan(80_000)
      const refused = yield* Effect.flip(write(fresh, body("Short.")))
      expect(refused._tag).toBe("ReadInPart")
      let next = first.nextOffset
      while (Option.isSome(next)) next = (yield* fresh.as(readPageFramed(path, next.value))).nextOffset
      yield* write(fresh, body("Short."))
      expect(yield* disk(fresh)).toContain("Short.")
    })
  )

  scenario("a page about our own tags survives a read and a write byte for byte", (team) =>
    Effect.gen(function* () {
      const ben = yield* team.member("ben")
      const text = "## Tags\n\n<MERGE_REQUIRED> and </push_paused> and <\\DRIFT_NOTICE> stay.\n"
      yield* edit(yield* seeded(ben, text), (one) => one)
      const before = (yield* disk(ben)).split("---\n").at(-1)
      const shown = (yield* ben.as(readPageFramed(path))).text
      expect(shown).not.toContain("<MERGE_REQUIRED>")
      yield* write(ben, shown.slice(shown.indexOf("## Tags")))
      expect((yield* disk(ben)).split("---\n").at(-1)).toBe(before)
    })
  )

  /** Puts a page on disk with exactly this body. */
  const seeded = (member: Member, text: string) =>
    Effect.as(
      Effect.zipRight(
        write(member, "## Tags\n"),
        edit(member, (page) => page.replace("## Tags\n", text))
      ),
      member
    )
})

describe("A40: a server restored from an older backup", () => {
  scenario("keeps what is here, explains, and a push brings it back", (team) =>
    Effect.gen(function* () {
      const { ada } = yield* inStep(team)
      yield* write(ada, body("Two."))
      yield* pushed(ada)
      const kept = yield* disk(ada)
      // Another server with the older page stands for the restored one.
      const restored = yield* freshTeam
      const old = yield* restored.member("old")
      yield* write(old, body("One."))
      yield* pushed(old)
      const state = yield* ada.as(Effect.flatMap(SyncState, (one) => one.snapshot))
      expect(Option.isSome(state.lastHead)).toBe(true)
      const moved = yield* wire(ada, restored)
      const answer = yield* pulled(moved)
      expect(answer).toContain("kept: wiki/concepts/merging.md (the server no longer knows the version")
      expect(yield* disk(moved)).toBe(kept)
      expect(yield* pushed(moved)).toMatch(/^Pushed 1 page/)
      yield* pulled(old)
      expect(yield* disk(old)).toContain("Two.")
    })
  )

  /** Points a clone at another server, as a restore under the same address would. */
  const wire = (member: Member, team: Team) =>
    Effect.gen(function* () {
      yield* member.as(
        Effect.gen(function* () {
          yield* (yield* ProjectConfig).update({ server_url: team.url })
          yield* (yield* Credentials).write({ bearer: Redacted.make(team.token), serverUrl: team.url })
        })
      )
      return member
    })
})
