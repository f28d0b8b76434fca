import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { lookAlikes } from "../../../src/services/project/LookAlikes.ts"
import { freshPlace, platform } from "../../support/place.ts"

const place = Effect.provide(freshPlace, platform)
const near = (root: string) => Effect.provide(lookAlikes(root), platform)

describe("projects that somebody with an empty one may have meant (A18)", () => {
  it.scoped("are those in child folders, nearest first, three levels deep", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder(".contexo/wiki/.contexo")
      for (const path of ["b/x/.contexo", "c/.contexo", "a/.contexo", "d/e/f/.contexo", "d/e/f/g/.contexo"]) {
        yield* here.makeFolder(path)
      }
      expect(yield* near(here.folder)).toEqual(["a", "c", "b/x", "d/e/f"].map((path) => here.at(path)))
    })
  )

  it.scoped("are not looked for in node_modules and hidden folders, nor among files", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder(".contexo")
      yield* here.makeFolder("node_modules/x/.contexo")
      yield* here.makeFolder(".cache/x/.contexo")
      yield* here.write("a/.contexo", "a file")
      expect(yield* near(here.folder)).toEqual([])
    })
  )

  it.scoped("are the other worktrees, the main one included, and what encloses a nested project", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.write("app/nested/a.txt", "a")
      yield* here.git("app", "init", "-q")
      yield* here.git("app", "add", ".")
      yield* here.git("app", "commit", "-qm", "one")
      for (const name of ["wt1", "wt2", "wt3"]) yield* here.git("app", "worktree", "add", "-q", `../${name}`)
      for (const path of ["app/.contexo", "app/nested/.contexo", "wt1/.contexo", "wt2/.contexo"])
        yield* here.makeFolder(path)
      expect(yield* near(here.at("wt1"))).toEqual([here.at("app"), here.at("wt2")])
      expect(yield* near(here.at("app/nested"))).toEqual([here.at("app"), here.at("wt1"), here.at("wt2")])
    })
  )

  it.scoped("are none where there is none, five at most, and never an error", () =>
    Effect.gen(function* () {
      const here = yield* place
      expect(yield* near(here.at("no/such/folder"))).toEqual([])
      for (let n = 0; n < 9; n++) yield* here.makeFolder(`p${n}/.contexo`)
      expect(yield* near(here.folder)).toEqual([0, 1, 2, 3, 4].map((n) => here.at(`p${n}`)))
    })
  )

  it.scoped("survive a loop of links", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.makeFolder("a")
      yield* here.link("..", "a/up")
      yield* here.link("self", "a/self")
      expect(yield* near(here.at("a"))).toEqual([])
    })
  )
})
