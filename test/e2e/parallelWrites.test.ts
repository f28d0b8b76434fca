import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ctx, folder, server } from "../support/cli.ts"
import { mcpProcess } from "../support/mcp.ts"

const processes = 4
const writes = 50
const all = processes * writes

describe("A31: several servers on one project", () => {
  it.scopedLive(
    "4 ctx-mcp with 50 parallel writes each: 200 acknowledged, on disk, in the index, and pushed once",
    () =>
      Effect.gen(function* () {
        const to = yield* server
        const root = yield* folder
        yield* ctx(root, ["init", "--no-mcp"])
        yield* ctx(root, ["login", "--server", to.url, "--token", to.token, "--repo", "acme"])

        const peers = yield* Effect.all(
          Array.from({ length: processes }, () => mcpProcess(root).pipe(Effect.tap(({ peer }) => peer.greet()))),
          { concurrency: "unbounded" }
        )
        const answers = yield* Effect.all(
          peers.flatMap(({ peer }, process) =>
            Array.from({ length: writes }, (_, n) =>
              peer.call("ctx_write_page", {
                slug: `page-${process}-${n}`,
                type: "concept",
                body: `## Decision\n\n${n}\n`
              })
            )
          ),
          { concurrency: "unbounded" }
        )
        expect(
          answers.filter(({ isError, text }) => !isError && text.startsWith("Wrote wiki/concepts/page-"))
        ).toHaveLength(all)

        const files = readdirSync(join(root, ".contexo", "wiki", "concepts"))
        expect(files.filter((name) => name.endsWith(".md"))).toHaveLength(all)
        expect(files.filter((name) => !name.endsWith(".md"))).toEqual([])
        const index = readFileSync(join(root, ".contexo", "index.md"), "utf8")
        expect(index.match(/\(wiki\/concepts\/page-\d+-\d+\.md\)/g)).toHaveLength(all)

        const [first] = peers
        const before = yield* first?.peer.call("ctx_status") ?? Effect.die("no peer")
        expect(before.text).toContain(`Local pages: ${all}\n`)
        expect(before.text).toContain(`Never-pushed pages: ${all}\n`)

        const pushed = yield* first?.peer.call("ctx_push") ?? Effect.die("no peer")
        expect(pushed.text).toMatch(new RegExp(`^Pushed ${all} page\\(s\\); HEAD=[0-9a-f]{8}$`))
        const state = JSON.parse(readFileSync(join(root, ".contexo", ".sync", "state.json"), "utf8"))
        expect(Object.keys(state.page_shas)).toHaveLength(all)
        const after = yield* first?.peer.call("ctx_status") ?? Effect.die("no peer")
        expect(after.text).toContain("Never-pushed pages: 0\n")
      })
  )
})
