import { FileSystem } from "@effect/platform"
import { SystemError } from "@effect/platform/Error"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { pull } from "../../../src/effects/sync/pull.ts"
import { push } from "../../../src/effects/sync/Push.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { projectLayers } from "../../../src/main/ProjectLayers.ts"
import { pullText } from "../../../src/main/render/pull.ts"
import { pushText } from "../../../src/main/render/push.ts"
import { Project } from "../../../src/services/project/Project.ts"
import { freshTeam, type Member } from "../../support/team.ts"

const write = (member: Member, decision: string) =>
  member.as(writePage({ slug: "retry", type: "concept", body: `## Decision\n\n${decision}\n` }))
const pushed = (member: Member) => Effect.map(member.as(push({}, {})), pushText)
const pulled = (member: Member) => Effect.map(member.as(pull({})), pullText)
const page = (member: Member) => `${member.root}/.contexo/wiki/concepts/retry.md`
const record = (member: Member) => `${member.root}/.contexo/.sync/state.json`

/** A disk that takes everything but a new `state.json`, which is written last. */
const unrecorded = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, (fs) =>
    FileSystem.FileSystem.of({
      ...fs,
      rename: (from, to) =>
        to.endsWith("state.json")
          ? new SystemError({ module: "FileSystem", method: "rename", reason: "Unknown", pathOrDescriptor: to })
          : fs.rename(from, to)
    })
  )
)

/** What a clone is left with when its process is killed between the bases and the record of a sync. */
const cutShort = (member: Member, operation: "push" | "pull") =>
  Effect.gen(function* () {
    if (operation === "push") yield* push({}, {})
    else yield* pull({})
  }).pipe(
    Effect.exit,
    Effect.map((exit) => expect(exit._tag).toBe("Failure")),
    Effect.provide(
      projectLayers.pipe(
        Layer.provideMerge(Layer.succeed(Project, { root: member.root, contexo: `${member.root}/.contexo` })),
        Layer.provideMerge(unrecorded),
        Layer.provideMerge(NodeContext.layer)
      )
    )
  )

/** Ada and Ben hold the same page; one of them goes on, and Ada's push or pull of that is cut short. */
const interrupted = Effect.fnUntraced(function* (operation: "push" | "pull") {
  const team = yield* freshTeam
  const ada = yield* team.member("ada")
  const ben = yield* team.member("ben")
  yield* write(ada, "One.")
  yield* pushed(ada)
  yield* pulled(ben)
  if (operation === "push") {
    yield* write(ada, "Two.")
  } else {
    yield* write(ben, "Two.")
    yield* pushed(ben)
  }
  yield* cutShort(ada, operation)
  // It is another process that goes on.
  return { ada: yield* team.member("ada"), ben }
})

describe("a crash between the bases and the record of a sync", () => {
  const scenario = <E>(name: string, operation: "push" | "pull", next: (ada: Member) => Effect.Effect<void, E>) =>
    it.scoped(name, () =>
      Effect.gen(function* () {
        const { ada, ben } = yield* interrupted(operation)
        yield* write(ada, "Three, on top of two.")
        yield* next(ada)
        yield* pulled(ben)
        const fs = yield* FileSystem.FileSystem
        expect(yield* fs.readFileString(page(ben))).toContain("Three, on top")
      }).pipe(Effect.provide(NodeContext.layer))
    )

  const straight = (ada: Member) =>
    Effect.gen(function* () {
      expect(yield* pushed(ada)).toMatch(/^Pushed 1 page\(s\); HEAD=/)
      expect(yield* pushed(ada)).toBe("Nothing to push (everything is already on the server)")
    })
  const withPull = (ada: Member) =>
    Effect.gen(function* () {
      expect(yield* pulled(ada)).toBe("Already up to date")
      yield* straight(ada)
    })

  scenario("of a push: the next push of a further edit does not conflict with it", "push", straight)
  scenario("of a push: a pull sees that only this side went on", "push", withPull)
  it.scoped("of a push: the next one finds nothing to send, and records what the first had landed", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { ada } = yield* interrupted("push")
      const before = yield* fs.readFileString(record(ada))
      expect(yield* pushed(ada)).toBe("Nothing to push (everything is already on the server)")
      expect(yield* fs.readFileString(record(ada))).not.toBe(before)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  scenario("of a pull: a push of an edit of what it brought does not conflict with it", "pull", straight)
  scenario("of a pull: the next pull sees that only this side went on", "pull", withPull)
})

describe("a record that git, or another client, put back", () => {
  it.scoped("is no crash: an edit of the older page does not pass for one of the newer", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const team = yield* freshTeam
      const ada = yield* team.member("ada")
      yield* write(ada, "One.")
      yield* pushed(ada)
      const [oldPage, oldRecord] = [yield* fs.readFile(page(ada)), yield* fs.readFile(record(ada))]
      yield* write(ada, "Two.")
      yield* pushed(ada)

      yield* fs.writeFile(page(ada), oldPage)
      yield* fs.writeFile(record(ada), oldRecord)
      const later = yield* team.member("ada")
      yield* write(later, "Three, on top of one.")
      expect(yield* pulled(later)).toMatch(/\nkept: wiki\/concepts\/retry\.md \(differs from the server's/)
      const answer = yield* pushed(later)
      expect(answer).toContain("<MERGE_REQUIRED>")
      for (const version of ["One.", "Two.", "Three, on top of one."]) expect(answer).toContain(version)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("counts, although a crash had left another one on its way", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { ada } = yield* interrupted("push")
      // The record of a clone that never saw the page.
      yield* fs.writeFileString(record(ada), "{}")
      yield* write(ada, "Three.")
      expect(yield* pushed(ada)).toContain("<MERGE_REQUIRED>")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
