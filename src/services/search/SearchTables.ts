import { Effect } from "effect"
import type { PageTerms } from "../../model/search/PageTerms.ts"
import { fieldOf, span } from "../../model/search/PageTerms.ts"
import { writePosting } from "../../model/search/Postings.ts"
import type { Ranking } from "../../model/search/Rank.ts"
import { stem } from "../../model/search/Stem.ts"
import type { SqliteDatabase, SqliteFailure } from "../sqlite/SqliteDriver.ts"

/**
 * The tables of a search index. Pages have numbers; `blockSize` of them share a row for each term, so that a new page
 * touches few bytes, and a term's pages are a few rows. A page that changed gets a new number: its old one has length 0.
 */

/** Raise it whenever pages would be indexed differently: then everything is indexed anew. */
const version = 2

export const blockSize = 512

/** Gives a file our tables, emptied where another version of us wrote them. */
export const prepare = Effect.fnUntraced(function* (db: SqliteDatabase) {
  // No fsync: what a power failure leaves of the index is noticed as corrupt, and made anew.
  yield* db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -16000")
  const [row] = yield* db.all("PRAGMA user_version")
  if (row?.["user_version"] === version) return
  yield* db.exec(`
    BEGIN IMMEDIATE;
    DROP TABLE IF EXISTS state; DROP TABLE IF EXISTS page; DROP TABLE IF EXISTS block;
    DROP TABLE IF EXISTS posting; DROP TABLE IF EXISTS word;
    CREATE TABLE state (id INTEGER PRIMARY KEY, serial INTEGER NOT NULL, next INTEGER NOT NULL, digest TEXT NOT NULL);
    INSERT INTO state VALUES (1, 0, 0, '');
    CREATE TABLE page (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, hash TEXT NOT NULL);
    CREATE TABLE block (id INTEGER PRIMARY KEY, lengths BLOB NOT NULL);
    CREATE TABLE posting (block INTEGER, term TEXT, data BLOB NOT NULL, PRIMARY KEY (block, term)) WITHOUT ROWID;
    CREATE TABLE word (term TEXT PRIMARY KEY, stem TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX word_stem ON word (stem);
    PRAGMA user_version = ${version};
    COMMIT;
  `)
})

/** What an index holds. */
export interface State {
  /** Counts the changes. */
  readonly serial: number
  /** The number of the next page. */
  readonly next: number
  /** Of the pages that it follows; empty while it does not hold all of them. */
  readonly digest: string
}

export const readState = (db: SqliteDatabase): Effect.Effect<State, SqliteFailure> =>
  Effect.map(db.all("SELECT serial, next, digest FROM state"), ([row]) => ({
    serial: Number(row?.["serial"] ?? 0),
    next: Number(row?.["next"] ?? 0),
    digest: String(row?.["digest"] ?? "")
  }))

export const writeState = (db: SqliteDatabase, { digest, next, serial }: State) =>
  db.run("INSERT OR REPLACE INTO state VALUES (1, ?, ?, ?)", [serial, next, digest])

/** The number of words of each page; 0 where there is none. */
export const readLengths = Effect.fnUntraced(function* (db: SqliteDatabase, next: number) {
  const lengths = new Uint32Array(next)
  for (const { id, lengths: stored } of yield* db.all("SELECT id, lengths FROM block")) {
    const first = Number(id) * blockSize
    if (stored instanceof Uint8Array) lengths.set(numbersOf(stored).subarray(0, Math.max(0, next - first)), first)
  }
  return lengths
})

/** The path of each page, by its number; empty where there is none. */
export const readPaths = Effect.fnUntraced(function* (db: SqliteDatabase, next: number) {
  // Two joined columns: as many rows take longer.
  const [row] = yield* db.all("SELECT group_concat(id) AS ids, group_concat(path, char(10)) AS paths FROM page")
  const paths: Array<string> = Array.from({ length: next }, () => "")
  if (row === undefined || row["ids"] === null) return paths
  const names = String(row["paths"]).split("\n")
  for (const [index, id] of String(row["ids"]).split(",").entries()) {
    const name = names[index]
    if (name !== undefined && Number(id) < next) paths[Number(id)] = name
  }
  return paths
})

const bytesOf = (numbers: Uint32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)

