import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { deletePage } from "../../../src/effects/page/deletePage.ts"
import { findServerPage } from "../../../src/effects/page/findPage.ts"
import { pull } from "../../../src/effects/sync/pull.ts"
import { push } from "../../../src/effects/sync/Push.ts"
import { purge } from "../../../src/effects/history/purge.ts"
import { renamePage } from "../../../src/effects/page/renamePage.ts"
import { revert } from "../../../src/effects/history/revert.ts"
import { localStatus } from "../../../src/effects/sync/status.ts"
import { timeline } from "../../../src/effects/history/timeline.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { pagePath } from "../../../src/model/page/PagePath.ts"
import { Sha } from "../../../src/model/page/Sha.ts"
import { Slug } from "../../../src/model/page/Slug.ts"
import { Credentials } from "../../../src/services/sync/Credentials.ts"
import { ProjectConfig } from "../../../src/services/project/ProjectConfig.ts"
import { SyncState } from "../../../src/services/sync/SyncState.ts"
import { lossyProxy } from "../../support/lossyProxy.ts"
import { freshPlace } from "../../support/place.ts"
import { publicServer } from "../../support/publicServer.ts"
import { freshTeam, type Member, open } from "../../support/team.ts"

const concept = (slug: string) => pagePath("concept", Slug.make(slug))
const share = (member: Member) => member.as(push({}, {}))
const write = (member: Member, slug: string, body: string, more: { related?: ReadonlyArray<string> } = {}) =>
  member.as(writePage({ slug, type: "concept", body, ...more }))

/** Two people with the same three pages: `rule`, `billing` that names it three ways, and `other` that does not. */
const start = Effect.gen(function* () {
  const team = yield* freshTeam
  const ada = yield* team.member("ada")
  const ben = yield* team.member("ben")
  yield* write(ada, "rule", "## Decision\n\nThree times; see [[rule]] itself.\n")
  yield* write(ada, "billing", "## A\n\n[[rule]], [[rule|x]], `[[rule]]`\n", { related: ["rule", "other"] })
  yield* write(ada, "other", "## A\n\n`[[rule]]`\n")
  yield* share(ada)
  // Ada never pulled: a deletion reaches her all the same.
  yield* ben.as(pull({}))
  const read = (name: string, slug: string) => team.place.tryRead(`${name}/.contexo/wiki/concepts/${slug}.md`)
  return { ada, ben, team, read }
})

const test = <E>(
  name: string,
  body: (at: Effect.Effect.Success<typeof start>) => Effect.Effect<unknown, E, Effect.Effect.Context<typeof start>>
) => it.scopedLive(name, () => Effect.provide(Effect.flatMap(start, body), NodeContext.layer))

