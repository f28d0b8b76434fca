import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { queryWords } from "../../../src/model/search/Query.ts"
import { ranking } from "../../../src/model/search/Rank.ts"
import { queryIndex } from "../../../src/services/search/queryIndex.ts"
import { follow, type Target } from "../../../src/services/search/SearchIndex.ts"
import { prepare } from "../../../src/services/search/SearchTables.ts"
import { open } from "../../../src/services/sqlite/SqliteDriver.ts"

/** More pages than a statement of SQLite may have parameters. */
const many = 33_000

/** So many pages that say a word. */
const pagesThatSay = (word: string, count: number): Target => {
  const text = { slug: "", tags: [], summary: "", about: "", body: word }
  return {
    pages: new Map(Array.from({ length: count }, (_, n) => [PagePath.make(`wiki/concepts/p${n}.md`), word])),
    digest: `${count} ${word}`,
    load: () => Effect.succeed({ hash: word, text })
  }
}

describe("A24: more pages than a statement takes parameters", () => {
  it.scoped(
    "are indexed, found, indexed anew when all of them change, and dropped",
    () =>
      Effect.gen(function* () {
        const db = yield* open({ path: ":memory:", journal: "rollback" })
        yield* prepare(db)
        const found = (word: string) =>
          Effect.map(
            queryIndex(db, queryWords(word), () => true),
            ({ results }) => results.length
          )
        const become = (word: string, count: number) => follow(db, pagesThatSay(word, count), ranking.fields)

        yield* become("gateway", many)
        expect(yield* found("gateway")).toBe(many)
        yield* become("ledger", many)
        expect([yield* found("gateway"), yield* found("ledger")]).toEqual([0, many])
        yield* become("ledger", 1)
        expect(yield* found("ledger")).toBe(1)
        expect(Option.fromIterable(yield* db.all("SELECT COUNT(*) AS pages FROM page"))).toEqual(
          Option.some({ pages: 1 })
        )
      }),
    60_000
  )
})
