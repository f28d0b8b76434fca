import { Clock, Effect, Option } from "effect"
import { maybeNumberIn, numberIn, textIn } from "../../services/paging/columns.ts"
import { PagingDatabase } from "../../services/paging/PagingDatabase.ts"
import { currentSession } from "../../services/paging/PagingDefaults.ts"
import { touchSession } from "../../services/paging/PagingRows.ts"
import { parseName } from "./arguments.ts"
import { NoSuchSession } from "./errors.ts"

/** A conversation, and what is kept of it. */
export interface Session {
  readonly key: string
  /** Milliseconds since 1970. */
  readonly started: number
  /** When something was added last. */
  readonly active: number
  readonly ended: Option.Option<number>
  readonly messages: number
  readonly topics: number
  readonly pages: number
}

/** The key that a caller names, else the current session's. */
export const sessionKey = (named: string | undefined) =>
  Effect.flatMap(named === undefined ? currentSession : Effect.succeed(named), (key) => parseName("session", key))

/** Makes a session where there is none with this key, and marks it active. */
export const startSession = Effect.fn("paging.session-start")(function* (named?: string | undefined) {
  const key = yield* sessionKey(named)
  const now = yield* Clock.currentTimeMillis
  const id = yield* (yield* PagingDatabase).write("start a session", (sql) => touchSession(sql, key, now))
  return { key, id }
})

/** Marks a session as ended. */
export const endSession = Effect.fn("paging.session-end")(function* (named?: string | undefined) {
  const key = yield* sessionKey(named)
  const now = yield* Clock.currentTimeMillis
  const { changes } = yield* (yield* PagingDatabase).write("end a session", (sql) =>
    sql.run("UPDATE sessions SET ended = ? WHERE key = ?", now, key)
  )
  return changes === 0 ? yield* new NoSuchSession({ key }) : { key }
})

/** The session that goes on: the one that was active last and did not end. */
export const newestSession = Effect.gen(function* () {
  const row = yield* (yield* PagingDatabase).read("find the session that goes on", (sql) =>
    sql.get("SELECT key FROM sessions WHERE ended IS NULL ORDER BY active DESC, id DESC LIMIT 1")
  )
  return Option.fromNullable(row === undefined ? undefined : textIn(row, "key"))
})

/** Every session, the one that was active last at the end. */
export const listSessions = Effect.fn("paging.session-list")(function* () {
  return yield* (yield* PagingDatabase).read("list sessions", (sql) =>
    sql
      .all(
        `SELECT key, started, active, ended,
           (SELECT count(*) FROM messages m WHERE m.session_id = s.id) AS messages,
           (SELECT count(*) FROM topics t WHERE t.session_id = s.id) AS topics,
           (SELECT count(*) FROM pages p WHERE p.session_id = s.id) AS pages
         FROM sessions s ORDER BY active, id`
      )
      .map((row): Session => ({
        key: textIn(row, "key"),
        started: numberIn(row, "started"),
        active: numberIn(row, "active"),
        ended: Option.fromNullable(maybeNumberIn(row, "ended")),
        messages: numberIn(row, "messages"),
        topics: numberIn(row, "topics"),
        pages: numberIn(row, "pages")
      }))
  )
})

/** So many messages go in one transaction: a hook that writes meanwhile does not wait for long. */
const chunk = 500

/** Deletes a session with all that it holds; how many messages and pages. */
export const deleteSession = Effect.fn("paging.session-delete")(function* (key: string) {
  const database = yield* PagingDatabase
  const found = yield* database.read("find a session", (sql) =>
    Option.fromNullable(
      sql.get(
        `SELECT id, (SELECT count(*) FROM messages m WHERE m.session_id = s.id) AS messages,
           (SELECT count(*) FROM pages p WHERE p.session_id = s.id) AS pages FROM sessions s WHERE key = ?`,
        key
      )
    )
  )
  if (Option.isNone(found)) return yield* new NoSuchSession({ key })
  const id = numberIn(found.value, "id")
  yield* deleteMessages(id)
  yield* database.write("delete a session", (sql) => sql.run("DELETE FROM sessions WHERE id = ?", id))
  return { key, messages: numberIn(found.value, "messages"), pages: numberIn(found.value, "pages") }
})

/** Deletes the messages of a session, some at a time. */
export const deleteMessages = Effect.fnUntraced(function* (session: number) {
  const database = yield* PagingDatabase
  const some = database.write("delete messages", (sql) =>
    sql.run("DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE session_id = ? LIMIT ?)", session, chunk)
  )
  yield* Effect.iterate(chunk, {
    while: (changes) => changes === chunk,
    body: () => Effect.map(some, ({ changes }) => changes)
  })
})
