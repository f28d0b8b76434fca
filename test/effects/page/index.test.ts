import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { pull } from "../../../src/effects/sync/pull.ts"
import { push } from "../../../src/effects/sync/Push.ts"
import { writePage } from "../../../src/effects/page/writePage.ts"
import { pullText } from "../../../src/main/render/pull.ts"
import { freshTeam } from "../../support/team.ts"

describe("index.md", () => {
  it.scoped("lists what is on disk after every pull, also where the pull itself wrote nothing", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const ada = yield* (yield* freshTeam).member("ada")
      const file = (path: string) => `${ada.root}/.contexo/${path}`
      yield* ada.as(writePage({ slug: "kept", type: "concept", body: "Kept.\n" }))
      yield* ada.as(writePage({ slug: "gone", type: "concept", body: "Gone.\n" }))
      yield* ada.as(push({}, {}))
      // A hand, or a process killed before it came to the index.
      yield* fs.remove(file("wiki/concepts/gone.md"))
      yield* fs.copyFile(file("wiki/concepts/kept.md"), file("wiki/concepts/came.md"))
      expect(yield* Effect.map(ada.as(pull({})), pullText)).toMatch(/^Pulled 0 page/)
      const index = yield* fs.readFileString(file("index.md"))
      expect(index).toContain("wiki/concepts/came.md")
      expect(index).not.toContain("wiki/concepts/gone.md")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
