import { Command, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer as withLayer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { DatabaseSync } from "node:sqlite"
import { commitBytes } from "../../../src/model/page/GitObject.ts"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { Sha } from "../../../src/model/page/Sha.ts"
import { ServerStore } from "../../../src/services/server/ServerStore.ts"
import { layer } from "../../../src/services/server/ServerStoreSqlite.ts"
import { migrate } from "../../../src/services/server/sql/migrations.ts"
import * as Sqlite from "../../../src/services/sqlite/SqliteClient.ts"
import { ana, command, file, land, path, push, repo, withRepo } from "./fixtures.ts"
import { serverStoreSuite } from "./serverStoreSuite.ts"

const temporary = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

serverStoreSuite("SQLite", Layer.unwrapScoped(Effect.map(temporary, (folder) => layer(`${folder}/server.db`))))

describe("ServerStoreSqlite", () => {
  withLayer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("several servers on one file: 20 pushes of one new page through 4 connections, one wins", () =>
      Effect.gen(function* () {
        const database = `${yield* temporary}/server.db`
        const servers = yield* Effect.forEach([1, 2, 3, 4], () => Layer.build(layer(database)))
        yield* Effect.forEach(servers.slice(0, 1), (server) => Effect.provide(withRepo, server))
        const pushes = Array.from({ length: 5 }, (_, n) =>
          servers.map((server, m) => Effect.provide(push(file(path, `content ${n} ${m}`)), server))
        ).flat()
        const results = yield* Effect.all(pushes, { concurrency: "unbounded" })
        expect(results.filter((result) => result._tag === "Landed")).toHaveLength(1)
      })
    )

    it.scoped("what landed is there after the database is closed and opened again, push ids included", () =>
      Effect.gen(function* () {
        const file1 = `${yield* temporary}/server.db`
        const once = command([file(path, "one")], { pushId: Option.some("0123456789") })
        const answer = yield* Effect.provide(
          Effect.flatMap(withRepo, (store) => store.push(once)),
          layer(file1)
        )
        yield* Effect.gen(function* () {
          const store = yield* ServerStore
          expect(yield* store.push(once)).toEqual(answer)
          expect((yield* store.pages(repo)).map((page) => page.path)).toEqual([path])
          expect(yield* store.standingOf(repo, ana.id)).toBe("owner")
        }).pipe(Effect.provide(layer(file1)))
      })
    )

    it.scoped(
      "commit ids are git's over the real tree of all pages: `git write-tree` and `git commit-tree` agree",
      () =>
        Effect.gen(function* () {
          const folder = yield* temporary
          const fs = yield* FileSystem.FileSystem
          const second = PagePath.make("raw/sessions/s1.md")
          yield* Effect.gen(function* () {
            const store = yield* withRepo
            const one = yield* land(path, "one\n")
            const both = yield* push(file(second, "session\n"), file(PagePath.make("wiki/concepts/B.md"), "b"))
            const three = yield* land(second, undefined, Option.getOrThrow(both.head))
            const four = yield* land(path, "four", one)
            expect(new Set((yield* store.commits(repo, 9)).map(({ sha }) => sha)).size).toBe(4)

            yield* git(folder, "init", "-q")
            yield* fs.makeDirectory(`${folder}/wiki/concepts`, { recursive: true })
            yield* fs.writeFileString(`${folder}/wiki/concepts/auth.md`, "four")
            yield* fs.writeFileString(`${folder}/wiki/concepts/B.md`, "b")
            yield* git(folder, "-c", "core.autocrlf=false", "add", "wiki")
            const fields = {
              tree: Sha.make(yield* git(folder, "write-tree")),
              parent: Option.some(three),
              author: { name: "Ana", email: "ana@example.com" },
              seconds: 1_767_225_600,
              message: "ctx push"
            }
            yield* fs.writeFile(`${folder}/commit`, commitBytes(fields))
            expect(yield* git(folder, "hash-object", "-t", "commit", "--literally", "commit")).toBe(four)
          }).pipe(Effect.provide(layer(`${folder}/server.db`)))
        })
    )

    it.scoped("a purge while another program reads is no success, and again after it is one", () =>
      Effect.gen(function* () {
        const folder = yield* temporary
        const fs = yield* FileSystem.FileSystem
        const kept = Effect.gen(function* () {
          const names = yield* fs.readDirectory(folder)
          const files = yield* Effect.forEach(names, (name) => fs.readFile(`${folder}/${name}`))
          return Buffer.concat(files).toString("latin1")
        })
        yield* Effect.gen(function* () {
          const store = yield* withRepo
          yield* land(path, "a new page", yield* land(path, "s3cr3t"))
          const erase = store.erase({ repo, path, by: ana.id, reason: "", now: 0 })
          const reader = new DatabaseSync(`${folder}/server.db`)
          reader.exec("BEGIN; SELECT COUNT(*) FROM bodies")
          expect((yield* Effect.flip(erase)).message).toContain("another program reads the database")
          expect(yield* kept).toContain("s3cr3t")
          reader.exec("COMMIT")
          reader.close()
          expect(yield* erase).toEqual({ versions: 1, stillIn: [], formerly: [] })
          expect(yield* kept).not.toContain("s3cr3t")
        }).pipe(Effect.provide(layer(`${folder}/server.db`)))
      })
    )

    it.scoped("a file that is no database, and one of a newer program, are refused and left as they are", () =>
      Effect.gen(function* () {
        const folder = yield* temporary
        const fs = yield* FileSystem.FileSystem
        yield* fs.writeFileString(`${folder}/letter.db`, "not a database ".repeat(100))
        const corrupt = yield* Effect.flip(Layer.build(layer(`${folder}/letter.db`)))
        expect(corrupt.message).toContain(`${folder}/letter.db`)
        expect(yield* fs.readFileString(`${folder}/letter.db`)).toMatch(/^not a database/)

        const future = Array.from({ length: 50 }, (_, n) => ({ name: `step ${n}`, statements: [] }))
        yield* Effect.provide(migrate(future), Sqlite.layer({ path: `${folder}/new.db` }))
        const newer = yield* Effect.flip(Layer.build(layer(`${folder}/new.db`)))
        expect(newer.message).toContain("newer ctx-mcp")
      })
    )
  })
})

const git = (folder: string, ...args: ReadonlyArray<string>) =>
  Effect.map(Command.string(Command.workingDirectory(Command.make("git", ...args), folder)), (out) => out.trim())
