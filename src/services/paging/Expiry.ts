import { numberIn, textIn } from "./columns.ts"
import type { Row, Sql } from "./PagingDatabaseDriver.ts"

const day = 86_400_000

/** Whether the last cleanup is more than a day ago. A clock that was set back does not hold it up for ever. */
export const dueForCleanup = (sql: Sql, now: number): boolean => {
  const last = Number(textIn(sql.get("SELECT value FROM facts WHERE name = 'last_cleanup'") ?? {}, "value"))
  return !Number.isFinite(last) || Math.abs(now - last) > day
}

export const noteCleanup = (sql: Sql, now: number): void => {
  sql.run(
    "INSERT INTO facts (name, value) VALUES ('last_cleanup', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    String(now)
  )
}

export interface Expiry {
  readonly days: number
  readonly staleDays: number
  readonly keepPages: boolean
}

/** The sessions whose time is over, the oldest first. */
export const expiredSessions = (sql: Sql, now: number, { days, keepPages, staleDays }: Expiry): ReadonlyArray<Row> =>
  sql
    .all(
      `SELECT id, key, (SELECT count(*) FROM messages m WHERE m.session_id = s.id) AS messages,
         (SELECT count(*) FROM pages p WHERE p.session_id = s.id) AS pages
       FROM sessions s WHERE (ended IS NOT NULL AND ended < ?) OR active < ? ORDER BY active, id`,
      now - days * day,
      now - staleDays * day
    )
    .filter((row) => !keepPages || numberIn(row, "pages") === 0)
