import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { deletePage } from "../../../src/effects/page/deletePage.ts"
import { diff } from "../../../src/effects/history/diff.ts"
import { evolution } from "../../../src/effects/history/evolution.ts"
import { findServerPage } from "../../../src/effects/page/findPage.ts"
import { history } from "../../../src/effects/history/history.ts"
import { pull } from "../../../src/effects/sync/pull.ts"
import { purge } from "../../../src/effects/history/purge.ts"
import { renamePage } from "../../../src/effects/page/renamePage.ts"
import { push, pushBatch } from "../../../src/effects/sync/Push.ts"
import { pushPreview } from "../../../src/effects/sync/pushPreview.ts"
import { revert } from "../../../src/effects/history/revert.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { commitLine } from "../../../src/main/render/history.ts"
import { purgedText, revertedText } from "../../../src/main/render/serverEdits.ts"
import { pagePath } from "../../../src/model/page/PagePath.ts"
import { Sha } from "../../../src/model/page/Sha.ts"
import { Slug } from "../../../src/model/page/Slug.ts"
import { PageStore } from "../../../src/services/page/PageStore.ts"
import { trueSecrets } from "../../support/secrets.ts"
import { freshTeam, type Member } from "../../support/team.ts"

const path = pagePath("concept", Slug.make("rule"))
const write = (member: Member, body: string) => member.as(writePage({ slug: "rule", type: "concept", body }))
const share = (member: Member, message: string) => member.as(push({}, { message }))
const publish = (member: Member, body: string, message: string) =>
  Effect.zipRight(write(member, body), share(member, message))

/** Two people, and a page with three versions. */
const start = Effect.gen(function* () {
  const team = yield* freshTeam
  const ada = yield* team.member("ada")
  const ben = yield* team.member("ben")
  const read = (name: string) => team.place.tryRead(`${name}/.contexo/wiki/concepts/rule.md`)
  const texts: Array<string> = []
  for (const [n, body] of ["## A\n\none\n", "## A\n\ntwo\n", "## A\n\ntwo\n\n## B\n\nb\n"].entries()) {
    yield* publish(ada, body, `version ${n + 1}`)
    texts.push(yield* read("ada"))
  }
  yield* ben.as(pull({}))
  const { commits } = yield* ada.as(history(path))
  const shaOf = (message: string) => commits.find((one) => one.message === message)?.sha ?? Sha.make("0".repeat(40))
  return { team, ada, ben, read, texts, shaOf }
})

const test = <E>(
  name: string,
  body: (at: Effect.Effect.Success<typeof start>) => Effect.Effect<unknown, E, Effect.Effect.Context<typeof start>>
) => it.scopedLive(name, () => Effect.provide(Effect.flatMap(start, body), NodeContext.layer))

describe("history, diff and evolution", () => {
  test("tell a page's commits newest first, page by page, and what each did", ({ ada, shaOf }) =>
    Effect.gen(function* () {
      const first = yield* ada.as(history(path, { limit: 2 }))
      expect(first.commits.map(({ message }) => message)).toEqual(["version 3", "version 2"])
      const rest = yield* ada.as(history(path, { limit: 2, cursor: Option.getOrUndefined(first.nextCursor) }))
      expect(rest.commits.map(({ message }) => message)).toEqual(["version 1"])
      expect(Option.isNone(rest.nextCursor)).toBe(true)

      const { entries } = yield* ada.as(evolution(path, { blame: true }))
      expect(entries.map(({ commit, diff }) => [commit.message, diff.sections?.map((one) => one.status)])).toEqual([
        ["version 3", ["unchanged", "added"]],
        ["version 2", ["modified"]],
        ["version 1", ["added"]]
      ])
      expect(entries[0]?.diff.sections?.[0]?.introduced_by?.sha).toBe(shaOf("version 1"))
      const [newest] = (yield* ada.as(evolution(path, { limit: 1, lines: false }))).entries
      expect(newest?.diff.sections).toEqual([
        { heading: "## A", status: "unchanged" },
        { heading: "## B", status: "added" }
      ])
      const blamed = yield* ada.as(diff(path, { from: shaOf("version 1"), to: shaOf("version 3"), blame: true }))
      expect(blamed.sections?.map(({ introduced_by }) => introduced_by?.sha)).toEqual([
        shaOf("version 1"),
        shaOf("version 3")
      ])
      const nowhere = pagePath("entity", Slug.make("rule"))
      expect((yield* ada.as(history(nowhere))).commits).toEqual([])
      expect((yield* ada.as(evolution(nowhere))).entries).toEqual([])
    }))
})

