import { Command, FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { blobId } from "../../../src/model/page/GitObject.ts"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { folderPathOf, folderTree, rootTree } from "../../../src/model/page/PageTree.ts"
import type { Sha } from "../../../src/model/page/Sha.ts"

describe("PageTree", () => {
  layer(NodeContext.layer)((it) => {
    it.scoped("the tree of some pages is the tree that `git write-tree` makes of the same files", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { dirname, join } = yield* Path.Path
        const folder = yield* fs.makeTempDirectoryScoped()
        const git = (...args: ReadonlyArray<string>) =>
          Effect.map(Command.string(Command.workingDirectory(Command.make("git", ...args), folder)), (out) =>
            out.trim()
          )
        yield* git("init", "-q")
        const pages = [
          "wiki/concepts/a.md",
          "wiki/concepts/A-b.md",
          "wiki/analyses/x_1.md",
          "raw/sessions/2026.01.md"
        ].map((path) => PagePath.make(path))
        const folders = new Map<string, Map<PagePath, Sha>>()
        for (const path of pages) {
          yield* fs.makeDirectory(dirname(join(folder, path)), { recursive: true })
          yield* fs.writeFileString(join(folder, path), `# ${path}\n`)
          const blobs = folders.get(folderPathOf(path)) ?? new Map<PagePath, Sha>()
          folders.set(folderPathOf(path), blobs.set(path, blobId(new TextEncoder().encode(`# ${path}\n`))))
        }
        yield* git("-c", "core.autocrlf=false", "add", ".")
        const trees = new Map(Array.from(folders, ([name, blobs]) => [name, Option.getOrThrow(folderTree(blobs))]))
        expect(rootTree(trees)).toBe(yield* git("write-tree"))
      })
    )

    it("a folder without pages is not in the tree", () => {
      expect(folderTree(new Map())).toEqual(Option.none())
      expect(rootTree(new Map())).toBe("4b825dc642cb6eb9a060e54bf8d69288fbee4904")
    })
  })
})
