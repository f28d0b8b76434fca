import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { pull } from "../../../src/effects/sync/pull.ts"
import { push } from "../../../src/effects/sync/Push.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { pageFile, servedAt, servedProject } from "../../support/mcpServer.ts"
import { withEnvironment } from "../../support/place.ts"
import { freshTeam } from "../../support/team.ts"
import type { Peer } from "../../support/mcp.ts"

const run = <A, E>(test: Effect.Effect<A, E, Scope.Scope | NodeContext.NodeContext>) =>
  test.pipe(Effect.provide(NodeContext.layer), withEnvironment({}))

const page = (folder: string, slug: string) => `.contexo/${folder}/${slug}.md`

/** The URIs of a part of `resources/list`, and where the next one begins. */
const list = (client: Peer, cursor?: string) =>
  Effect.map(client.request("resources/list", cursor === undefined ? {} : { cursor }), ({ error, result }) => ({
    error,
    resources: Object.values(result?.["resources"] ?? {}),
    next: result?.["nextCursor"]
  }))

describe("resources/list", () => {
  it.scopedLive("names every page after the indexes, once, with what it is about, made safe", () =>
    run(
      Effect.gen(function* () {
        const { client, place } = yield* servedProject
        const says = { reasoning_summary: '"why \\u202e<PUSH_PAUSED>\\nso"' }
        yield* place.write(page("wiki/concepts", "retry-rule"), pageFile("Text.\n", says))
        yield* place.write(page("wiki/analyses", "retry-rule"), pageFile("The concept of this name is read.\n"))
        yield* place.write(page("wiki/entities", "stamp"), pageFile("First. Then.\n", { updated: "yesterday" }))
        yield* place.write(page("raw/sessions", "2026-07-05-x"), pageFile("Trail.\n"))
        yield* place.write(page("wiki/concepts", "broken"), "---\nunclosed: [\n---\n")
        const { next, resources } = yield* list(client)
        expect(next).toBeUndefined()
        expect(resources.map(({ uri }) => uri)).toEqual([
          "ctx://index",
          "ctx://tags",
          "ctx://raw/2026-07-05-x",
          "ctx://wiki/retry-rule",
          "ctx://wiki/stamp"
        ])
        expect(resources[3]).toEqual({
          uri: "ctx://wiki/retry-rule",
          name: "retry-rule",
          title: "Retry Rule",
          description: "why <\\PUSH_PAUSED> so",
          mimeType: "text/markdown",
          size: expect.any(Number),
          annotations: { priority: 0.6, lastModified: "2026-01-02T00:00:00Z" }
        })
        expect(resources[4]).toMatchObject({ description: "First", annotations: { priority: 0.6 } })
        expect(resources[4].annotations).not.toHaveProperty("lastModified")
      })
    )
  )

  it.scopedLive("A23: comes in parts; a page that goes between two of them puts nothing out of step", () =>
    run(
      Effect.gen(function* () {
        const { client, place } = yield* servedProject
        const slugs = Array.from({ length: 250 }, (_, n) => `p-${String(n).padStart(3, "0")}`)
        for (const slug of slugs) yield* place.write(page("wiki/concepts", slug), pageFile("🦜".repeat(2_000)))
        const first = yield* list(client)
        yield* place.remove(page("wiki/concepts", "p-099"))
        yield* place.remove(page("wiki/concepts", "p-150"))
        const second = yield* list(client, String(first.next))
        const third = yield* list(client, String(second.next))
        expect(third.next).toBeUndefined()
        const seen = [...first.resources.slice(2), ...second.resources, ...third.resources].map(({ name }) => name)
        expect(seen).toEqual(slugs.filter((slug) => slug !== "p-150"))
        for (const { resources } of [first, second, third]) {
          expect(Buffer.byteLength(JSON.stringify(resources))).toBeLessThan(80_000)
        }
      })
    )
  )

  it.scopedLive("and every other list refuse a cursor that they did not give", () =>
    run(
      Effect.gen(function* () {
        const { client } = yield* servedProject
        for (const method of ["resources/list", "tools/list", "prompts/list", "resources/templates/list"]) {
          expect((yield* client.request(method, { cursor: "../x" })).error).toMatchObject({ code: -32602 })
        }
      })
    )
  )
})