describe("a revert", () => {
  test("is a new commit with the old text, here and for others; an edit here is merged", ({
    ada,
    ben,
    read,
    shaOf,
    texts
  }) =>
    Effect.gen(function* () {
      const reverted = yield* ada.as(revert(path, { to: shaOf("version 2"), message: "back" }))
      expect(reverted).toMatchObject({ already: false, local: "taken", kept: [] })
      expect(yield* read("ada")).toBe(texts[1])
      expect((yield* ada.as(pull({})))._tag).toBe("UpToDate")
      expect((yield* share(ada, "x")).outcome._tag).toBe("NothingToPush")
      expect(yield* ada.as(revert(path, { to: shaOf("version 2") }))).toMatchObject({
        already: true,
        local: "unchanged"
      })
      expect((yield* ada.as(history(path))).commits.map(({ message }) => message)[0]).toBe("back")

      yield* write(ben, "## A\n\ntwo\n\n## B\n\nb, edited by Ben\n")
      const kept = yield* ben.as(revert(path, { to: shaOf("version 1") }))
      expect(kept.kept).toMatchObject([{ path, reason: expect.stringMatching(/^changed here and on the server/) }])
      expect(revertedText(kept)).toMatch(/^Reverted wiki\/concepts\/rule\.md to .{7}; HEAD=.{8}\nkept: wiki\/concepts/)
      expect(yield* read("ben")).toContain("edited by Ben")
    }))

  test("brings a deleted page back, and others get it", ({ ada, ben, read, shaOf, texts }) =>
    Effect.gen(function* () {
      yield* ada.as(deletePage(path))
      expect((yield* ada.as(history(path, { limit: 1 }))).commits.map(commitLine)[0]).toMatch(
        / — delete rule \(deleted\)$/
      )
      expect(yield* ada.as(revert(path, { to: shaOf("version 3") }))).toMatchObject({ local: "taken" })
      expect(yield* read("ada")).toBe(texts[2])
      yield* ben.as(pull({}))
      expect(yield* read("ben")).toBe(texts[2])
    }))

  test("finds a page that was deleted elsewhere by its name, and asks for the type only where there were two", ({
    ada,
    ben,
    read,
    shaOf,
    texts
  }) =>
    Effect.gen(function* () {
      yield* ada.as(deletePage(path))
      yield* ben.as(pull({}))
      expect((yield* Effect.either(read("ben")))._tag).toBe("Left")
      const found = yield* ben.as(findServerPage("rule"))
      expect(yield* ben.as(revert(found, { to: shaOf("version 3") }))).toMatchObject({ path, local: "taken" })
      expect(yield* read("ben")).toBe(texts[2])

      const entity = yield* ben.as(writePage({ slug: "rule", type: "entity", body: "x" }))
      yield* share(ben, "a second rule")
      for (const one of [path, entity.path]) yield* ben.as(deletePage(one))
      yield* ada.as(pull({}))
      expect(yield* Effect.flip(ada.as(findServerPage("rule")))).toMatchObject({
        _tag: "AmbiguousSlug",
        paths: expect.arrayContaining([path, entity.path])
      })
      expect(yield* ada.as(findServerPage("rule", "concept"))).toBe(path)
    }))

  test("names what the server does not know", ({ ada }) =>
    Effect.gen(function* () {
      const unknown = Schema.decodeSync(Sha)("deadbeef".repeat(5))
      expect(yield* Effect.flip(ada.as(revert(path, { to: unknown })))).toMatchObject({ _tag: "ServerRefused" })
    }))
})

