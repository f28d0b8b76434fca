import { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"
import { decodeColumns, encodeRow } from "./CatalogRow.ts"
import { lazyDatabase } from "../project/LazyDatabase.ts"
import type { SeenFile } from "./PageFile.ts"
import { Project } from "../project/Project.ts"
import type { SqliteDatabase, SqliteFailure } from "../sqlite/SqliteDriver.ts"
import { ensureFolder } from "../project/StoreFolder.ts"
import { locate } from "../project/StorePathDriver.ts"

/** What the pages looked like when they were last read, kept between processes. It saves time; nothing depends on it. */
export interface CatalogCache {
  /** Empty where there is no cache, or none that can be read. */
  readonly load: Effect.Effect<ReadonlyArray<SeenFile>>
  /** Stores what was seen under a path; undefined forgets it. False: it could not be written. */
  readonly save: (changes: ReadonlyMap<string, SeenFile | undefined>) => Effect.Effect<boolean>
}

/** Raise it whenever a page would be read differently: then everything is read anew. */
const version = 1

/**
 * The cache in `.contexo/.cache/catalog.db`. Missing, corrupt or of another version: begun anew. Not writable, or in use
 * by another process: worked without.
 *
 * Gotcha: one caller at a time.
 */
export const make = Effect.gen(function* () {
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const fs = yield* FileSystem.FileSystem
  const { contexo } = yield* Project
  const path = (yield* Path.Path).join(contexo, ".cache", "catalog.db")
  const database = yield* lazyDatabase({ path, busyTimeoutMs: 100, journal: "rollback" }, upToDate)

  const discard = Effect.zipRight(
    database.close,
    Effect.forEach([path, `${path}-journal`], (file) => Effect.ignore(fs.remove(file)), { discard: true })
  )
  /** Runs with the database; what is wrong with it is never the caller's failure. */
  const attempt = <A>(use: (db: SqliteDatabase) => Effect.Effect<A, SqliteFailure>, otherwise: A): Effect.Effect<A> =>
    Effect.flatMap(database.current, use).pipe(
      Effect.tapError(({ code }) => (code === "corrupt" || code === "other" ? discard : Effect.void)),
      Effect.catchAll((failure) =>
        Effect.as(Effect.logDebug(`the page cache is not used: ${failure.message}`), otherwise)
      )
    )

  const load = Effect.suspend(() =>
    locate(contexo, ".cache/catalog.db")._tag === "File" ? attempt(readRows, nothing) : Effect.succeed(nothing)
  )
  const save: CatalogCache["save"] = (changes) =>
    ensureFolder(contexo, ".cache").pipe(
      Effect.provide(platform),
      Effect.flatMap(() => attempt((db) => Effect.as(writeRows(db, changes), true), false)),
      Effect.catchTag("FileFailure", ({ message }) => Effect.as(Effect.logDebug(message), false))
    )
  return { load, save } satisfies CatalogCache
})

const nothing: ReadonlyArray<SeenFile> = []

/** Gives a file our table, emptied where another version of us wrote it. */
const upToDate = Effect.fnUntraced(function* (db: SqliteDatabase) {
  // No fsync: what a power failure leaves of the cache is noticed as corrupt, or fits no file.
  yield* db.exec("PRAGMA synchronous = OFF")
  const [row] = yield* db.all("PRAGMA user_version")
  if (row?.["user_version"] === version) return
  yield* db.exec(`
    BEGIN IMMEDIATE;
    DROP TABLE IF EXISTS page;
    CREATE TABLE page (
      path TEXT PRIMARY KEY, facts TEXT NOT NULL, hash TEXT NOT NULL, data TEXT NOT NULL
    ) WITHOUT ROWID;
    PRAGMA user_version = ${version};
    COMMIT;
  `)
})

const readRows = Effect.fnUntraced(function* (db: SqliteDatabase) {
  const [row] = yield* db.all(`
    SELECT group_concat(path, char(10)) AS paths, group_concat(facts) AS facts,
      group_concat(hash, '') AS hashes, group_concat(data, char(10)) AS data
    FROM (SELECT * FROM page ORDER BY path)
  `)
  const column = (name: string) => String(row?.[name] ?? "")
  return decodeColumns({
    paths: column("paths"),
    facts: column("facts"),
    hashes: column("hashes"),
    data: column("data")
  })
})

const writeRows = Effect.fnUntraced(function* (db: SqliteDatabase, changes: ReadonlyMap<string, SeenFile | undefined>) {
  yield* db.exec("BEGIN IMMEDIATE")
  yield* Effect.forEach(
    changes,
    ([path, seen]) => {
      if (seen === undefined) return db.run("DELETE FROM page WHERE path = ?", [path])
      const { data, facts, hash } = encodeRow(seen)
      return db.run("INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?)", [path, facts, hash, data])
    },
    { discard: true }
  ).pipe(
    Effect.zipRight(db.exec("COMMIT")),
    Effect.tapError(() => Effect.ignore(db.exec("ROLLBACK")))
  )
})
