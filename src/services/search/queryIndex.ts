import { Effect, Option } from "effect"
import { type PagePath, parsePagePath } from "../../model/page/PagePath.ts"
import type { QueryWord } from "../../model/search/Query.ts"
import { rank, ranking, type Ranking, type Ranks } from "../../model/search/Rank.ts"
import type { SqliteDatabase, SqliteFailure } from "../sqlite/SqliteDriver.ts"
import { readLengths, readPaths, readState, type State } from "./SearchTables.ts"
import { findWords, type FoundWord, widen } from "./SearchWords.ts"

export interface Result {
  readonly path: PagePath
  readonly score: number
}

export interface Results {
  /** Best first. */
  readonly results: ReadonlyArray<Result>
  /** What each spelling that was looked for is worth in an excerpt. */
  readonly worth: ReadonlyMap<string, number>
}

/** A query that finds fewer pages than this is looked for within words too. */
const few = 10

/** Asks an index, as it is at one moment, for the pages that hold any of the words and pass. */
export const queryIndex = Effect.fn("PageSearch.query")(
  function* (
    db: SqliteDatabase,
    words: ReadonlyArray<QueryWord>,
    passes: (path: PagePath) => boolean,
    options: Ranking = ranking
  ) {
    const { lengths, paths } = yield* shapeOf(db, yield* readState(db))
    const search = (found: ReadonlyArray<FoundWord>) =>
      resultsOf(rank(found, lengths, paths, options), found, paths, passes)
    const found = yield* findWords(db, words, lengths, options)
    const first = search(found)
    return first.results.length >= few ? first : search(yield* widen(db, words, found, lengths))
  },
  (query, db) =>
    // A read transaction: another process may change the index meanwhile.
    Effect.acquireUseRelease(
      db.exec("BEGIN"),
      () => query,
      () => Effect.ignore(db.exec("ROLLBACK"))
    )
)

interface Shape {
  readonly serial: number
  readonly lengths: Uint32Array
  readonly paths: ReadonlyArray<string>
}

/** What was read of each database last: it holds until the index changes. */
const shapes = new WeakMap<SqliteDatabase, Shape>()

const shapeOf = (db: SqliteDatabase, { next, serial }: State): Effect.Effect<Shape, SqliteFailure> =>
  Effect.suspend(() => {
    const known = shapes.get(db)
    if (known?.serial === serial) return Effect.succeed(known)
    return Effect.zipWith(readLengths(db, next), readPaths(db, next), (lengths, paths) => {
      const shape: Shape = { serial, lengths, paths }
      shapes.set(db, shape)
      return shape
    })
  })

const resultsOf = (
  { pages, rarity }: Ranks,
  found: ReadonlyArray<FoundWord>,
  paths: ReadonlyArray<string>,
  passes: (path: PagePath) => boolean
): Results => {
  const results = pages.flatMap(({ page, score }) =>
    Option.match(parsePagePath(paths[page] ?? ""), {
      onNone: () => [],
      onSome: (path) => (passes(path) ? [{ path, score }] : [])
    })
  )
  const worth = new Map<string, number>()
  for (const [index, { spellings }] of found.entries()) {
    for (const { term, weight } of spellings) {
      worth.set(term, Math.max(worth.get(term) ?? 0, weight * (rarity[index] ?? 0)))
    }
  }
  return { results, worth }
}
