import { describe, it } from "@effect/vitest"
import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { Effect } from "effect"
import { expect } from "vitest"
import { push, type PushOptions } from "../../../src/effects/sync/Push.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { pushJson, pushText } from "../../../src/main/render/push.ts"
import { SyncClient } from "../../../src/services/sync/SyncClient.ts"
import { trueSecrets } from "../../support/secrets.ts"
import { freshTeam, type Member } from "../../support/team.ts"

const write = (member: Member, slug: string, body: string) => member.as(writePage({ slug, type: "concept", body }))
const pushed = (member: Member, options: PushOptions = {}) => member.as(push({}, options))
/** What the server says of its pages. */
const onServer = (member: Member) =>
  member.as(Effect.flatMap(SyncClient, (client) => Effect.either(client.pages)).pipe(Effect.map(String)))
const nothing = expect.stringContaining("its first push makes it")

const ada = Effect.flatMap(freshTeam, (team) => team.member("ada"))
const scenario = <A, E>(name: string, run: (member: Member) => Effect.Effect<A, E>) =>
  it.scoped(name, () => Effect.flatMap(ada, run).pipe(Effect.provide(NodeContext.layer)))

describe("A42: a secret does not travel", () => {
  scenario("whatever its kind: nothing is sent, and the answer names page, line and rule alone", (member) =>
    Effect.gen(function* () {
      yield* Effect.forEach(trueSecrets, ({ text }, n) => write(member, `page-${n}`, `## Log\n\n${text}\n`))
      yield* write(member, "harmless", "## Decision\n\nThere is no API key in the build.\n")
      const finished = yield* pushed(member)
      expect(finished.outcome._tag).toBe("Refused")
      const document = JSON.stringify(pushJson(finished))
      const { outcome, secrets } = JSON.parse(document)
      expect(outcome).toBe("refused")
      const found = new Map<string, ReadonlyArray<string>>()
      for (const { path, rule } of secrets) found.set(path, [...(found.get(path) ?? []), rule])
      trueSecrets.forEach(({ rule, secret }, n) => {
        expect(found.get(`wiki/concepts/page-${n}.md`)).toContain(rule)
        expect(document + pushText(finished)).not.toContain(secret)
      })
      expect(found.has("wiki/concepts/harmless.md")).toBe(false)
      expect(Object.keys(secrets[0])).toEqual(["path", "line", "rule"])
      expect(yield* onServer(member)).toEqual(nothing)
    })
  )

  scenario("names the line of the file, and lets pass what a person allowed, by rule", (member) =>
    Effect.gen(function* () {
      const { path } = yield* write(member, "db", "## Setup\n\nDATABASE_URL=postgres://u:p@h/db\n")
      const text = yield* member.as(
        Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(`${member.root}/.contexo/${path}`))
      )
      const line = text.split("\n").findIndex((one) => one.includes("postgres")) + 1
      expect(pushText(yield* pushed(member, { allowSecrets: ["github"] }))).toContain(
        `secret: wiki/concepts/db.md:${line} (url-password)`
      )
      expect((yield* pushed(member, { allowSecrets: ["url-password"] })).outcome._tag).toBe("Pushed")
    })
  )

  scenario("nor in a commit's message, nor broken up by characters that nobody sees", (member) =>
    Effect.gen(function* () {
      const { path } = yield* write(member, "plain", "## Decision\n\nOne.\n")
      const token = `ctxp_${"aB3dE6fG9hJ2kL5m"}`
      const message = pushJson(yield* pushed(member, { message: `log in with ${token}` }))
      expect(message).toMatchObject({ outcome: "refused", secrets: [{ path: "message", line: 1, rule: "ctx-token" }] })
      const hidden = `${token.slice(0, 9)}\u200b${token.slice(9)}`
      yield* member.as(
        Effect.flatMap(FileSystem.FileSystem, (fs) =>
          fs.writeFileString(
            `${member.root}/.contexo/${path}`,
            `---\nschema: 1\nslug: plain\ntype: concept\nauthor: a\n---\n${hidden}\n`
          )
        )
      )
      expect((yield* pushed(member)).outcome._tag).toBe("Refused")
      expect(yield* onServer(member)).toEqual(nothing)
    })
  )
})
