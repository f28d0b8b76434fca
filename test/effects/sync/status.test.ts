import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { deletePage } from "../../../src/effects/page/deletePage.ts"
import { pull } from "../../../src/effects/sync/pull.ts"
import { push } from "../../../src/effects/sync/Push.ts"
import { localStatus, serverStatus } from "../../../src/effects/sync/status.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { pagePath } from "../../../src/model/page/PagePath.ts"
import { Slug } from "../../../src/model/page/Slug.ts"
import { Credentials } from "../../../src/services/sync/Credentials.ts"
import { ProjectConfig } from "../../../src/services/project/ProjectConfig.ts"
import { freshPlace } from "../../support/place.ts"
import { publicServer } from "../../support/publicServer.ts"
import { freshTeam, type Member, open } from "../../support/team.ts"

const publish = (member: Member, slug: string, body: string) =>
  member.as(Effect.zipRight(writePage({ slug, type: "concept", body }), push({}, {})))

/** How many commits `ctx status` says that somebody is behind. */
const behind = (member: Member) =>
  Effect.map(member.as(serverStatus()), (status) =>
    status._tag === "Known" ? Option.getOrUndefined(status.behind) : status.reason
  )

describe("how far behind the server a clone is", () => {
  it.scopedLive("counts what others pushed, also between one's own pushes, and never those", () =>
    Effect.gen(function* () {
      const team = yield* freshTeam
      const [ada, ben] = [yield* team.member("ada"), yield* team.member("ben")]
      yield* publish(ada, "x", "## A\n\none\n")
      yield* publish(ada, "x", "## A\n\ntwo\n")
      expect([yield* behind(ada), yield* behind(ben)]).toEqual([0, 2])
      // The last pull is what it says: a push is none.
      expect(Option.isNone((yield* ada.as(localStatus())).lastPull)).toBe(true)

      yield* ben.as(pull({}))
      yield* publish(ben, "y", "## A\n\nBen's\n")
      yield* publish(ada, "x", "## A\n\nthree\n")
      expect([yield* behind(ada), yield* behind(ben)]).toEqual([1, 1])
      yield* ada.as(pull({}))
      expect(yield* behind(ada)).toBe(0)

      yield* ada.as(deletePage(pagePath("concept", Slug.make("x"))))
      expect([yield* behind(ada), yield* behind(ben)]).toEqual([0, 2])
      yield* ben.as(pull({}))
      expect(yield* behind(ben)).toBe(0)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is known on a public server too, but for pushes of a page that was pushed again", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* place.makeFolder("project/.contexo")
      const server = yield* publicServer
      const member = yield* open(place.at("project"))
      yield* member.as(
        Effect.gen(function* () {
          yield* (yield* ProjectConfig).update({ server_url: server.url, repo_id: "acme" })
          yield* (yield* Credentials).write({ bearer: Redacted.make("ctxp_x"), serverUrl: server.url })
        })
      )
      yield* publish(member, "x", "one")
      expect(yield* behind(member)).toBe(0)
      server.commit("wiki/concepts/y.md", "theirs")
      expect(yield* behind(member)).toBe(1)
      yield* publish(member, "x", "two")
      expect(yield* behind(member)).toBe(2)
      yield* member.as(pull({}))
      expect(yield* behind(member)).toBe(0)
      server.forget(1)
      expect(yield* behind(member)).toBeUndefined()
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
