import { Effect } from "effect"
import type { QueryWord } from "../../model/search/Query.ts"
import { ranking, type Ranking, type Variant, type Wanted } from "../../model/search/Rank.ts"
import { eachPosting } from "../../model/search/Postings.ts"
import { stem } from "../../model/search/Stem.ts"
import { forgiven, piecesOf, typos } from "../../model/search/Typos.ts"
import type { SqliteDatabase, SqliteFailure } from "../sqlite/SqliteDriver.ts"
import { blockSize } from "./SearchTables.ts"

/** A spelling of a query's word that pages have, and what it is worth against the word itself. */
interface Spelling {
  readonly term: string
  readonly weight: number
}

/** A word of a query with where it stands. */
export interface FoundWord extends Wanted {
  readonly spellings: ReadonlyArray<Spelling>
}

/** Of what the word stands within, and of one and two typing mistakes. */
const within = 0.5
const mistaken: Readonly<Record<number, number>> = { 1: 0.6, 2: 0.4 }

/** So many spellings of a word are looked at. */
const mostSpellings = 24
/** So many words without a hit are looked for in other spellings. */
const mostGuesses = 8

/**
 * Looks a query's words up: each with its other forms; one that no page has as what it stands within, or else as what it
 * might be a mistyping of.
 */
export const findWords = Effect.fnUntraced(function* (
  db: SqliteDatabase,
  words: ReadonlyArray<QueryWord>,
  lengths: Uint32Array,
  options: Ranking = ranking
) {
  const found: Array<FoundWord> = []
  let guesses = 0
  for (const word of words) {
    const weight = word.common ? options.common : 1
    if (weight === 0) continue
    const known = yield* variantsOf(db, yield* formsOf(db, word.term, options), lengths)
    const hit = known.variants.length > 0 || word.common
    const spelt = hit || guesses++ >= mostGuesses ? known : yield* guess(db, word, lengths)
    found.push({ weight, position: word.position, ...spelt })
  }
  return found
})

/** Adds to each word what it stands within: `art` in `startle`. For a query that finds little. */
export const widen = Effect.fnUntraced(function* (
  db: SqliteDatabase,
  words: ReadonlyArray<QueryWord>,
  found: ReadonlyArray<FoundWord>,
  lengths: Uint32Array
) {
  return yield* Effect.forEach(found, (one, index) =>
    Effect.gen(function* () {
      const word = words.find(({ position }) => position === one.position)
      if (word === undefined || index >= mostGuesses) return one
      const known = new Set(one.spellings.map(({ term }) => term))
      const around = (yield* aroundOf(db, word.term)).filter(({ term }) => !known.has(term))
      const more = yield* variantsOf(db, around, lengths)
      return {
        ...one,
        spellings: [...one.spellings, ...more.spellings],
        variants: [...one.variants, ...more.variants]
      } satisfies FoundWord
    })
  )
})

const guess = Effect.fnUntraced(function* (db: SqliteDatabase, word: QueryWord, lengths: Uint32Array) {
  const around = yield* variantsOf(db, yield* aroundOf(db, word.term), lengths)
  if (around.variants.length > 0 || word.whole || /\P{L}/u.test(word.term)) return around
  for (let most = 1; most <= forgiven(word.term); most++) {
    const near = yield* variantsOf(db, yield* mistypedOf(db, word.term, most), lengths)
    if (near.variants.length > 0) return near
  }
  return around
})

const termIn = (row: Readonly<Record<string, unknown>>): string => String(row["term"])

/** The word itself, and its other forms. */
const formsOf = (db: SqliteDatabase, term: string, { otherForm }: Ranking) =>
  Effect.map(db.all("SELECT term FROM word WHERE stem = ? ORDER BY term", [stem(term)]), (rows) =>
    rows
      .map(termIn)
      .map((one): Spelling => ({ term: one, weight: one === term ? 1 : otherForm }))
      .filter(({ weight }) => weight > 0)
      .toSorted((one, other) => other.weight - one.weight)
      .slice(0, mostSpellings)
  )

/** Longer terms that hold a word of three letters or more; of one or two characters, terms that begin with it. */
const aroundOf = (db: SqliteDatabase, term: string): Effect.Effect<ReadonlyArray<Spelling>, SqliteFailure> => {
  const short = [...term].length < 3
  const sql = short
    ? "SELECT term FROM word WHERE term > ? AND term < ? || char(1114111) ORDER BY length(term), term LIMIT ?"
    : "SELECT term FROM word WHERE instr(term, ?) > 0 AND term <> ? ORDER BY length(term), term LIMIT ?"
  return Effect.map(db.all(sql, [term, term, mostSpellings]), (rows) =>
    rows.map((row) => ({ term: termIn(row), weight: within }))
  )
}

/** Terms that are exactly so many mistakes away. */
const mistypedOf = (db: SqliteDatabase, term: string, most: number) => {
  const { length } = [...term]
  const pieces = piecesOf(term, most)
  const sql = `SELECT term FROM word WHERE length(term) BETWEEN ? AND ? AND (${pieces.map(() => "instr(term, ?) > 0").join(" OR ")})`
  return Effect.map(db.all(sql, [length - most, length + most, ...pieces]), (rows) =>
    rows
      .map(termIn)
      .filter((one) => typos(term, one, most) === most)
      .toSorted()
      .slice(0, mostSpellings)
      .map((one): Spelling => ({ term: one, weight: mistaken[most] ?? 0 }))
  )
}

/** The postings of spellings; those that only pages which are gone have are left out. */
const variantsOf = Effect.fnUntraced(function* (
  db: SqliteDatabase,
  spellings: ReadonlyArray<Spelling>,
  lengths: Uint32Array
) {
  const found = yield* Effect.forEach(spellings, (spelling) =>
    Effect.map(
      // The blocks first: without one, SQLite would walk the whole table.
      db.all(
        "SELECT p.block AS block, p.data AS data FROM block b CROSS JOIN posting p ON p.block = b.id AND p.term = ? ORDER BY p.block",
        [spelling.term]
      ),
      (rows) => ({
        spelling,
        variant: {
          weight: spelling.weight,
          blocks: rows.flatMap(({ block, data }) =>
            data instanceof Uint8Array ? [{ first: Number(block) * blockSize, bytes: data }] : []
          )
        } satisfies Variant
      })
    )
  )
  const living = found.filter(({ variant }) => lives(variant, lengths))
  return { spellings: living.map(({ spelling }) => spelling), variants: living.map(({ variant }) => variant) }
})

const lives = ({ blocks }: Variant, lengths: Uint32Array): boolean =>
  blocks.some(({ bytes, first }) => {
    let alive = false
    eachPosting(bytes, (doc) => {
      alive ||= (lengths[first + doc] ?? 0) > 0
    })
    return alive
  })