const numbersOf = (bytes: Uint8Array): Uint32Array => {
  const numbers = new Uint32Array(blockSize)
  bytesOf(numbers).set(bytes.subarray(0, blockSize * 4))
  return numbers
}

const lengthsOf = Effect.fnUntraced(function* (db: SqliteDatabase, block: number) {
  const [row] = yield* db.all("SELECT lengths FROM block WHERE id = ?", [block])
  const stored = row?.["lengths"]
  return stored instanceof Uint8Array ? numbersOf(stored) : new Uint32Array(blockSize)
})

const writeLengths = (db: SqliteDatabase, block: number, lengths: Uint32Array) =>
  db.run("INSERT OR REPLACE INTO block VALUES (?, ?)", [block, bytesOf(lengths)])

/** Takes pages out. A block without pages goes altogether. */
export const removePages = Effect.fnUntraced(function* (db: SqliteDatabase, ids: ReadonlyArray<number>) {
  const blocks = Map.groupBy(ids, (id) => Math.floor(id / blockSize))
  for (const [block, inIt] of blocks) {
    const lengths = yield* lengthsOf(db, block)
    for (const id of inIt) lengths[id % blockSize] = 0
    yield* db.runEach(
      "DELETE FROM page WHERE id = ?",
      inIt.map((id) => [id])
    )
    yield* writeLengths(db, block, lengths)
    if (lengths.every((length) => length === 0)) yield* db.run("DELETE FROM posting WHERE block = ?", [block])
  }
})

/** A page ready to be put in. */
export interface NewPage {
  readonly path: string
  readonly hash: string
  readonly terms: PageTerms
}

/**
 * Puts pages in, from number `next` on; they must fit into its block.
 *
 * @param words Terms that the index is known to have.
 * @returns Terms that it has now, and that were not known.
 */
export const addPages = Effect.fnUntraced(function* (
  db: SqliteDatabase,
  next: number,
  pages: ReadonlyArray<NewPage>,
  fields: Ranking["fields"],
  words: ReadonlySet<string> = new Set()
) {
  const block = Math.floor(next / blockSize)
  const lengths = yield* lengthsOf(db, block)
  const postings = new Map<string, Array<number>>()
  for (const [index, { terms }] of pages.entries()) {
    const doc = (next % blockSize) + index
    // A page without a word is one.
    lengths[doc] = Math.max(1, terms.length)
    for (const [term, positions] of terms.terms) {
      const known = postings.get(term)
      const bytes = known ?? []
      if (known === undefined) postings.set(term, bytes)
      writePosting(bytes, doc, weightOf(positions, fields), positions)
    }
  }
  yield* db.runEach(
    "INSERT OR REPLACE INTO page VALUES (?, ?, ?)",
    pages.map(({ hash, path }, index) => [next + index, path, hash])
  )
  yield* writeLengths(db, block, lengths)
  const terms = [...postings.keys()].filter((term) => !words.has(term))
  yield* db.runEach(
    "INSERT OR IGNORE INTO word VALUES (?, ?)",
    terms.map((term) => [term, stem(term)])
  )
  const isNew = next % blockSize === 0
  const rows: Array<[number, string, Uint8Array]> = []
  for (const [term, bytes] of postings) {
    const before = isNew ? undefined : yield* postingOf(db, block, term)
    rows.push([block, term, before === undefined ? Uint8Array.from(bytes) : joined(before, bytes)])
  }
  yield* db.runEach("INSERT OR REPLACE INTO posting VALUES (?, ?, ?)", rows)
  return terms
})

const postingOf = Effect.fnUntraced(function* (db: SqliteDatabase, block: number, term: string) {
  const [row] = yield* db.all("SELECT data FROM posting WHERE block = ? AND term = ?", [block, term])
  const data = row?.["data"]
  return data instanceof Uint8Array ? data : undefined
})

const joined = (before: Uint8Array, more: ReadonlyArray<number>): Uint8Array => {
  const both = new Uint8Array(before.length + more.length)
  both.set(before)
  both.set(more, before.length)
  return both
}

const weightOf = (positions: ReadonlyArray<number>, fields: Ranking["fields"]): number => {
  let weight = 0
  for (const position of positions) weight += fields[fieldOf(Math.floor(position / span))]
  return Math.min(weight, 255)
}