describe("a rename", () => {
  test("is one commit with every page that named it, and others pull it as such", ({ ada, ben, read }) =>
    Effect.gen(function* () {
      yield* write(ben, "draft", "[[rule]]\n")
      const before = yield* read("ada", "billing")
      const renamed = yield* ben.as(renamePage(concept("rule"), { slug: "retry-rule" }))
      expect(renamed).toMatchObject({
        to: "wiki/concepts/retry-rule.md",
        updated: ["wiki/concepts/billing.md"],
        drafts: ["wiki/concepts/draft.md"],
        kept: [],
        unseen: 0
      })
      const log = yield* ben.as(timeline(10))
      expect(log.map(({ message }) => message)).toEqual([
        "rename wiki/concepts/rule.md to wiki/concepts/retry-rule.md",
        "agent push (3 pages)"
      ])
      // Nothing here differs from the server but the draft.
      const { batch } = yield* share(ben)
      expect(batch.map(({ path }) => path)).toEqual(["wiki/concepts/draft.md"])

      const pulled = yield* ada.as(pull({}))
      expect(pulled).toMatchObject({ deleted: ["wiki/concepts/rule.md"], kept: [] })
      expect(yield* read("ada", "billing")).toBe(
        before.replaceAll("rule", "retry-rule").replace("`[[retry-rule]]`", "`[[rule]]`")
      )
      expect(yield* read("ada", "retry-rule")).toMatch(/slug: retry-rule\n[^]*see \[\[retry-rule\]\] itself/)
      expect((yield* Effect.either(read("ben", "rule")))._tag).toBe("Left")
      expect((yield* ada.as(pull({})))._tag).toBe("UpToDate")
    }))

  test("to another type moves the file, and leaves slugs alone", ({ ada, read, team }) =>
    Effect.gen(function* () {
      const before = yield* read("ada", "billing")
      const renamed = yield* ada.as(renamePage(concept("rule"), { type: "entity" }))
      expect(renamed).toMatchObject({ to: "wiki/entities/rule.md", updated: [] })
      expect(yield* team.place.read("ada/.contexo/wiki/entities/rule.md")).toContain("type: entity\n")
      expect(yield* read("ada", "billing")).toBe(before)
    }))

  test("leaves links alone that mean another page of the same slug", ({ ada, read }) =>
    Effect.gen(function* () {
      yield* ada.as(writePage({ slug: "rule", type: "entity", body: "x" }))
      yield* share(ada)
      const before = yield* read("ada", "billing")
      const entity = pagePath("entity", Slug.make("rule"))
      expect(yield* ada.as(renamePage(entity, { slug: "engine" }))).toMatchObject({ updated: [] })
      expect(yield* read("ada", "billing")).toBe(before)
    }))

  test("whose answer was lost is done by the next pull, and so is a deletion", ({ ada, read, team }) =>
    Effect.gen(function* () {
      const proxy = yield* lossyProxy(team.url)
      yield* ada.as(
        Effect.gen(function* () {
          const credentials = yield* Credentials
          const stored = yield* credentials.read
          yield* (yield* ProjectConfig).update({ server_url: proxy.url })
          if (Option.isSome(stored)) yield* credentials.write({ ...stored.value, serverUrl: proxy.url })
        })
      )
      const lost = ["answer lost", "answer lost", "answer lost"] as const
      const before = yield* read("ada", "billing")
      proxy.lose(...lost)
      expect(yield* Effect.flip(ada.as(renamePage(concept("rule"), { slug: "retry" })))).toMatchObject({
        _tag: "ServerUnreachable"
      })
      expect(yield* read("ada", "billing")).toBe(before)
      proxy.lose(...lost)
      expect(yield* Effect.flip(ada.as(deletePage(concept("other"))))).toMatchObject({ _tag: "ServerUnreachable" })
      expect(yield* ada.as(pull({}))).toMatchObject({
        pulled: ["wiki/concepts/billing.md", "wiki/concepts/retry.md"],
        deleted: ["wiki/concepts/other.md", "wiki/concepts/rule.md"],
        kept: []
      })
      expect((yield* share(ada)).outcome._tag).toBe("NothingToPush")
      expect(yield* ada.as(timeline(10))).toHaveLength(3)
      expect(yield* team.place.read("ada/.contexo/index.md")).toMatch(/concepts\/retry\.md/)
    }))

  test("is refused, and changes nothing, where edits, others or names stand in its way", ({ ada, ben, team }) =>
    Effect.gen(function* () {
      const everything = Effect.map(team.place.below("ada/.contexo/wiki").everything, (paths) => paths.toSorted())
      const files = yield* everything
      const refusal = (slug: string, as = ada) => Effect.flip(as.as(renamePage(concept("rule"), { slug })))
      expect(yield* refusal("Rule")).toMatchObject({ _tag: "SameName" })
      expect(yield* refusal("con")).toMatchObject({ _tag: "UnportableSlug" })
      expect(yield* refusal("a/b")).toMatchObject({ _tag: "InvalidSlug" })
      expect(yield* refusal("OTHER")).toMatchObject({ _tag: "TargetExists", where: "here" })
      yield* write(ada, "new", "x")
      expect(yield* Effect.flip(ada.as(renamePage(concept("new"), { slug: "newer" })))).toMatchObject({
        _tag: "NeverPushed"
      })
      yield* team.place.remove("ada/.contexo/wiki/concepts/new.md")

      yield* write(ben, "theirs", "x")
      yield* share(ben)
      expect(yield* refusal("theirs")).toMatchObject({ _tag: "TargetExists", where: "on the server" })
      yield* write(ben, "billing", "## A\n\nBen: [[rule]]\n")
      yield* share(ben)
      expect(yield* refusal("retry-rule")).toMatchObject({ _tag: "MovedOnServer", paths: [concept("billing")] })
      yield* write(ada, "billing", "## A\n\nAda: [[rule]]\n")
      const edited = yield* refusal("retry-rule")
      expect(edited).toMatchObject({ _tag: "EditedHere", paths: [concept("billing")] })
      expect(edited.message).toContain("\n  wiki/concepts/billing.md")
      expect(yield* everything).toEqual(files)
      expect(yield* ada.as(timeline(10))).toHaveLength(3)
    }))
})

