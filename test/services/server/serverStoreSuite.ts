import { NodeContext } from "@effect/platform-node"
import type { FileSystem } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { type Role, ServerStore } from "../../../src/services/server/ServerStore.ts"
import { RepoId } from "../../../src/services/sync/SyncApi.ts"
import { ana, command, file, land, landedSha, path, push, repo, textOf, unknownSha, withRepo } from "./fixtures.ts"
import { pushModel } from "./pushModel.ts"

const other = PagePath.make("wiki/entities/redis.md")
const twin = PagePath.make("wiki/concepts/Auth.md")
const bob = { id: "u-bob", email: "bob@example.com", name: "Bob" }
const token = (id: string, hash: string) => ({ id, hash, label: "laptop", createdAt: 1_000 })

/** What every implementation of the server's store must do. `store` gives an empty store each time it is built. */
export const serverStoreSuite = <E>(name: string, store: Layer.Layer<ServerStore, E, FileSystem.FileSystem>): void => {
  const fresh = Layer.provide(store, NodeContext.layer)
  describe(`${name} as a ServerStore`, () => {
    const test = <F>(title: string, body: () => Effect.Effect<void, F, ServerStore>) =>
      it.effect(title, () => body().pipe(Effect.provide(fresh)))

    describe("accounts", () => {
      test("the first user is added once, with a token that is found by its hash", () =>
        Effect.gen(function* () {
          const store = yield* ServerStore
          expect(yield* store.addFirstUser(ana, token("t1", "h1"))).toBe(true)
          expect(yield* store.addFirstUser(bob, token("t2", "h2"))).toBe(false)
          expect(yield* store.userOfToken("h1", 5_000)).toEqual(Option.some(ana))
          expect(yield* store.userOfToken("h2", 5_000)).toEqual(Option.none())
          const [listed] = yield* store.tokens(ana.id)
          expect(listed).toEqual({
            id: "t1",
            label: "laptop",
            created_at: "1970-01-01T00:00:01.000Z",
            last_used_at: "1970-01-01T00:00:05.000Z"
          })
        }))

      test("a token's use is noted at most once a minute, and a clock that went back is noted", () =>
        Effect.gen(function* () {
          const store = yield* ServerStore
          yield* store.addFirstUser(ana, token("t1", "h1"))
          const seen = []
          for (const now of [100_000, 159_999, 160_000, 50_000]) {
            yield* store.userOfToken("h1", now)
            seen.push((yield* store.tokens(ana.id))[0]?.last_used_at)
          }
          expect(seen.map((at) => Date.parse(at ?? ""))).toEqual([100_000, 100_000, 160_000, 50_000])
        }))

      test("tokens are added, listed oldest first and removed by their owner only", () =>
        Effect.gen(function* () {
          const store = yield* ServerStore
          yield* store.addFirstUser(ana, token("t1", "h1"))
          yield* store.addUser(bob)
          yield* store.addToken(ana.id, { ...token("t0", "h0"), createdAt: 2_000 })
          expect((yield* store.tokens(ana.id)).map(({ id }) => id)).toEqual(["t1", "t0"])
          expect(yield* store.removeToken(bob.id, "t0")).toBe(false)
          expect(yield* store.removeToken(ana.id, "t0")).toBe(true)
          expect(yield* store.removeToken(ana.id, "t0")).toBe(false)
          expect(yield* store.userOfToken("h0", 0)).toEqual(Option.none())
        }))

      test("a user is renamed, and two never share an address", () =>
        Effect.gen(function* () {
          const store = yield* ServerStore
          yield* store.addFirstUser(ana, token("t1", "h1"))
          yield* store.addUser(bob)
          expect((yield* Effect.flip(store.addUser({ ...bob, id: "u-3" })))._tag).toBe("EmailTaken")
          expect((yield* Effect.flip(store.updateUser({ ...ana, email: bob.email })))._tag).toBe("EmailTaken")
          yield* store.updateUser({ ...ana, name: "Ana M." })
          expect(yield* store.userOfToken("h1", 0)).toEqual(Option.some({ ...ana, name: "Ana M." }))
        }))

      test("a repository is made once; its members have one role each; others are strangers", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          yield* store.addUser(bob)
          expect(yield* store.createRepo(repo, bob.id, 0)).toBe(false)
          expect(yield* store.standingOf(repo, ana.id)).toBe("owner")
          expect(yield* store.standingOf(repo, bob.id)).toBe("stranger")
          expect(yield* store.standingOf(RepoId.make("none"), bob.id)).toBe("no-such-repo")
          for (const role of ["reader", "member", "owner"] satisfies ReadonlyArray<Role>) {
            yield* store.addMember(repo, bob.id, role, 0)
            expect(yield* store.standingOf(repo, bob.id)).toBe(role)
          }
          yield* land(path, "one")
          yield* store.createRepo(RepoId.make("empty"), bob.id, 0)
          expect(
            (yield* store.reposOf(bob.id)).map(({ id, last_commit, page_count, role }) => [
              id,
              role,
              page_count,
              last_commit?.message
            ])
          ).toEqual([
            ["empty", "owner", 0, undefined],
            ["team", "owner", 1, "ctx push"]
          ])
        }))
    })

    describe("push", () => {
      test("a page lands, is read back byte for byte, and its sha is the commit's", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const text = "\ufeff---\r\ntags: [é]\r\n---\r\n\ud83d\udfe1 no newline at the end"
          const sha = yield* land(path, text)
          const page = Option.getOrThrow(yield* store.page(repo, path))
          expect([page.sha, page.path, textOf(page.content)]).toEqual([sha, path, text])
          expect(yield* store.pages(repo)).toEqual([
            { path, sha, author: "Ana", email: "ana@example.com", time: "2026-01-01T00:00:00Z", message: "ctx push" }
          ])
          expect((yield* store.commits(repo, 10)).map((commit) => commit.sha)).toEqual([sha])
        }))

      test("20 clients create one page with different contents at once: one wins, 19 are refused with its content", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const results = yield* Effect.forEach(
            Array.from({ length: 20 }, (_, n) => `content ${n}`),
            (text) => push(file(path, text)),
            { concurrency: "unbounded" }
          )
          expect(results.filter((result) => result._tag === "Landed")).toHaveLength(1)
          const head = Option.getOrThrow(yield* store.page(repo, path))
          const refused = results.flatMap((result) => (result._tag === "Refused" ? result.conflicts : []))
          expect(refused).toHaveLength(19)
          expect(new Set(refused.map(({ current }) => Option.getOrThrow(current).sha))).toEqual(new Set([head.sha]))
          expect(yield* store.commits(repo, 100)).toHaveLength(1)
        }))

      test("20 clients edit the same parent at once: one wins, and the others get the ancestor", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const parent = yield* land(path, "base")
          const results = yield* Effect.forEach(
            Array.from({ length: 20 }, (_, n) => `edit ${n}`),
            (text) => push(file(path, text, parent)),
            { concurrency: "unbounded" }
          )
          const refused = results.flatMap((result) => (result._tag === "Refused" ? result.conflicts : []))
          expect(refused).toHaveLength(19)
          expect(new Set(refused.map(({ ancestor }) => textOf(Option.getOrThrow(ancestor))))).toEqual(new Set(["base"]))
          expect(yield* store.commits(repo, 100)).toHaveLength(2)
        }))

      test("a batch with one stale page lands nothing", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const first = yield* land(path, "one")
          const second = yield* land(path, "two", first)
          const result = yield* push(file(other, "new"), file(path, "three", first))
          expect(result._tag === "Refused" && result.conflicts.map(({ offered }) => offered.path)).toEqual([path])
          expect(result.head).toEqual(Option.some(second))
          expect((yield* store.pages(repo)).map((page) => page.path)).toEqual([path])
          expect(yield* store.commits(repo, 10)).toHaveLength(2)
        }))

      test("what is already so never conflicts, makes no commit, and answers the page's own sha", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const sha = yield* land(path, "same")
          const head = yield* land(other, "x")
          for (const parent of [undefined, sha, unknownSha]) {
            const result = yield* push(file(path, "same", parent))
            expect(result).toEqual({ _tag: "Landed", head: Option.some(head), pages: [{ path, sha }] })
          }
          const mixed = yield* push(file(path, "same"), file(other, "y", head))
          const newest = yield* landedSha(mixed)
          expect(mixed._tag === "Landed" && mixed.pages).toEqual([
            { path, sha },
            { path: other, sha: newest }
          ])
          expect(yield* store.commits(repo, 10)).toHaveLength(3)
          expect(yield* push()).toEqual({ _tag: "Landed", head: Option.some(newest), pages: [] })
        }))

      test("the same push id answers a landed push for ever, and refuses other files", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const pushId = Option.some("0123456789")
          const once = command([file(path, "one")], { pushId })
          const answer = yield* store.push(once)
          const sha = yield* landedSha(answer)
          yield* land(path, "two", sha)
          expect(yield* store.push(once)).toEqual(answer)
          expect(yield* store.commits(repo, 10)).toHaveLength(2)
          const misuse = yield* Effect.flip(store.push(command([file(path, "other", sha)], { pushId })))
          expect(misuse._tag).toBe("PushIdReused")
          const elsewhere = RepoId.make("elsewhere")
          yield* store.createRepo(elsewhere, ana.id, 0)
          expect((yield* store.push({ ...once, repo: elsewhere }))._tag).toBe("Landed")
        }))

      test("a refused push is judged anew under the same id", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const pushId = Option.some("0123456789")
          const first = yield* land(path, "one")
          expect((yield* store.push(command([file(path, "new")], { pushId })))._tag).toBe("Refused")
          yield* land(path, undefined, first)
          expect((yield* store.push(command([file(path, "new")], { pushId })))._tag).toBe("Landed")
        }))

      test("A16: a case twin is refused, naming the page that exists, until that page is gone", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const sha = yield* land(path, "lower")
          const result = yield* push(file(twin, "upper"))
          expect(
            result._tag === "Refused" && result.conflicts.map(({ current }) => Option.getOrThrow(current).path)
          ).toEqual([path])
          expect(yield* store.page(repo, twin)).toEqual(Option.none())
          const deletion = yield* land(path, undefined, sha)
          const created = yield* land(twin, "upper")
          expect((yield* store.pages(repo)).map((page) => page.path)).toEqual([twin])
          const changes = Option.getOrThrow(yield* store.changes(repo, Option.some(sha), []))
          expect(changes.pages.map((page) => [page.path, page.sha])).toEqual([[twin, created]])
          expect(changes.deleted).toEqual([{ path, sha: deletion }])
        }))

      test("a deletion leaves a tombstone: read, list and count forget the page, its history stays", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const sha = yield* land(path, "one")
          expect((yield* push(file(path, undefined)))._tag).toBe("Refused")
          const deletion = yield* land(path, undefined, sha)
          expect(yield* store.page(repo, path)).toEqual(Option.none())
          expect(yield* store.pages(repo)).toEqual([])
          expect((yield* store.reposOf(ana.id))[0]?.page_count).toBe(0)
          expect(yield* store.versionAt(repo, path, Option.none())).toEqual(
            Option.some({ version: { sha: deletion, content: Option.none(), purged: false }, before: Option.some(sha) })
          )
          const old = Option.getOrThrow(yield* store.versionAt(repo, path, Option.some(sha)))
          expect(Option.map(old.version.content, textOf)).toEqual(Option.some("one"))
          const stale = yield* push(file(path, "edit", sha))
          expect(
            stale._tag === "Refused" &&
              stale.conflicts.map(({ ancestor, current }) => [current, Option.map(ancestor, textOf)])
          ).toEqual([[Option.none(), Option.some("one")]])
          expect((yield* push(file(path, undefined, sha)))._tag).toBe("Landed")
        }))

      test("1,200 pages of one push are one commit (A24)", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const paths = Array.from({ length: 1200 }, (_, n) => PagePath.make(`wiki/concepts/p${n}.md`))
          const sha = yield* landedSha(yield* push(...paths.map((at) => file(at, `# ${at}`))))
          expect((yield* store.pages(repo)).filter((page) => page.sha === sha)).toHaveLength(1200)
          expect(yield* store.commits(repo, 10)).toHaveLength(1)
          let parent = sha
          for (const n of [2, 3, 4, 5]) {
            parent = yield* landedSha(yield* push(...paths.map((at) => file(at, `# ${at} ${n}`, parent))))
          }
          // Of commits of such a size the feed gives few at a time.
          const { commits } = Option.getOrThrow(yield* store.feed(repo, Option.some(0), 100))
          expect(commits.map((commit) => [commit.seq, commit.paths.length])).toEqual(
            [1, 2, 3, 4].map((seq) => [seq, 1200])
          )
        }))
    })

    describe("history", () => {
      test("changes are what moved after a commit; no commit means everything; a foreign one is unknown", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const none = Option.none()
          expect(yield* store.changes(repo, none, [])).toEqual(Option.some({ head: none, pages: [], deleted: [] }))
          const first = yield* land(path, "one")
          const second = yield* land(other, "x")
          const third = yield* land(path, "two", first)
          const since = (sha: typeof first, known: ReadonlyArray<typeof first> = []) =>
            Effect.map(
              store.changes(repo, Option.some(sha), known),
              Option.map(({ head, pages }) => [Option.getOrNull(head), ...pages.map((page) => page.path)])
            )
          expect(yield* since(first)).toEqual(Option.some([third, path, other]))
          expect(yield* since(second, [third])).toEqual(Option.some([third, path]))
          expect(yield* since(third)).toEqual(Option.some([third]))
          expect(yield* since(unknownSha)).toEqual(none)
          expect(yield* since(first, [unknownSha])).toEqual(none)
        }))

      test("the feed tells every commit once, in order, from any point, by number or id", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const feed = (after: typeof unknownSha | number, limit = 100) => store.feed(repo, Option.some(after), limit)
          const empty = Option.some({ head: Option.none(), headSeq: 0, commits: [] })
          expect([yield* store.feed(repo, Option.none(), 1), yield* feed(0)]).toEqual([empty, empty])
          const one = yield* landedSha(yield* push(file(path, "one"), file(other, "x")))
          const two = yield* landedSha(yield* push(file(path, "two", one), file(other, undefined, one)))
          yield* push(file(path, "two", one))
          const three = yield* land(other, "again", two)
          const [commit] = yield* store.commits(repo, 1)
          const told = (result: Effect.Effect.Success<ReturnType<typeof feed>>) =>
            Option.map(result, ({ commits, head, headSeq }) => [
              Option.getOrNull(head),
              headSeq,
              ...commits.map((each) => [each.seq, each.sha, each.paths, each.deleted])
            ])
          const lines = [
            [1, one, [path, other], []],
            [2, two, [path], [other]],
            [3, three, [other], []]
          ]
          for (const [after, from] of [
            [0, 0],
            [1, 1],
            [one, 1],
            [two, 2],
            [three, 3]
          ] as const) {
            expect(told(yield* feed(after))).toEqual(Option.some([three, 3, ...lines.slice(from)]))
          }
          expect(told(yield* feed(0, 2))).toEqual(Option.some([three, 3, ...lines.slice(0, 2)]))
          expect(told(yield* store.feed(repo, Option.none(), 9))).toEqual(Option.some([three, 3]))
          expect(Option.map(yield* feed(2), ({ commits }) => commits[0])).toEqual(
            Option.some({ seq: 3, ...commit, paths: [other], deleted: [] })
          )
          expect([yield* feed(unknownSha), yield* feed(4)]).toEqual([Option.none(), Option.none()])
        }))

      test("a version is found at any commit, with the one before it", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const first = yield* land(path, "one")
          const between = yield* land(other, "x")
          const second = yield* land(path, "two", first)
          const at = (sha: typeof first) =>
            Effect.map(
              store.versionAt(repo, path, Option.some(sha)),
              Option.map(({ before, version }) => [version.sha, Option.getOrNull(before)])
            )
          expect(yield* at(first)).toEqual(Option.some([first, null]))
          expect(yield* at(between)).toEqual(Option.some([first, null]))
          expect(yield* at(second)).toEqual(Option.some([second, first]))
          expect(yield* store.versionAt(repo, other, Option.some(first))).toEqual(Option.none())
          expect(yield* store.findCommits(repo, second.slice(0, 8))).toEqual([second])
          expect(yield* store.findCommits(repo, "--output=x")).toEqual([])
        }))
    })

    describe("erase", () => {
      const erase = (at: PagePath) =>
        Effect.flatMap(ServerStore, (store) => store.erase({ repo, path: at, by: ana.id, reason: "leak", now: 5 }))

      test("every version but the one in force loses its text, and the log keeps them; again is harmless", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const first = yield* land(path, "secret")
          const second = yield* land(path, "now", first)
          for (const _ of [1, 2]) expect(yield* erase(path)).toEqual({ versions: 1, stillIn: [], formerly: [] })
          expect(
            (yield* store.revisions(repo, path, Option.none(), 9)).map(({ purged, sha }) => [sha, purged])
          ).toEqual([
            [second, false],
            [first, true]
          ])
          expect(yield* store.contentAt(repo, path, 1)).toEqual(Option.none())
          expect(Option.map(yield* store.page(repo, path), ({ content }) => textOf(content))).toEqual(
            Option.some("now")
          )
        }))

      test("a text stays where another page lives that says it; the past of a renamed page keeps nothing", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const first = yield* land(path, "secret")
          const moved = yield* landedSha(yield* push(file(path, undefined, first), file(other, "secret")))
          expect(yield* erase(path)).toEqual({ versions: 0, stillIn: [other], formerly: [] })
          yield* land(other, undefined, moved)
          expect(yield* erase(other)).toEqual({ versions: 1, stillIn: [], formerly: [] })
          expect(yield* erase(path)).toEqual({ versions: 1, stillIn: [], formerly: [] })
          for (const [at, seq] of [
            [path, 1],
            [other, 2]
          ] as const) {
            expect(yield* store.contentAt(repo, at, seq)).toEqual(Option.none())
          }
        }))

      test("a page that was renamed: each older name that holds texts is named, and no page that went by itself", () =>
        Effect.gen(function* () {
          const store = yield* withRepo
          const [second, third] = [PagePath.make("wiki/concepts/second.md"), PagePath.make("wiki/concepts/third.md")]
          const one = yield* land(path, "secret, under the first name")
          const bystander = yield* land(other, "nothing to do with it")
          const two = yield* landedSha(
            yield* push(file(path, undefined, one), file(second, "secret, under the second"))
          )
          yield* land(other, undefined, bystander)
          yield* landedSha(yield* push(file(second, undefined, two), file(third, "clean by now")))

          expect(yield* erase(third)).toEqual({ versions: 0, stillIn: [], formerly: [path, second] })
          expect(yield* erase(second)).toEqual({ versions: 1, stillIn: [], formerly: [path] })
          expect(yield* erase(path)).toEqual({ versions: 1, stillIn: [], formerly: [] })
          expect(yield* erase(third)).toEqual({ versions: 0, stillIn: [], formerly: [] })
          expect(yield* store.contentAt(repo, path, 1)).toEqual(Option.none())
        }))

      test("a page that was edited in the commit in which another went was not renamed", () =>
        Effect.gen(function* () {
          yield* withRepo
          const one = yield* land(path, "one")
          const two = yield* land(other, "two")
          yield* push(file(path, "one, edited", one), file(other, undefined, two))
          expect(yield* erase(path)).toEqual({ versions: 1, stillIn: [], formerly: [] })
        }))
    })

    pushModel(fresh)
  })
}
