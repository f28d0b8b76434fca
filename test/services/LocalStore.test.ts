import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { bundled, runChild } from "../support/disk/children.ts"
import { tempProject } from "../support/disk/project.ts"
import { page, storesOf } from "../support/disk/store.ts"

describe("several processes in one project", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped(
      "4 x 50 parallel read-modify-writes of pages, indexes and state lose nothing (A31, 10.2 no. 17)",
      () =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const root = yield* tempProject
          const child = yield* bundled("./readModifyWrite.ts")
          const names = ["one", "two", "three", "four"]
          yield* Effect.forEach(names, (name) => runChild(child, root, name, "50"), {
            concurrency: "unbounded"
          })
          const all = names.flatMap((name) => Array.from({ length: 50 }, (_, n) => `${name}-${n}`)).toSorted()
          const { pages, state } = yield* storesOf(root)
          const store = yield* pages
          const shared = Option.getOrThrow(yield* store.read(page("wiki/concepts/shared.md")))
          expect(shared.split("---\nShared.\n")[1]?.trimEnd().split("\n").toSorted()).toEqual(all)

          const { entries, problems } = yield* store.catalog
          expect(problems).toEqual([])
          expect(entries.size).toBe(201)
          const index = yield* fs.readFileString(`${root}/.contexo/index.md`)
          expect(all.filter((name) => !index.includes(`(wiki/entities/${name}.md)`))).toEqual([])

          const { bases, recorded } = yield* (yield* state).snapshot
          expect([recorded.size, bases.size]).toEqual([201, 201])
          expect([...entries].filter(([path, { hash }]) => bases.get(path)?.hash !== hash)).toEqual([])
          const folders = yield* Effect.forEach(["", "wiki/concepts", "wiki/entities", ".sync"], (folder) =>
            fs.readDirectory(`${root}/.contexo/${folder}`)
          )
          expect(folders.flat().filter((name) => name.endsWith(".tmp"))).toEqual([])
        }),
      240_000
    )

    it.scoped("a project is left as it was found while it is only read", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const root = yield* tempProject
        const { pages, state } = yield* storesOf(root)
        const store = yield* pages
        yield* store.catalog
        yield* store.read(page("wiki/concepts/a.md"))
        yield* store.find(page("wiki/concepts/a.md"))
        yield* (yield* state).snapshot
        yield* (yield* state).awaiting
        expect(yield* fs.readDirectory(`${root}/.contexo`)).toEqual([])
      })
    )
  })
})
