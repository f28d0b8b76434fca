import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { pull } from "../../../src/effects/sync/pull.ts"
import { push } from "../../../src/effects/sync/Push.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { pullText } from "../../../src/main/render/pull.ts"
import { pushText } from "../../../src/main/render/push.ts"
import { ServerRefused, SyncClient } from "../../../src/services/sync/SyncClient.ts"
import { freshTeam, type Member } from "../../support/team.ts"

const write = (member: Member, decision: string) =>
  member.as(writePage({ slug: "retry", type: "concept", body: `## Decision\n\n${decision}\n` }))
const pushed = (member: Member) => Effect.map(member.as(push({}, {})), pushText)

/** A pull on which the server fails so many times, where it is asked for what is new. */
const pullThrough = (member: Member, failures: number) => {
  let left = failures
  const failing = Effect.updateService(pull({}), SyncClient, (client) => ({
    ...client,
    pull: (since) =>
      since.since !== undefined && left-- > 0
        ? new ServerRefused({ url: "http://server.test", status: 500, reason: "internal error" })
        : client.pull(since)
  }))
  return Effect.map(member.as(failing), pullText)
}

describe("a server that answers 500 on a bad day", () => {
  for (const failures of [1, 2]) {
    it.scoped(`${failures} time(s), has not lost its history: no edit of a teammate is overwritten`, () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const team = yield* freshTeam
        const ada = yield* team.member("ada")
        const ben = yield* team.member("ben")
        yield* write(ada, "One.")
        yield* pushed(ada)
        yield* pullThrough(ben, 0)
        yield* write(ada, "Two.")
        yield* pushed(ada)
        yield* write(ben, "Three.")
        expect(yield* pullThrough(ben, failures)).toContain(
          "kept: wiki/concepts/retry.md (changed here and on the server (## Decision)"
        )
        expect(yield* fs.readFileString(`${ben.root}/.contexo/wiki/concepts/retry.md`)).toContain("Three.")
        expect(yield* pushed(ben)).toContain("<MERGE_REQUIRED>")
      }).pipe(Effect.provide(NodeContext.layer))
    )
  }
})
