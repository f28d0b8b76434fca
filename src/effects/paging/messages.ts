import { Clock, Effect, Random } from "effect"
import type { StoredContent } from "../../model/paging/Content.ts"
import { isMessageRole, type MessageRole } from "../../model/paging/Role.ts"
import { numberIn, textIn } from "../../services/paging/columns.ts"
import { PagingDatabase } from "../../services/paging/PagingDatabase.ts"
import type { Row } from "../../services/paging/PagingDatabaseDriver.ts"
import { contentIn, putMessage, touchSession } from "../../services/paging/PagingRows.ts"
import { InvalidRole, NoSuchRow } from "./errors.ts"
import { sessionKey } from "./sessions.ts"

/** Something that was said, exactly. */
export interface Message {
  readonly id: number
  readonly session: string
  readonly role: MessageRole
  /** Milliseconds since 1970. */
  readonly at: number
  /** Name of the tool that was called; empty where none was. */
  readonly tool: string
  readonly content: StoredContent
}

/**
 * Adds a message to the current session.
 *
 * Source: context-paging.md, `cp_message_add.py`.
 */
export const addMessage = Effect.fn("paging.message-add")(function* (role: string, content: StoredContent) {
  if (!isMessageRole(role)) return yield* new InvalidRole({ role, kinds: false })
  const key = yield* sessionKey(undefined)
  const now = yield* Clock.currentTimeMillis
  const chance = yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)
  const { id } = yield* (yield* PagingDatabase).write("add a message", (sql) =>
    putMessage(sql, {
      session: touchSession(sql, key, now),
      role,
      content,
      at: now,
      source: "cli",
      uid: `cli:${now}:${chance.toString(36)}`
    })
  )
  return { id, session: key, role }
})

export const selectMessages = `SELECT m.id, m.role, m.ts, m.bytes, m.tool, m.sha256, m.content, m.raw, s.key AS session
  FROM messages m JOIN sessions s ON s.id = m.session_id`

export const messageOf = (row: Row): Message => {
  const role = textIn(row, "role")
  return {
    id: numberIn(row, "id"),
    session: textIn(row, "session"),
    role: isMessageRole(role) ? role : "system",
    at: numberIn(row, "ts"),
    tool: textIn(row, "tool"),
    content: contentIn(row)
  }
}

/**
 * Deletes one message, here and for good: a sweep of the transcript that told it does not bring it back, and its bytes are
 * overwritten.
 */
export const forgetMessage = Effect.fn("paging.forget")(function* (id: number) {
  const database = yield* PagingDatabase
  const { changes } = yield* database.write("forget a message", (sql) => {
    sql.run("INSERT OR IGNORE INTO forgotten (session_id, uid) SELECT session_id, uid FROM messages WHERE id = ?", id)
    return sql.run("DELETE FROM messages WHERE id = ?", id)
  })
  if (changes === 0) return yield* new NoSuchRow({ what: "message", id })
  // An index only marks what was deleted, and keeps its words until it is written anew.
  yield* database.write("rewrite the index", (sql) => {
    for (const index of ["messages_trigrams", "messages_words"]) {
      sql.run(`INSERT INTO ${index}(${index}) VALUES ('optimize')`)
    }
  })
  yield* database.checkpoint
  return { id }
})
