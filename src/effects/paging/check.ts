import { Effect } from "effect"
import { isIntact } from "../../model/paging/Content.ts"
import { numberIn, textIn } from "../../services/paging/columns.ts"
import { PagingDatabase } from "../../services/paging/PagingDatabase.ts"
import type { Sql } from "../../services/paging/PagingDatabaseDriver.ts"
import { contentIn } from "../../services/paging/PagingRows.ts"
import { indexedBytes, rankedBytes } from "../../services/paging/Schema.ts"
import { progress } from "../../services/runtime/Progress.ts"

/** What a check found. Empty lists: nothing is wrong. */
export interface Checked {
  readonly messages: number
  readonly pages: number
  /** Rows whose content is not what was put in: `m12`, `p3`. */
  readonly damaged: ReadonlyArray<string>
  /** What SQLite says of the file and of references between rows. */
  readonly integrity: ReadonlyArray<string>
  /** Full-text tables that do not match their rows. */
  readonly index: ReadonlyArray<string>
  readonly repaired: boolean
}

const batch = 500
const indexes = ["messages_trigrams", "pages_trigrams", "messages_words"] as const

/**
 * Hashes every row again, checks the file, its references and the search index.
 *
 * @param repair Builds the search index again from the rows where something is wrong with it.
 */
export const check = Effect.fn("paging.check")(function* (repair = false) {
  const database = yield* PagingDatabase
  const messages = yield* hashAll("messages")
  const pages = yield* hashAll("pages")
  const integrity = yield* database.read("check the file", (sql) => [
    ...sql
      .all("PRAGMA integrity_check")
      .map((row) => textIn(row, "integrity_check"))
      .filter((line) => line !== "ok"),
    ...sql
      .all("PRAGMA foreign_key_check")
      .map((row) => `${textIn(row, "table")} row ${numberIn(row, "rowid")} refers to nothing`)
  ])
  const index = yield* database.write("check the index", indexTroubles)
  if (repair && index.length > 0) yield* database.write("rebuild the index", rebuild)
  return {
    messages: messages.count,
    pages: pages.count,
    damaged: [...messages.damaged.map((id) => `m${id}`), ...pages.damaged.map((id) => `p${id}`)],
    integrity,
    index,
    repaired: repair && index.length > 0
  } satisfies Checked
})

const hashAll = Effect.fnUntraced(function* (table: "messages" | "pages") {
  const database = yield* PagingDatabase
  const damaged: Array<number> = []
  let count = 0
  for (let last = 0; ;) {
    const rows = yield* database.read("read rows", (sql) =>
      sql.all(`SELECT id, bytes, sha256, content, raw FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`, last, batch)
    )
    for (const row of rows) if (!isIntact(contentIn(row))) damaged.push(numberIn(row, "id"))
    count += rows.length
    last = numberIn(rows.at(-1) ?? {}, "id")
    if (rows.length < batch) return { count, damaged }
    yield* Effect.zipRight(progress(`checked ${count} ${table}`), Effect.yieldNow())
  }
})

/** Every row that should be in an index is there, no other is, and the index is sound in itself. */
const indexTroubles = (sql: Sql): ReadonlyArray<string> =>
  indexes.flatMap((index) => {
    const { from, where } = sourceOf(index)
    const missing = numberIn(
      sql.get(`SELECT count(*) AS n FROM ${from} WHERE ${where} AND id NOT IN (SELECT id FROM ${index}_docsize)`) ?? {},
      "n"
    )
    const stray = numberIn(
      sql.get(`SELECT count(*) AS n FROM ${index}_docsize WHERE id NOT IN (SELECT id FROM ${from} WHERE ${where})`) ??
        {},
      "n"
    )
    return [
      ...(missing > 0 ? [`${index}: ${missing} row(s) are missing`] : []),
      ...(stray > 0 ? [`${index}: ${stray} row(s) are not there any more`] : [])
    ]
  })

const sourceOf = (index: (typeof indexes)[number]) => ({
  from: index.startsWith("pages") ? "pages" : "messages",
  where: index === "messages_words" ? `bytes <= ${rankedBytes} AND echo = 0` : `bytes <= ${indexedBytes}`
})

/** Builds every index anew from the rows. */
const rebuild = (sql: Sql): void => {
  for (const index of indexes) {
    const { from, where } = sourceOf(index)
    sql.run(`INSERT INTO ${index}(${index}) VALUES ('delete-all')`)
    sql.run(`INSERT INTO ${index}(rowid, content) SELECT id, content FROM ${from} WHERE ${where} ORDER BY id`)
  }
}
