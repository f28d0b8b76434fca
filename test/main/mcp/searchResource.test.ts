import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readResource } from "../../../src/main/mcp/Resources.ts"
import { freshPlace } from "../../support/place.ts"
import { open } from "../../support/team.ts"

describe("ctx://search", () => {
  it.scoped("is a list of pages, best first; filters narrow it, and what does not fit is named", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      const page = (tags: string, body: string) =>
        `---\nauthor: Ada\nreasoning_summary: Why\ntags: ${tags}\n---\n\n${body}\n`
      for (let n = 0; n < 120; n++) {
        yield* place.write(`.contexo/wiki/concepts/p${n}.md`, page("[a b]", `a user ${"🌊 word ".repeat(200)}`))
      }
      yield* place.write(".contexo/wiki/entities/user.md", page("[x]", "## Who\n\nThe user."))
      const { as } = yield* open(place.folder)
      const read = (uri: string) =>
        Effect.map(as(readResource(uri)), ({ contents: [list, rest] }) => ({
          pages: JSON.parse(list?.text ?? ""),
          rest
        }))
      const all = yield* read("ctx://search?q=user")
      expect(all.pages[0]).toEqual({
        slug: "user",
        type: "entity",
        path: "wiki/entities/user.md",
        author: "Ada",
        tags: ["x"],
        summary: "Why",
        heading: "## Who",
        excerpt: "The user."
      })
      const more = yield* read(all.rest?.uri ?? "")
      expect([all.pages.length + more.pages.length, more.rest]).toEqual([121, undefined])
      expect((yield* read("ctx://search?tag=a%20b&q=&type=")).pages.length).toBeGreaterThan(50)
      expect((yield* read("ctx://search?q=nobody")).pages).toEqual([])
      const { message } = yield* Effect.flip(as(readResource("ctx://search?type=page")))
      expect(message).toContain("concept, entity, analysis, source")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
