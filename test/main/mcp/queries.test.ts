import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect } from "effect"
import { push } from "../../../src/effects/sync/Push.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { servedAt } from "../../support/mcpServer.ts"
import { withEnvironment } from "../../support/place.ts"
import { freshTeam } from "../../support/team.ts"

const queries = ["ctx_status", "ctx_search", "ctx_history", "ctx_diff", "ctx_evolution"]

describe("the tools that only ask, and never answer with a directive", () => {
  it.scopedLive("answer with data of the shape that they announce, beside the text; no other tool has any", () =>
    Effect.gen(function* () {
      const ada = yield* (yield* freshTeam).member("ada")
      const write = (body: string) => writePage({ slug: "ports", type: "concept", body, tags: ["net"] })
      yield* ada.as(Effect.zipRight(write("## Decision\n\n4848.\n"), push({}, { message: "first" })))
      yield* ada.as(Effect.zipRight(write("## Decision\n\n4849.\n"), push({}, { message: "second" })))
      const client = yield* servedAt(ada.root)
      const { result } = yield* client.request("tools/list")
      const tools = Object.values(result?.["tools"] ?? {})
      expect(tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name)).toEqual(queries)

      const ajv = new Ajv2020({ strict: false })
      const ask = (name: string, input: object) =>
        Effect.map(client.request("tools/call", { name, arguments: input }), (answer) => {
          expect(answer.result?.["content"], name).toHaveLength(1)
          const data = answer.result?.["structuredContent"]
          const { outputSchema } = tools.find((tool) => tool.name === name)
          expect(outputSchema).toMatchObject({ type: "object" })
          expect(ajv.validate(outputSchema, data), `${name}: ${ajv.errorsText()}`).toBe(true)
          return data
        })
      expect(yield* ask("ctx_status", {})).toMatchObject({
        repo: "demo",
        user: { name: "ada", email: "" },
        authenticated: true,
        local_pages: 1,
        last_pull: null,
        never_pushed_pages: 0
      })
      expect(yield* ask("ctx_search", { query: "decision" })).toMatchObject({
        results: [{ slug: "ports", type: "concept", tags: ["net"] }],
        total: 1
      })
      const slug = "ports"
      const messages = [{ message: "second" }, { message: "first" }]
      expect(yield* ask("ctx_history", { slug })).toMatchObject({ commits: messages })
      expect(yield* ask("ctx_history", { slug, limit: 1 })).toMatchObject({ next_cursor: expect.any(String) })
      expect(yield* ask("ctx_diff", { slug, lines: true, blame: true })).toMatchObject({
        path: "wiki/concepts/ports.md",
        sections: [{ heading: "## Decision", status: "modified", introduced_by: { message: "first" } }]
      })
      expect(yield* ask("ctx_evolution", { slug })).toMatchObject({
        entries: [{ commit: { message: "second" } }, { commit: { message: "first" } }]
      })

      const failed = yield* client.request("tools/call", { name: "ctx_history", arguments: { slug: "ghost" } })
      expect(failed.result).toMatchObject({ isError: true })
      expect(failed.result).not.toHaveProperty("structuredContent")
    }).pipe(Effect.provide(NodeContext.layer), withEnvironment({}))
  )
})
