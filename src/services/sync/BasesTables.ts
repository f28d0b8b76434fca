import { Effect, Option, Schema } from "effect"
import { sha256 } from "../../model/text/Hash.ts"
import { type PagePath, parsePagePath } from "../../model/page/PagePath.ts"
import { Sha } from "../../model/page/Sha.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import { type SqliteDatabase, SqliteFailure, type SqliteRow, type SqliteValue } from "../sqlite/SqliteDriver.ts"
import type { AwaitingMerge, Base, Snapshot, StateChange } from "./SyncState.ts"

const version = 1

/** Texts lie apart from hashes, so that comparing all pages reads no text; as bytes, so that none is cut at a NUL. */
const schema = `
  BEGIN IMMEDIATE;
  CREATE TABLE base (path TEXT PRIMARY KEY, sha TEXT NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE base_text (path TEXT PRIMARY KEY, text BLOB NOT NULL);
  CREATE TABLE mark (
    path TEXT PRIMARY KEY, mine_hash TEXT NOT NULL,
    ancestor_sha TEXT, ancestor_text BLOB, server_sha TEXT, server_text BLOB
  );
  CREATE TABLE sent (path TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (path, hash)) WITHOUT ROWID;
  CREATE TABLE moving (path TEXT PRIMARY KEY, from_sha TEXT NOT NULL, to_sha TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${version};
  COMMIT;
`

/** Gives a new file its tables. A file of a later version is left alone. */
export const upToDate = Effect.fnUntraced(function* (db: SqliteDatabase) {
  const [row] = yield* db.all("PRAGMA user_version")
  const found = Number(row?.["user_version"])
  if (found === 0) return yield* db.exec(schema)
  if (found > version) {
    return yield* new SqliteFailure({
      path: db.path,
      reason: "a newer ctx-mcp wrote it: update this one",
      code: "other"
    })
  }
})

type Rows = Omit<Snapshot, "lastPull" | "recorded">

/** Everything but the texts of bases. */
export const readAll = Effect.fnUntraced(function* (db: SqliteDatabase) {
  const bases = pageMap(yield* db.all("SELECT path, sha, hash FROM base"), ({ hash, sha }) =>
    isSha(sha) && typeof hash === "string" ? { sha, hash } : undefined
  )
  const sent = pageMap(
    yield* db.all("SELECT path, group_concat(hash) AS hashes FROM sent GROUP BY path"),
    ({ hashes }) => (typeof hashes === "string" ? new Set(hashes.split(",")) : undefined)
  )
  const [head] = yield* db.all("SELECT value FROM meta WHERE key = 'last_head'")
  const lastHead = Option.liftPredicate(head?.["value"], isSha)
  return { bases, sent, lastHead, awaiting: yield* readMarks(db) } satisfies Rows
})

export const noRows: Rows = { bases: new Map(), sent: new Map(), lastHead: Option.none(), awaiting: new Map() }

export const readMarks = Effect.fnUntraced(function* (db: SqliteDatabase) {
  return pageMap(yield* db.all("SELECT * FROM mark"), (row): AwaitingMerge | undefined =>
    typeof row["mine_hash"] === "string"
      ? {
          mineHash: row["mine_hash"],
          ancestor: toBase(row["ancestor_sha"], row["ancestor_text"]),
          server: toBase(row["server_sha"], row["server_text"])
        }
      : undefined
  )
})

/** The base of one page, if its text is the one that was stored. */
export const readBase = Effect.fnUntraced(function* (db: SqliteDatabase, path: PagePath) {
  const [row] = yield* db.all("SELECT sha, hash, text FROM base JOIN base_text USING (path) WHERE path = ?", [path])
  return Option.filter(toBase(row?.["sha"], row?.["text"]), ({ text }) => sha256(text) === row?.["hash"])
})

/** A page's record on its way from one sha to the next: what `state.json` says, or did before it followed. */
export interface Move {
  /** Empty: nothing was recorded. */
  readonly from: string
  readonly to: Sha
}

/** The records of which it is not known that `state.json` has followed. */
export const readMoves = Effect.fnUntraced(function* (db: SqliteDatabase) {
  return pageMap(yield* db.all("SELECT * FROM moving"), (row): Move | undefined => {
    const [from, to] = [row["from_sha"], row["to_sha"]]
    return typeof from === "string" && isSha(to) ? { from, to } : undefined
  })
})

/** `state.json` has followed. */
export const settleMoves = (db: SqliteDatabase) => db.run("DELETE FROM moving")

