import { Clock, Effect } from "effect"
import { numberIn, textIn } from "../../services/paging/columns.ts"
import { PagingDatabase } from "../../services/paging/PagingDatabase.ts"
import { dueForCleanup, expiredSessions, noteCleanup } from "../../services/paging/Expiry.ts"
import { deleteMessages } from "./sessions.ts"

export interface CleanupOptions {
  /** Sessions that ended so many days ago go; default 90. */
  readonly days?: number | undefined
  /** Sessions that nothing was added to for so many days go; default 180. */
  readonly staleDays?: number | undefined
  /** Also where the last cleanup is not a day ago. */
  readonly force?: boolean | undefined
  /** Sessions that own pages stay. */
  readonly keepPages?: boolean | undefined
}

/**
 * Deletes sessions that ended long ago, or that nothing was added to for long, once a day.
 *
 * Source: context-paging.md, `cp_cleanup.py`; design.md section 8.
 */
export const cleanup = Effect.fn("paging.cleanup")(function* (options: CleanupOptions = {}) {
  const database = yield* PagingDatabase
  const now = yield* Clock.currentTimeMillis
  const due =
    options.force === true || (yield* database.read("look for old sessions", (sql) => dueForCleanup(sql, now)))
  if (!due) return { due, sessions: [], messages: 0, pages: 0 }
  const expired = yield* database.read("look for old sessions", (sql) =>
    expiredSessions(sql, now, {
      days: options.days ?? 90,
      staleDays: options.staleDays ?? 180,
      keepPages: options.keepPages === true
    }).map((row) => ({
      id: numberIn(row, "id"),
      key: textIn(row, "key"),
      messages: numberIn(row, "messages"),
      pages: numberIn(row, "pages")
    }))
  )
  for (const { id } of expired) {
    yield* deleteMessages(id)
    yield* database.write("delete a session", (sql) => sql.run("DELETE FROM sessions WHERE id = ?", id))
  }
  yield* database.write("note the cleanup", (sql) => noteCleanup(sql, now))
  const sum = (of: "messages" | "pages") => expired.reduce((total, one) => total + one[of], 0)
  return { due, sessions: expired.map(({ key }) => key), messages: sum("messages"), pages: sum("pages") }
})
