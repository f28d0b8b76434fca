import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { pull } from "../../../src/effects/sync/pull.ts"
import { push } from "../../../src/effects/sync/Push.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { pullText } from "../../../src/main/render/pull.ts"
import { pushText } from "../../../src/main/render/push.ts"
import { freshTeam, type Member } from "../../support/team.ts"

const file = (member: Member, path: string) => `${member.root}/.contexo/${path}`
const page = "wiki/concepts/retry.md"

const write = (member: Member, decision: string) =>
  member.as(writePage({ slug: "retry", type: "concept", body: `## Decision\n\n${decision}\n` }))
const pushed = (member: Member) => Effect.map(member.as(push({}, {})), pushText)
const pulled = (member: Member) => Effect.map(member.as(pull({})), pullText)
const edit = (member: Member, from: string, to: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.flatMap(fs.readFileString(file(member, page)), (text) =>
      fs.writeFileString(file(member, page), text.replace(from, to))
    )
  )

/** Ben's push met Ada's edit, and was killed after it had marked the page and before it recorded that, let alone said so. */
const killedBeforeTheDirective = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const team = yield* freshTeam
  const ada = yield* team.member("ada")
  const ben = yield* team.member("ben")
  yield* write(ada, "One.")
  yield* pushed(ada)
  yield* pulled(ben)
  yield* write(ada, "Two.")
  yield* pushed(ada)
  yield* write(ben, "Three.")
  const record = yield* fs.readFile(file(ben, ".sync/state.json"))
  yield* pushed(ben)
  yield* fs.writeFile(file(ben, ".sync/state.json"), record)
  return { ada, ben: yield* team.member("ben") }
})

describe("a merge that was asked for by a process that died before it could ask", () => {
  const scenario = <E>(name: string, change: (ben: Member) => Effect.Effect<unknown, E, FileSystem.FileSystem>) =>
    it.scoped(name, () =>
      Effect.gen(function* () {
        const { ada, ben } = yield* killedBeforeTheDirective
        yield* change(ben)
        // Nobody saw Ada's edit here: no edit of this page can have been its merge.
        expect(yield* pushed(ben)).toContain("<MERGE_REQUIRED>")
        expect(yield* pulled(ada)).toBe("Already up to date")
        yield* edit(ben, "Three", "Two and three")
        expect(yield* pushed(ben)).toMatch(/^Pushed 1 page\(s\); HEAD=/)
      }).pipe(Effect.provide(NodeContext.layer))
    )

  scenario("is asked for when the page was not touched since", () => Effect.void)
  scenario("is asked for when an agent wrote the page since", (ben) => write(ben, "Three and a half."))
  scenario("is asked for when an editor changed the page since", (ben) => edit(ben, "Three", "Three and a half"))
})