/**
 * Carries a change out, in one transaction.
 *
 * @param recorded What `state.json` says until it follows.
 */
export const write = Effect.fnUntraced(function* (
  db: SqliteDatabase,
  change: StateChange,
  recorded: Snapshot["recorded"]
) {
  const run = db.run
  const asked = new Set((change.await ?? []).map(({ path }) => path))
  const drop = (tables: ReadonlyArray<string>, path: PagePath) =>
    Effect.forEach(tables, (table) => run(`DELETE FROM ${table} WHERE path = ?`, [path]), { discard: true })
  yield* transaction(
    db,
    Effect.gen(function* () {
      // A pull of ten thousand pages need not ask ten thousand times for rows of tables that are empty, as a rule.
      const [sent, marks] = [yield* holdsRows(db, "sent"), yield* holdsRows(db, "mark")]
      for (const { base, path } of change.known ?? []) {
        const bytes = encoder.encode(base.text)
        if (sent) {
          yield* run("DELETE FROM sent WHERE path = ? AND NOT EXISTS (SELECT 1 FROM base WHERE path = ? AND sha = ?)", [
            path,
            path,
            base.sha
          ])
        }
        yield* run("INSERT OR REPLACE INTO base VALUES (?, ?, ?)", [path, base.sha, sha256(bytes)])
        yield* run("INSERT OR REPLACE INTO base_text VALUES (?, ?)", [path, bytes])
        // A merge that nobody was asked for yet must be asked for again.
        if (asked.has(path) || recorded.get(path) === base.sha) yield* drop(["moving"], path)
        else yield* run("INSERT OR REPLACE INTO moving VALUES (?, ?, ?)", [path, recorded.get(path) ?? "", base.sha])
      }
      for (const path of change.forget ?? []) yield* drop(["base", "base_text", "mark", "sent", "moving"], path)
      for (const { mark, path } of change.await ?? []) yield* writeMark(db, path, mark)
      if (marks || asked.size > 0) for (const path of change.settle ?? []) yield* drop(["mark"], path)
      for (const { hash, path } of change.sent ?? [])
        yield* run("INSERT OR REPLACE INTO sent VALUES (?, ?)", [path, hash])
      if (change.lastHead !== undefined) {
        yield* run("INSERT OR REPLACE INTO meta VALUES ('last_head', ?)", [change.lastHead])
      }
    })
  )
})

/** Whether a change concerns these tables at all. */
export const concerns = (change: StateChange): boolean =>
  change.lastHead !== undefined ||
  [change.known, change.forget, change.await, change.settle, change.sent].some((list) => (list ?? []).length > 0)

const holdsRows = (db: SqliteDatabase, table: string) =>
  Effect.map(db.all(`SELECT 1 FROM ${table} LIMIT 1`), (rows) => rows.length > 0)

const writeMark = (db: SqliteDatabase, path: PagePath, mark: AwaitingMerge) =>
  db.run("INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?, ?, ?)", [
    path,
    mark.mineHash,
    ...fromBase(mark.ancestor),
    ...fromBase(mark.server)
  ])

const transaction = <A>(db: SqliteDatabase, body: Effect.Effect<A, SqliteFailure>) =>
  db
    .exec("BEGIN IMMEDIATE")
    .pipe(
      Effect.zipRight(
        Effect.zipLeft(body, db.exec("COMMIT")).pipe(Effect.onError(() => Effect.ignore(db.exec("ROLLBACK"))))
      ),
      Effect.uninterruptible
    )

const encoder = new TextEncoder()

const isSha = Schema.is(Sha)

const fromBase = (base: Option.Option<Base>): ReadonlyArray<SqliteValue> =>
  Option.match(base, { onNone: () => [null, null], onSome: ({ sha, text }) => [sha, encoder.encode(text)] })

const toBase = (sha: SqliteValue | undefined, text: SqliteValue | undefined): Option.Option<Base> =>
  isSha(sha) && text instanceof Uint8Array
    ? Option.map(decodeUtf8(text), (decoded) => ({ sha, text: decoded }))
    : Option.none()

/** Rows by the page that they are about. A row that makes no sense counts as missing: then the server is asked. */
const pageMap = <A>(rows: ReadonlyArray<SqliteRow>, read: (row: SqliteRow) => A | undefined): Map<PagePath, A> => {
  const map = new Map<PagePath, A>()
  for (const row of rows) {
    const path = parsePagePath(String(row["path"]))
    const value = read(row)
    if (Option.isSome(path) && value !== undefined) map.set(path.value, value)
  }
  return map
}