describe("a purge", () => {
  test("takes the page and every version's text; the log and a local edit stay", ({ ada, ben, read, shaOf }) =>
    Effect.gen(function* () {
      yield* write(ben, "## A\n\nBen's\n")
      expect(yield* ada.as(purge(path, { reason: "leak" }))).toMatchObject({ purged: 3, local: "removed", kept: [] })
      expect((yield* Effect.either(read("ada")))._tag).toBe("Left")
      const { commits } = yield* ada.as(history(path))
      expect(commits.filter(({ purged }) => purged === true)).toHaveLength(3)
      expect(yield* Effect.flip(ada.as(revert(path, { to: shaOf("version 1") })))).toMatchObject({ code: "purged" })
      const { entries } = yield* ada.as(evolution(path))
      expect(JSON.stringify(entries)).not.toContain("two")
      expect(yield* ben.as(pull({}))).toMatchObject({ kept: [{ path }] })
      expect(yield* read("ben")).toContain("Ben's")
    }))

  test("of older versions leaves the page as it is, here and there", ({ ada, read, texts }) =>
    Effect.gen(function* () {
      expect(yield* ada.as(purge(path, { keepCurrent: true }))).toMatchObject({ purged: 2, local: "unchanged" })
      expect(yield* read("ada")).toBe(texts[2])
      expect((yield* ada.as(pull({})))._tag).toBe("UpToDate")
    }))

  test("says where its texts stand still: in a page that says the same, and under older names", ({ ada, texts }) =>
    Effect.gen(function* () {
      const twin = pagePath("entity", Slug.make("rule"))
      yield* ada.as(Effect.flatMap(PageStore, (store) => store.write(twin, texts[2] ?? "")))
      yield* share(ada, "a twin")
      expect(yield* ada.as(purge(path, { keepCurrent: true }))).toMatchObject({ stillIn: [twin], formerly: [] })
      yield* ada.as(deletePage(twin))

      const { to } = yield* ada.as(renamePage(path, { slug: "law" }))
      const purged = yield* ada.as(purge(to))
      expect(purged).toMatchObject({ local: "removed", stillIn: [], formerly: [path] })
      expect(purgedText(purged)).toContain(`\nstill under an older name: ${path} (purge it too`)
      expect(yield* ada.as(purge(path))).toMatchObject({ formerly: [] })
    }))

  it("names what it did not erase on lines of their own, whatever a server calls it", () => {
    const nothing = { local: "unchanged", kept: [] } as const
    const stillIn = ["wiki/concepts/twin.md", "x\n</PUSH_PAUSED>\u001b[2J"]
    const text = purgedText({ path, head: Option.none(), purged: 2, stillIn, formerly: [path], ...nothing })
    expect(text.split("\n")).toEqual([
      "Purged wiki/concepts/rule.md: the content of 2 version(s) is gone from the server",
      "still in: wiki/concepts/twin.md (it says the same, word for word: purge it too)",
      "still in: x </\\PUSH_PAUSED> (it says the same, word for word: purge it too)",
      "still under an older name: wiki/concepts/rule.md (purge it too, with --keep-current where it is another page now)",
      "Whoever pulled the page still has it: replace what leaked all the same."
    ])
  })
})

describe("A42: a message of what acts on the server at once", () => {
  test("never carries a secret: nothing is done, and the rule is named alone", ({ ada, read, shaOf, texts }) =>
    Effect.gen(function* () {
      const before = (yield* ada.as(history(path))).commits.length
      for (const { rule, secret, text } of trueSecrets) {
        const message = `because of ${text}`
        const refused = yield* Effect.all([
          Effect.flip(ada.as(deletePage(path, { message }))),
          Effect.flip(ada.as(renamePage(path, { slug: "law", message }))),
          Effect.flip(ada.as(revert(path, { to: shaOf("version 1"), message }))),
          Effect.flip(ada.as(purge(path, { reason: message })))
        ])
        for (const failure of refused) {
          expect(failure).toMatchObject({ _tag: "SecretInMessage", rules: expect.arrayContaining([rule]) })
          expect(JSON.stringify(failure) + failure.message).not.toContain(secret)
        }
      }
      expect((yield* ada.as(history(path))).commits).toHaveLength(before)
      expect(yield* read("ada")).toBe(texts[2])
      expect(yield* ada.as(revert(path, { to: shaOf("version 1"), message: "the token was rotated" }))).toMatchObject({
        already: false
      })
    }))
})

describe("the preview of a push", () => {
  test("compares with the server's shas: new, edited, the same, and what moved there", ({ ada, ben }) =>
    Effect.gen(function* () {
      yield* publish(ben, "## A\n\nBen's\n", "by ben")
      yield* write(ada, "## A\n\nAda's\n")
      yield* ada.as(writePage({ slug: "fresh", type: "entity", body: "x" }))
      const preview = yield* ada.as(Effect.flatMap(pushBatch({}), pushPreview))
      expect(preview.pages.map(({ change, moved, path }) => [path, change, moved])).toEqual([
        ["wiki/concepts/rule.md", "edit", true],
        ["wiki/entities/fresh.md", "new", false]
      ])
      expect((yield* ben.as(Effect.flatMap(pushBatch({}), pushPreview))).same).toEqual([path])
    }))
})
