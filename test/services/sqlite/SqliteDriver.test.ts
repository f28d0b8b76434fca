import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { open } from "../../../src/services/sqlite/SqliteDriver.ts"

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

describe("SqliteDriver", () => {
  layer(NodeContext.layer)((it) => {
    it.scoped("creates a private file, in WAL on a safe engine, and keeps what was written", () =>
      Effect.gen(function* () {
        const path = `${yield* folder}/a.db`
        yield* Effect.scoped(
          Effect.gen(function* () {
            const db = yield* open({ path })
            yield* db.exec("CREATE TABLE t (n INTEGER, s TEXT, b BLOB)")
            const { changes, lastInsertRowid } = yield* db.run("INSERT INTO t VALUES (?, ?, ?)", [
              1,
              "é\u0000x",
              new Uint8Array([0, 255])
            ])
            expect({ changes, lastInsertRowid }).toEqual({ changes: 1, lastInsertRowid: 1 })
          })
        )
        const again = yield* open({ path, readOnly: true })
        expect(again.journalMode).toBe("wal")
        const rows = yield* again.all("SELECT n, b, length(CAST(s AS BLOB)) AS bytes FROM t WHERE n = ?", [1])
        expect(rows.map(({ n, b, bytes }) => ({ n, b, bytes }))).toEqual([
          { n: 1, b: new Uint8Array([0, 255]), bytes: 4 }
        ])
        const info = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.stat(path))
        expect(info.mode & 0o777).toBe(0o600)
      })
    )

    it.scoped(
      "names file, reason and what to do: a missing folder, a file that is no database, a read-only handle",
      () =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const root = yield* folder
          const missing = yield* Effect.flip(open({ path: `${root}/none/a.db` }))
          expect(missing.code).toBe("cantopen")
          expect(missing.message).toContain(`${root}/none/a.db`)

          yield* fs.writeFileString(`${root}/text.db`, "This is a letter, not a database. ".repeat(40))
          const corrupt = yield* Effect.flip(open({ path: `${root}/text.db` }))
          expect(corrupt.code).toBe("corrupt")
          expect(yield* fs.readFileString(`${root}/text.db`)).toMatch(/^This is a letter/)

          yield* Effect.scoped(Effect.flatMap(open({ path: `${root}/b.db` }), (db) => db.exec("CREATE TABLE t (n)")))
          const reader = yield* open({ path: `${root}/b.db`, readOnly: true })
          expect((yield* Effect.flip(reader.run("INSERT INTO t VALUES (1)"))).code).toBe("readonly")
        })
    )

    it.scoped("tells a broken constraint and a lock held by another connection apart", () =>
      Effect.gen(function* () {
        const path = `${yield* folder}/a.db`
        const one = yield* open({ path, busyTimeoutMs: 1 })
        const two = yield* open({ path, busyTimeoutMs: 1 })
        yield* one.exec("CREATE TABLE t (n INTEGER PRIMARY KEY)")
        yield* one.run("INSERT INTO t VALUES (1)")
        expect((yield* Effect.flip(one.run("INSERT INTO t VALUES (1)"))).code).toBe("constraint")
        yield* one.exec("BEGIN IMMEDIATE")
        expect((yield* Effect.flip(two.exec("BEGIN IMMEDIATE"))).code).toBe("busy")
        yield* one.exec("ROLLBACK")
        yield* two.exec("BEGIN IMMEDIATE; COMMIT")
      })
    )

    it.scoped("opens while twenty others open the same new file", () =>
      Effect.gen(function* () {
        const path = `${yield* folder}/a.db`
        const all = yield* Effect.forEach(Array.from({ length: 20 }), () => open({ path, busyTimeoutMs: 1 }), {
          concurrency: "unbounded"
        })
        expect(new Set(all.map((db) => db.journalMode)).size).toBe(1)
      })
    )
  })
})
