import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { checkData } from "../../../src/effects/server/check.ts"
import { EvolutionAnswer, HistoryAnswer, PurgeAnswer, PushAnswer } from "../../../src/services/sync/SyncApi.ts"
import { SectionDiff } from "../../../src/model/merge/SectionDiff.ts"
import { type Answer, running } from "./running.ts"

const path = "wiki/concepts/ledger.md"
const at = (route: string, query = "") => `/v1/repos/team/${route}/${path}${query}`
const decoded =
  <A, I>(schema: Schema.Schema<A, I>) =>
  (answer: Answer) =>
    Schema.decode(Schema.parseJson(schema))(answer.text)
const text = (...sections: ReadonlyArray<string>) => `---\ntype: concept\n---\n${sections.join("\n\n")}\n`

/** A server, and its page in as many versions as texts. */
const told = (...texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const server = yield* running
    const shas: Array<string> = []
    for (const [index, content] of texts.entries()) {
      const files = [{ path, content, parent_sha: shas.at(-1) ?? "" }]
      const { body } = yield* server.push("team", files, { message: `version ${index + 1}` })
      shas.push(body.new_head)
    }
    const get = <A, I>(route: string, schema: Schema.Schema<A, I>, query = "") =>
      Effect.flatMap(server.call("GET", at(route, query)), decoded(schema))
    const post = <A, I>(route: string, schema: Schema.Schema<A, I>, body: unknown) =>
      Effect.flatMap(server.call("POST", at(route), { body }), decoded(schema))
    const status = (route: string, query = "") => Effect.map(server.call("GET", at(route, query)), (one) => one.status)
    const remove = (parent: string | undefined) =>
      Effect.map(server.push("team", [{ path, deleted: true, parent_sha: parent }]), ({ body }) => body.new_head)
    return { ...server, shas, get, post, status, remove }
  })

/** Every byte that the server keeps. */
const kept = (database: string) =>
  readdirSync(dirname(database))
    .map((name) => readFileSync(join(dirname(database), name)).toString("latin1"))
    .join("\n")