describe("a deletion", () => {
  test("goes to the server and takes the file; others pull it, and keep what they edited", ({ ada, ben, read }) =>
    Effect.gen(function* () {
      yield* write(ben, "rule", "## Decision\n\nBen's own.\n")
      expect(yield* ada.as(deletePage(concept("rule")))).toMatchObject({ kept: false })
      yield* ada.as(deletePage(concept("other"), { message: "gone" }))
      expect((yield* Effect.either(read("ada", "rule")))._tag).toBe("Left")
      expect((yield* ada.as(localStatus())).neverPushed).toEqual([])
      expect(Option.isNone(yield* ada.as(Effect.flatMap(SyncState, (state) => state.base(concept("rule")))))).toBe(true)
      expect((yield* ada.as(pull({})))._tag).toBe("UpToDate")

      const pulled = yield* ben.as(pull({}))
      expect(pulled).toMatchObject({
        deleted: ["wiki/concepts/other.md"],
        kept: [{ path: "wiki/concepts/rule.md", reason: expect.stringMatching(/^deleted on the server, edited here/) }]
      })
      expect(yield* read("ben", "rule")).toContain("Ben's own.")
    }))

  test("is refused where an edit here, or a newer version there, would go; force gives up the edit", ({
    ada,
    ben,
    team
  }) =>
    Effect.gen(function* () {
      yield* write(ada, "rule", "## Decision\n\nEdited.\n")
      yield* write(ada, "draft", "x")
      const refusal = (slug: string) => Effect.flip(ada.as(deletePage(concept(slug))))
      expect(yield* refusal("rule")).toMatchObject({ _tag: "EditedHere" })
      expect((yield* refusal("draft")).message).toContain("remove the file .contexo/wiki/concepts/draft.md")
      expect(yield* refusal("nowhere")).toMatchObject({ _tag: "NotOnServer" })
      expect(yield* Effect.flip(ada.as(findServerPage("nowhere")))).toMatchObject({ _tag: "PageNotFound" })
      yield* ada.as(deletePage(concept("rule"), { force: true }))
      // A file that a hand removed is still known by its name.
      yield* team.place.remove("ada/.contexo/wiki/concepts/billing.md")
      yield* ada.as(deletePage(yield* ada.as(findServerPage("billing"))))

      yield* write(ben, "other", "## A\n\nBen.\n")
      yield* share(ben)
      expect(yield* refusal("other")).toMatchObject({ _tag: "MovedOnServer" })
      expect(yield* Effect.flip(ada.as(deletePage(concept("other"), { force: true })))).toMatchObject({
        _tag: "MovedOnServer"
      })
    }))
})

describe("a public Contexo server", () => {
  it.scoped("which would take a deletion for an empty page, is recognised, and nothing is sent", () =>
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
      yield* write(member, "rule", "x")
      yield* share(member)
      const pushes = () => server.received.filter(({ url }) => url.endsWith("/sync/push")).length
      const failures = [
        yield* Effect.flip(member.as(deletePage(concept("rule")))),
        yield* Effect.flip(member.as(renamePage(concept("rule"), { slug: "other" }))),
        yield* Effect.flip(member.as(revert(concept("rule"), { to: Sha.make("a".repeat(40)) }))),
        yield* Effect.flip(member.as(purge(concept("rule"))))
      ]
      expect(failures.map(({ _tag }) => _tag)).toEqual(failures.map(() => "UnsupportedByServer"))
      // It has no histories to look a page's type up in.
      expect(yield* Effect.flip(member.as(findServerPage("gone")))).toMatchObject({ _tag: "PageNotFound" })
      expect(pushes()).toBe(1)
      expect(yield* place.exists("project/.contexo/wiki/concepts/rule.md")).toBe(true)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
