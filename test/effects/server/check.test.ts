import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { DatabaseSync } from "node:sqlite"
import { checkData } from "../../../src/effects/server/check.ts"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { layer as sqlite } from "../../../src/services/server/ServerStoreSqlite.ts"
import { land, path, withRepo } from "../../services/server/fixtures.ts"

const twin = PagePath.make("wiki/concepts/Auth.md")
const entity = PagePath.make("wiki/entities/queue.md")

/** A database with five commits: two edits, a deletion, a page that comes back under another case. */
const history = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const database = `${yield* fs.makeTempDirectoryScoped()}/server.db`
  yield* Effect.gen(function* () {
    yield* withRepo
    const first = yield* land(path, "one")
    yield* land(entity, "queue")
    const second = yield* land(path, "two", first)
    yield* land(path, undefined, second)
    yield* land(twin, "three")
  }).pipe(Effect.provide(sqlite(database)))
  return database
})

const tamper = (database: string, sql: string) =>
  Effect.sync(() => {
    const db = new DatabaseSync(database, { enableForeignKeyConstraints: false })
    db.exec(sql)
    db.close()
  })

const faultsAfter = (sql: string) =>
  Effect.gen(function* () {
    const database = yield* history
    yield* tamper(database, sql)
    return (yield* checkData(database)).faults
  })

const test = <E>(name: string, run: Effect.Effect<void, E, Effect.Effect.Context<typeof history>>) =>
  it.scoped(name, () => Effect.provide(run, NodeContext.layer))

describe("checking a server's data", () => {
  test(
    "counts what it read, and finds nothing where nothing is wrong",
    Effect.gen(function* () {
      expect(yield* checkData(yield* history)).toEqual({ repositories: 1, commits: 5, versions: 5, faults: [] })
    })
  )

  const finds = (what: string, sql: string, ...expected: ReadonlyArray<RegExp>) =>
    test(
      `finds ${what}`,
      Effect.gen(function* () {
        const faults = yield* faultsAfter(sql)
        for (const one of expected) expect(faults.join("\n")).toMatch(one)
      })
    )

  finds(
    "a text that changed on the disk, with every id that it went into",
    "UPDATE bodies SET content = CAST('onf' AS BLOB) WHERE content = CAST('one' AS BLOB)",
    /^team: a stored text does not fit its hash [0-9a-f]{64}$/m,
    /^team: the pages of commit 1 do not make its tree$/m,
    /^team: commit 1 does not have the id that git would give it$/m
  )
  finds(
    "a text that is gone",
    "DELETE FROM bodies WHERE content = CAST('two' AS BLOB)",
    /^team: wiki\/concepts\/auth.md in commit 3 has no text$/m
  )
  finds(
    "a commit whose author, time or message was rewritten",
    "UPDATE commits SET message = 'nothing to see' WHERE seq = 2",
    /^team: commit 2 does not have the id that git would give it$/
  )
  finds("a commit that is gone", "DELETE FROM commits WHERE seq = 5", /^team: the head is commit 5, and there are 4$/m)
  finds(
    "a version that is gone",
    "DELETE FROM versions WHERE seq = 2",
    /^team: the pages of commit 2 do not make its tree$/m,
    /^team: 1 page\(s\) in its history, 2 listed$/m
  )
  finds(
    "a page that is not its last version",
    "UPDATE pages SET sha = (SELECT sha FROM commits WHERE seq = 1) WHERE path = 'wiki/concepts/Auth.md'",
    /^team: wiki\/concepts\/Auth.md is not listed as its last version$/
  )
  finds(
    "a folder whose tree is another one",
    "UPDATE folders SET tree = (SELECT tree FROM commits WHERE seq = 1)",
    /^team: the stored folder trees are not those of its pages$/
  )
  test(
    "a path that is no page's",
    Effect.gen(function* () {
      const faults = yield* faultsAfter("UPDATE versions SET path = '../../etc/passwd' WHERE seq = 2")
      expect(faults.join("\n")).toContain("team: commit 2 names a path that is no page's: ../../etc/passwd")
    })
  )
  test(
    "is refused where there is no database",
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = `${yield* fs.makeTempDirectoryScoped()}/server.db`
      yield* fs.writeFileString(file, "no database ".repeat(100))
      expect(yield* Effect.flip(checkData(file))).toMatchObject({ _tag: "SqliteFailure", code: "corrupt" })
    })
  )
})
