import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { pull } from "../../src/effects/pull.ts"
import { push } from "../../src/effects/Push.ts"
import { writePage } from "../../src/effects/writePage.ts"
import { pullText } from "../../src/main/render/pull.ts"
import { pushText } from "../../src/main/render/push.ts"
import { freshTeam, type Member } from "../support/team.ts"

const write = (member: Member, decision: string) =>
  member.as(writePage({ slug: "retry", type: "concept", body: `## Decision\n\n${decision}\n` }))
const pushed = (member: Member) => Effect.map(member.as(push({}, {})), pushText)
const pulled = (member: Member) => Effect.map(member.as(pull({})), pullText)

/**
 * Runs an operation, and leaves `state.json` as it was before: what a kill leaves between the bases, which are written
 * first, and the record, which is written last.
 */
const unrecorded = <A, E>(member: Member, operation: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = `${member.root}/.contexo/.sync/state.json`
    const before = yield* fs.readFile(file)
    const answer = yield* operation
    yield* fs.writeFile(file, before)
    return answer
  })

describe("a crash between the bases and the record of a sync", () => {
  const scenario = <E>(name: string, operation: "push" | "pull", next: (ada: Member) => Effect.Effect<void, E>) =>
    it.scoped(name, () =>
      Effect.gen(function* () {
        const team = yield* freshTeam
        const ada = yield* team.member("ada")
        const ben = yield* team.member("ben")
        yield* write(ada, "One.")
        yield* pushed(ada)
        yield* pulled(ben)
        yield* write(operation === "push" ? ada : ben, "Two.")
        if (operation === "push") {
          yield* unrecorded(ada, pushed(ada))
        } else {
          yield* pushed(ben)
          yield* unrecorded(ada, pulled(ada))
        }
        // After a crash it is another process that goes on.
        const restarted = yield* team.member("ada")
        yield* write(restarted, "Three, on top of two.")
        yield* next(restarted)
        yield* pulled(ben)
        const fs = yield* FileSystem.FileSystem
        expect(yield* fs.readFileString(`${ben.root}/.contexo/wiki/concepts/retry.md`)).toContain("Three, on top")
      }).pipe(Effect.provide(NodeContext.layer))
    )

  const straight = (ada: Member) =>
    Effect.gen(function* () {
      expect(yield* pushed(ada)).toMatch(/^Pushed 1 page\(s\); HEAD=/)
    })
  const withPull = (ada: Member) =>
    Effect.gen(function* () {
      expect(yield* pulled(ada)).toBe("Already up to date")
      yield* straight(ada)
    })

  scenario("of a push: the next push of a further edit does not conflict with it", "push", straight)
  scenario("of a push: a pull sees that only this side went on", "push", withPull)
  scenario("of a pull: a push of an edit of what it brought does not conflict with it", "pull", straight)
  scenario("of a pull: the next pull sees that only this side went on", "pull", withPull)
})