describe("completion/complete", () => {
  it.scopedLive(
    "knows slugs, sessions, types and tags: those that begin so first, whatever the case, 100 at most",
    () =>
      run(
        Effect.gen(function* () {
          const { client, place } = yield* servedProject
          yield* place.write(page("wiki/concepts", "billing"), pageFile("x", { tags: '[Zebra, "a\\tb"]' }))
          yield* place.write(page("wiki/entities", "old-billing"), pageFile("x"))
          yield* place.write(page("raw/sessions", "2026-s"), pageFile("x"))
          const complete = (ref: object, name: string, value: string) =>
            Effect.map(client.request("completion/complete", { ref, argument: { name, value } }), ({ error, result }) =>
              error === undefined ? result?.["completion"] : error.code
            )
          const template = (uri: string) => ({ type: "ref/resource", uri })
          const only = (...values: ReadonlyArray<string>) => ({ values, total: values.length, hasMore: false })
          expect(yield* complete(template("ctx://wiki/{slug}"), "slug", "BILL")).toEqual(only("billing", "old-billing"))
          expect(yield* complete(template("ctx://raw/{session-id}"), "session-id", "")).toEqual(only("2026-s"))
          const search = template("ctx://search{?q,type,tag}")
          expect(yield* complete(search, "type", "e")).toEqual(only("entity", "concept", "source"))
          expect(yield* complete(search, "tag", "")).toEqual(only("Zebra", "a b"))
          expect(yield* complete(search, "q", "b")).toEqual(only())
          expect(yield* complete({ type: "ref/prompt", name: "onboard" }, "topic", "zeb")).toEqual(only("Zebra"))
          expect(yield* complete({ type: "ref/prompt", name: "merge" }, "slug", "")).toEqual(only())
          expect(yield* complete({ type: "ref/prompt", name: "nothing" }, "slug", "")).toBe(-32602)
          expect(yield* complete(template("file:///{x}"), "x", "")).toBe(-32602)

          for (let n = 0; n < 120; n++) yield* place.write(page("wiki/concepts", `many-${n}`), pageFile("x"))
          expect(yield* complete(template("ctx://wiki/{slug}"), "slug", "many")).toMatchObject({
            values: { length: 100 },
            total: 120,
            hasMore: true
          })
        })
      )
  )
})

describe("prompts", () => {
  it.scopedLive("are listed with their arguments", () =>
    run(
      Effect.gen(function* () {
        const { client } = yield* servedProject
        expect((yield* client.request("prompts/list")).result?.["prompts"]).toMatchObject([
          { name: "onboard", title: "What does the team know?", arguments: [{ name: "topic", required: false }] },
          { name: "distill", title: "Write down why", arguments: [{ name: "session_id", required: false }] },
          { name: "merge", title: "Merge pages", arguments: [{ name: "slug", required: false }] }
        ])
        expect((yield* client.request("prompts/get", { name: "nothing" })).error).toMatchObject({ code: -32602 })
        const odd = { name: "merge", arguments: { slig: "x" } }
        expect((yield* client.request("prompts/get", odd)).error?.message).toContain("the arguments are slug")
      })
    )
  )

  it.scopedLive("onboard: says what to do first, and brings the index as the resource that it is", () =>
    run(
      Effect.gen(function* () {
        const { client } = yield* servedProject
        yield* client.call("ctx_write_page", { slug: "ports", type: "concept", body: "We listen on 4848.\n" })
        const got = yield* client.request("prompts/get", {
          name: "onboard",
          arguments: { topic: "ports </PUSH_PAUSED>" }
        })
        expect(got.result?.["messages"]).toMatchObject([
          {
            role: "user",
            content: { type: "text", text: expect.stringContaining("ports </\\PUSH_PAUSED>, and tell me") }
          },
          {
            role: "user",
            content: {
              type: "resource",
              resource: { uri: "ctx://index", text: expect.stringContaining("wiki/concepts/ports.md") }
            }
          }
        ])
        expect(JSON.stringify(got.result)).toContain("Nothing was pulled here yet.")
      })
    )
  )

  it.scopedLive("A23: onboard, with an index longer than an answer, says where it goes on", () =>
    run(
      Effect.gen(function* () {
        const { client, place } = yield* servedProject
        yield* place.write(".contexo/index.md", `- a "line" of the index\n`.repeat(5_000))
        const topic = "题".repeat(1_000)
        const { result } = yield* client.request("prompts/get", { name: "onboard", arguments: { topic } })
        const text = JSON.stringify(result)
        expect(Buffer.byteLength(text)).toBeLessThan(80_000)
        expect(text).toMatch(/more characters: read on at ctx:\/\/index\?offset=\d+/)
      })
    )
  )

  it.scopedLive("merge: where nothing awaits one, says so", () =>
    run(
      Effect.gen(function* () {
        const { client } = yield* servedProject
        const { result } = yield* client.request("prompts/get", { name: "merge" })
        expect(result?.["messages"]).toMatchObject([
          { content: { text: expect.stringContaining("No page awaits a merge here") } }
        ])
      })
    )
  )

  it.scopedLive("merge: names the pages that await one, also as what its argument may be, and how to go about it", () =>
    run(
      Effect.gen(function* () {
        const team = yield* freshTeam
        const [ada, ben] = [yield* team.member("ada"), yield* team.member("ben")]
        const write = (body: string) => writePage({ slug: "ports", type: "concept", body })
        yield* ada.as(Effect.zipRight(write("## A\n1\n"), push({}, {})))
        yield* ben.as(pull({}))
        yield* ada.as(Effect.zipRight(write("## A\n2\n"), push({}, {})))
        yield* ben.as(Effect.zipRight(write("## A\n3\n"), push({}, {})))

        const client = yield* servedAt(ben.root)
        const get = (input: object) =>
          Effect.map(client.request("prompts/get", { name: "merge", arguments: input }), ({ result }) =>
            JSON.stringify(result?.["messages"])
          )
        expect(yield* get({})).toMatch(
          /await their merge:\\n- wiki\/concepts\/ports.md\\n.*1\. Call ctx_push.*ctx_write_page/
        )
        expect(yield* get({ slug: "hosts" })).toContain("hosts awaits no merge. What does:")
        const ref = { type: "ref/prompt", name: "merge" }
        const { result } = yield* client.request("completion/complete", { ref, argument: { name: "slug", value: "p" } })
        expect(result).toMatchObject({ completion: { values: ["ports"] } })
      })
    )
  )
})
