import { Effect } from "effect"
import { numberIn, textIn } from "../../services/paging/columns.ts"
import { PagingDatabase } from "../../services/paging/PagingDatabase.ts"

/** How much is kept. */
export const stats = Effect.fn("paging.stats")(function* () {
  const database = yield* PagingDatabase
  return yield* database.read("count", (sql) => {
    const counts = (table: string, column: string) =>
      Object.fromEntries(
        sql
          .all(`SELECT ${column} AS name, count(*) AS n FROM ${table} GROUP BY 1 ORDER BY 1`)
          .map((row) => [textIn(row, "name"), numberIn(row, "n")])
      )
    const one = (query: string) => numberIn(sql.get(query) ?? {}, "n")
    return {
      database: database.path,
      file_bytes: one("SELECT page_count * page_size AS n FROM pragma_page_count(), pragma_page_size()"),
      sessions: one("SELECT count(*) AS n FROM sessions"),
      messages: one("SELECT count(*) AS n FROM messages"),
      pages: one("SELECT count(*) AS n FROM pages"),
      content_bytes: one(
        "SELECT (SELECT coalesce(sum(bytes), 0) FROM messages) + (SELECT coalesce(sum(bytes), 0) FROM pages) AS n"
      ),
      by_role: counts("messages", "role"),
      by_kind: counts("pages", "kind"),
      by_source: counts("messages", "source")
    }
  })
})

/** Makes the database where it is missing, and nothing else. */
export const initialise = Effect.fn("paging.init")(function* () {
  const database = yield* PagingDatabase
  yield* database.read("make the database", () => undefined)
  return { database: database.path }
})
