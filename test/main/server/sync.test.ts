import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { base64, json, running, runningOn } from "./running.ts"

const path = "wiki/concepts/auth.md"
const page = (content: string, parent_sha?: string, at = path) => ({ path: at, content, parent_sha })

describe("the sync API over HTTP", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("a push creates the repository; pages, pull, timeline and diff agree on what landed", () =>
      Effect.gen(function* () {
        const { call, pull, push } = yield* running
        const first = yield* push("team", [page("---\ntags: [a]\n---\n## A\none\n")], { message: "first\nline" })
        expect(first.status).toBe(200)
        const sha1 = first.body.new_head
        expect(first.body.pushed).toEqual([{ path, sha: sha1 }])
        const second = yield* push("team", [page("---\ntags: [a]\n---\n## A\ntwo\n", sha1)])
        const sha2 = second.body.new_head

        const read = yield* call("GET", `/v1/repos/team/pages/${path}`)
        expect([read.status, read.headers["content-type"], read.headers["x-page-sha"], read.text]).toEqual([
          200,
          "text/markdown; charset=utf-8",
          sha2,
          "---\ntags: [a]\n---\n## A\ntwo\n"
        ])
        expect(read.headers["access-control-expose-headers"]).toBe("X-Page-SHA, X-Page-At")

        const who = { author: "owner", email: "owner@localhost", time: expect.stringMatching(/^\d{4}-.*:\d\dZ$/) }
        const commit2 = { sha: sha2, message: "ctx push", ...who }
        expect(json(yield* call("GET", "/v1/repos/team/pages"))).toEqual({ pages: [{ path, ...commit2 }] })
        expect(json(yield* call("GET", "/v1/repos/team/timeline"))).toEqual({
          commits: [commit2, { sha: sha1, message: "first line", ...who }]
        })
        expect(json(yield* call("GET", "/v1/repos/team/timeline?limit=1"))).toEqual({ commits: [commit2] })
        expect(json(yield* call("GET", "/v1/repos"))).toEqual({
          repos: [{ id: "team", page_count: 1, last_commit: commit2, role: "owner" }]
        })
        expect(yield* pull("team", `?since=${sha1}`)).toEqual({
          new_head: sha2,
          files: [{ path, content: "---\ntags: [a]\n---\n## A\ntwo\n", sha: sha2 }],
          deleted: []
        })
        expect((yield* pull("team", `?since=${sha2}`)).files).toEqual([])
        const diff = yield* call("GET", `/v1/repos/team/diff/${path}`)
        expect(json(diff)).toMatchObject({ from_sha: sha1, to_sha: sha2 })
        expect(json(diff)).toHaveProperty("sections", [
          expect.objectContaining({ heading: "## A", status: "modified" })
        ])
      })
    )

    it.scoped("A31: 20 clients create one page with 20 contents at once: one wins, 19 get 409 with the winner", () =>
      Effect.gen(function* () {
        const { call, push } = yield* running
        const answers = yield* Effect.forEach(
          Array.from({ length: 20 }, (_, n) => `content ${n}`),
          (content) => push("team", [page(content)]),
          { concurrency: "unbounded" }
        )
        const won = answers.filter(({ status }) => status === 200)
        expect([won.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 19])
        const winner = yield* call("GET", `/v1/repos/team/pages/${path}`)
        const conflict = {
          path,
          current_sha: won[0]?.body.new_head,
          current_content: base64(winner.text),
          expected_parent_sha: ""
        }
        for (const { body, status } of answers) if (status === 409) expect(body.conflicts).toEqual([conflict])
      })
    )

    it.scoped("20 clients edit one parent at once: one wins, 19 get 409 with the ancestor", () =>
      Effect.gen(function* () {
        const { push } = yield* running
        const parent = (yield* push("team", [page("base")])).body.new_head
        const answers = yield* Effect.forEach(
          Array.from({ length: 20 }, (_, n) => `edit ${n}`),
          (content) => push("team", [page(content, parent)]),
          { concurrency: "unbounded" }
        )
        const lost = answers.filter(({ status }) => status === 409)
        expect(lost).toHaveLength(19)
        for (const { body } of lost) {
          expect(body.conflicts).toMatchObject([{ expected_parent_sha: parent, ancestor_content: base64("base") }])
        }
      })
    )

    it.scoped("a batch of one good and one stale page lands nothing", () =>
      Effect.gen(function* () {
        const { call, push } = yield* running
        const sha1 = (yield* push("team", [page("one")])).body.new_head
        const sha2 = (yield* push("team", [page("two", sha1)])).body.new_head
        const answer = yield* push("team", [page("ok", undefined, "wiki/entities/ok.md"), page("three", sha1)])
        expect([answer.status, answer.body.new_head, answer.body.pushed]).toEqual([409, sha2, []])
        expect(answer.body.conflicts?.map((conflict) => conflict.path)).toEqual([path])
        expect((yield* call("GET", "/v1/repos/team/pages/wiki/entities/ok.md")).status).toBe(404)
      })
    )

    it.scoped("the same push_id twice is one commit and the same answer, also after a restart of the server", () =>
      Effect.gen(function* () {
        const { call, data, push, token } = yield* running
        const once = [[page("one")], { push_id: "push-0001" }] as const
        const first = yield* push("team", ...once)
        expect(yield* push("team", ...once)).toEqual(first)
        expect(json(yield* call("GET", "/v1/repos/team/timeline"))).toHaveProperty("commits.length", 1)
        const misuse = yield* call("POST", "/v1/repos/team/sync/push", {
          body: { files: [page("other")], push_id: "push-0001" }
        })
        expect([misuse.status, json(misuse)]).toMatchObject([400, { code: "push_id_reused" }])

        const again = yield* runningOn(data)
        expect(again.ownerToken._tag).toBe("None")
        const answer = yield* again.call("POST", "/v1/repos/team/sync/push", {
          body: { files: once[0], ...once[1] },
          authorization: `Bearer ${token}`
        })
        expect(json(answer)).toEqual(first.body)
      })
    )

    it.scoped("identical content never conflicts and makes no commit, whatever its parent", () =>
      Effect.gen(function* () {
        const { push } = yield* running
        const sha = (yield* push("team", [page("same")])).body.new_head
        const head = (yield* push("team", [page("x", undefined, "wiki/entities/x.md")])).body.new_head
        for (const parent of [undefined, "", sha, head, "f".repeat(40)]) {
          const { body, status } = yield* push("team", [page("same", parent)])
          expect([status, body]).toEqual([200, { new_head: head, pushed: [{ path, sha }] }])
        }
      })
    )

    it.scoped("A16: a case twin is a conflict that names the existing page", () =>
      Effect.gen(function* () {
        const { push } = yield* running
        const sha = (yield* push("team", [page("x")])).body.new_head
        const twin = yield* push("team", [page("y", undefined, "wiki/concepts/Auth.md")])
        expect([twin.status, twin.body.conflicts]).toEqual([
          409,
          [
            {
              path: "wiki/concepts/Auth.md",
              existing_path: path,
              current_sha: sha,
              current_content: base64("x"),
              expected_parent_sha: ""
            }
          ]
        ])
      })
    )

    it.scoped("a deletion is pulled as such, and makes the page absent", () =>
      Effect.gen(function* () {
        const { call, pull, push } = yield* running
        const sha = (yield* push("team", [page("x")])).body.new_head
        const stale = yield* push("team", [{ path, deleted: true }])
        expect(stale.status).toBe(409)
        const gone = (yield* push("team", [{ path, deleted: true, parent_sha: sha }])).body.new_head
        expect(yield* pull("team", `?since=${sha}`)).toEqual({
          new_head: gone,
          files: [],
          deleted: [{ path, sha: gone }]
        })
        expect((yield* call("GET", `/v1/repos/team/pages/${path}`)).status).toBe(404)
        expect(json(yield* call("GET", `/v1/repos/team/diff/${path}`))).toMatchObject({ from_sha: sha, to_sha: gone })
        const edit = yield* push("team", [page("edit", sha)])
        expect(edit.body.conflicts).toEqual([
          { path, current_sha: "", expected_parent_sha: sha, ancestor_content: base64("x") }
        ])
      })
    )

    it.scoped("A40: a commit that the server does not know stops a pull with a code of its own", () =>
      Effect.gen(function* () {
        const { call, push } = yield* running
        const sha = (yield* push("team", [page("x")])).body.new_head
        const foreign = "f".repeat(40)
        for (const query of [`since=${foreign}`, `since=${sha}&known=${foreign}`, `known=${foreign}`]) {
          const answer = yield* call("GET", `/v1/repos/team/sync/pull?${query}`)
          expect([answer.status, json(answer)]).toMatchObject([409, { code: "unknown_history" }])
        }
        expect((yield* call("GET", `/v1/repos/team/sync/pull?since=${sha}&known=${sha}`)).status).toBe(200)
      })
    )

    it.scoped("a diff takes short shas; unknown, ambiguous and missing ones are named", () =>
      Effect.gen(function* () {
        const { call, push } = yield* running
        const sha1 = (yield* push("team", [page("## A\none\n")])).body.new_head
        const only = yield* call("GET", `/v1/repos/team/diff/${path}`)
        expect([only.status, json(only)]).toEqual([
          400,
          { error: "no parent commit for this path; pass ?from explicitly" }
        ])
        const before = (yield* push("team", [page("e", undefined, "wiki/entities/e.md")])).body.new_head
        const sha2 = (yield* push("team", [page("## A\ntwo\n", sha1)])).body.new_head
        const short = yield* call("GET", `/v1/repos/team/diff/${path}?from=${sha1.slice(0, 7)}&to=${sha2.slice(0, 7)}`)
        expect(json(short)).toMatchObject({ from_sha: sha1, to_sha: sha2 })
        const born = yield* call("GET", `/v1/repos/team/diff/wiki/entities/e.md?from=${sha1}&to=${before}`)
        expect(json(born)).toMatchObject({ from_sha: sha1, to_sha: before })
        for (const from of ["f".repeat(40), "--output=x", "HEAD", "abc"]) {
          expect((yield* call("GET", `/v1/repos/team/diff/${path}?from=${from}`)).status).toBe(400)
        }
        for (const absent of [`wiki/concepts/none.md`, `wiki/concepts/none.md?from=${sha1}`]) {
          expect((yield* call("GET", `/v1/repos/team/diff/${absent}`)).status).toBe(404)
        }
      })
    )
  })
})