describe("a page's past", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("history is newest first, goes on by its cursor, and tells a deletion", () =>
      Effect.gen(function* () {
        const { get, remove, shas } = yield* told(text("## A\n1"), text("## A\n2"), text("## A\n3"))
        const gone = yield* remove(shas[2])
        const first = yield* get("history", HistoryAnswer, "?limit=3")
        expect(first.commits?.map(({ deleted, sha }) => [sha, deleted])).toEqual([
          [gone, true],
          [shas[2], undefined],
          [shas[1], undefined]
        ])
        const rest = yield* get("history", HistoryAnswer, `?limit=3&cursor=${first.next_cursor}`)
        expect(rest).toEqual({ commits: [expect.objectContaining({ sha: shas[0], message: "version 1" })] })
      })
    )

    it.scoped("evolution compares each version with the one before, over pages of the list too", () =>
      Effect.gen(function* () {
        const { get, shas, status } = yield* told(
          text("## A\n1"),
          text("## A\n1", "## B\n1"),
          text("## A\n2", "## B\n1")
        )
        const { entries, next_cursor } = yield* get("evolution", EvolutionAnswer, "?limit=2")
        expect(entries?.map(({ diff }) => [diff.from_sha, diff.to_sha])).toEqual([
          [shas[1], shas[2]],
          [shas[0], shas[1]]
        ])
        expect(entries?.[0]?.diff.sections).toMatchObject([
          { status: "modified", line_diff: "- 1\n+ 2" },
          { status: "unchanged" }
        ])
        const bare = yield* get("evolution", EvolutionAnswer, `?lines=false&cursor=${next_cursor}`)
        expect(bare.entries).toEqual([
          {
            commit: expect.objectContaining({ sha: shas[0] }),
            diff: {
              from_sha: "",
              to_sha: shas[0],
              frontmatter: { added: [{ field: "type", to: "concept" }] },
              sections: [{ heading: "## A", status: "added" }]
            }
          }
        ])
        expect(yield* status("evolution", "?cursor=none")).toBe(400)
      })
    )

    it.scoped("blame names the commit that introduced a section, over a rename and edits", () =>
      Effect.gen(function* () {
        const body = "the same words as before, so that it is a rename"
        const { get, shas } = yield* told(
          text(`## Old\n${body}`),
          text(`## Old\n${body}`, "## B\nx"),
          text(`## New\n${body}`, "## B\ny")
        )
        const { sections } = yield* get("diff", SectionDiff, "?blame=true")
        expect(sections?.map(({ heading, introduced_by }) => [heading, introduced_by?.sha])).toEqual([
          ["## B", shas[1]],
          ["## New", shas[0]]
        ])
        const { entries } = yield* get("evolution", EvolutionAnswer, "?blame=true&limit=1")
        expect(entries?.[0]?.diff.sections?.[0]?.introduced_by?.sha).toBe(shas[1])
      })
    )

    it.scoped("the page at a commit, also after its deletion", () =>
      Effect.gen(function* () {
        const { call, remove, shas, status } = yield* told(text("## A\n1"), text("## A\n2"))
        const gone = yield* remove(shas[1])
        const then = yield* call("GET", at("pages", `?at=${shas[0]}`))
        expect(then).toMatchObject({ status: 200, text: text("## A\n1"), headers: { "x-page-sha": shas[0] } })
        expect(yield* status("pages", `?at=${gone}`)).toBe(404)
        expect(yield* status("pages", "?at=ffffffff")).toBe(400)
      })
    )

    it.scoped("revert is a new commit with the old content; a stale parent conflicts, and a deletion is undone", () =>
      Effect.gen(function* () {
        const { call, get, post, remove, shas } = yield* told(text("## A\n1"), text("## A\n2"))
        const stale = yield* call("POST", at("revert"), { body: { to: shas[0], parent_sha: shas[0] } })
        expect(stale.status).toBe(409)
        const back = yield* post("revert", PushAnswer, { to: shas[0], parent_sha: shas[1] })
        expect((yield* call("GET", at("pages"))).text).toBe(text("## A\n1"))
        const { commits } = yield* get("history", HistoryAnswer)
        expect(commits?.[0]).toMatchObject({ sha: back.new_head, message: `revert ${path} to ${shas[0]?.slice(0, 8)}` })
        expect((yield* post("revert", PushAnswer, { to: shas[0], parent_sha: back.new_head })).new_head).toBe(
          back.new_head
        )
        yield* remove(back.new_head)
        yield* post("revert", PushAnswer, { to: shas[1] })
        expect((yield* call("GET", at("pages"))).text).toBe(text("## A\n2"))
      })
    )

    it.scoped("purge leaves nothing of the texts in any file, and the log whole", () =>
      Effect.gen(function* () {
        const secret = "s3cr3t-of-the-ledger"
        const { call, database, get, post, shas, status, token } = yield* told(
          text("## A\n1"),
          text(`## A\n${secret}`),
          text("## A\n3")
        )
        yield* call("POST", "/v1/repos/team/sync/push", {
          body: { files: [{ path: "wiki/concepts/twin.md", content: text("## A\n1") }] }
        })
        expect(kept(database)).toContain(secret)
        const kept3 = yield* post("purge", PurgeAnswer, { keep_current: true, reason: "a secret" })
        // The first version stands word for word in another page.
        expect(kept3).toMatchObject({ purged: 1, still_in: ["wiki/concepts/twin.md"] })
        expect(kept(database)).not.toContain(secret)
        expect((yield* call("GET", at("pages"))).text).toBe(text("## A\n3"))
        expect(yield* status("pages", `?at=${shas[1]}`)).toBe(410)
        expect(yield* get("diff", SectionDiff)).toMatchObject({ purged: ["from"], sections: [{ status: "added" }] })
        const { commits } = yield* get("history", HistoryAnswer)
        expect(commits?.map(({ purged }) => purged === true)).toEqual([false, true, false])
        expect((yield* get("evolution", EvolutionAnswer, "?blame=true")).entries).toHaveLength(3)
        expect((yield* call("POST", at("revert"), { body: { to: shas[1], parent_sha: shas[2] } })).status).toBe(410)

        yield* post("purge", PurgeAnswer, {})
        expect(yield* post("purge", PurgeAnswer, {})).toMatchObject({ purged: 2, still_in: ["wiki/concepts/twin.md"] })
        expect(yield* status("pages")).toBe(404)
        expect((yield* checkData(database)).faults).toEqual([])
        expect(kept(database)).not.toContain(token)
      })
    )

    it.scoped("a message is bounded, since one answer has hundreds of them", () =>
      Effect.gen(function* () {
        const { call, shas } = yield* told(text("## A\n1"), text("## A\n2"))
        const body = { to: shas[0], parent_sha: shas[1], message: "m".repeat(16_385) }
        const refused = yield* call("POST", at("revert"), { body })
        expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("16384 characters")])
        const reason = { reason: "m".repeat(1_001) }
        expect((yield* call("POST", at("purge"), { body: reason })).status).toBe(400)
        expect((yield* call("GET", at("pages"))).text).toBe(text("## A\n2"))
      })
    )

    it.scoped("what never was there is said so", () =>
      Effect.gen(function* () {
        const { call } = yield* told(text("## A\n1"))
        const other = (route: string) => `/v1/repos/team/${route}/wiki/concepts/none.md`
        expect(JSON.parse((yield* call("GET", other("history"))).text)).toEqual({ commits: [] })
        expect((yield* call("GET", other("evolution"))).status).toBe(404)
        expect((yield* call("POST", other("purge"), { body: {} })).status).toBe(404)
        expect((yield* call("GET", "/v1/repos/team/history/config.json")).status).toBe(400)
      })
    )
  })
})
