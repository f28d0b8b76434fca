import type { StoredContent } from "../../model/paging/Content.ts"
import { isLookup } from "../../model/paging/Echo.ts"
import type { MessageRole } from "../../model/paging/Role.ts"
import { bytesIn, numberIn, textIn } from "./columns.ts"
import type { Row, Sql } from "./PagingDatabaseDriver.ts"

/** The session of a key, made where there is none, and active from now on: what ended goes on. */
export const touchSession = (sql: Sql, key: string, now: number): number => {
  const row = sql.get(
    `INSERT INTO sessions (key, started, active) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET active = max(active, excluded.active), ended = NULL RETURNING id`,
    key,
    now,
    now
  )
  return numberIn(row ?? {}, "id")
}

/** The same without a change to one that is there: what is swept later says nothing of now. */
export const ensureSession = (sql: Sql, key: string, at: number): number => {
  const known = sql.get("SELECT id FROM sessions WHERE key = ?", key)
  return known === undefined ? touchSession(sql, key, at) : numberIn(known, "id")
}

/** The topic of a session, made where there is none. */
export const topicIn = (sql: Sql, session: number, name: string): number => {
  sql.run("INSERT INTO topics (session_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING", session, name)
  return numberIn(sql.get("SELECT id FROM topics WHERE session_id = ? AND name = ?", session, name) ?? {}, "id")
}

/** Attaches a tag of the page's session. */
export const attachTag = (sql: Sql, session: number, page: number, name: string): void => {
  sql.run("INSERT INTO tags (session_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING", session, name)
  sql.run(
    "INSERT INTO page_tags (page_id, tag_id) SELECT ?, id FROM tags WHERE session_id = ? AND name = ? ON CONFLICT DO NOTHING",
    page,
    session,
    name
  )
}

/** A message to be stored. */
export interface NewMessage {
  readonly session: number
  readonly role: MessageRole
  readonly content: StoredContent
  /** Milliseconds since 1970. */
  readonly at: number
  /** Who tells it: a host's name, or `cli`. */
  readonly source: string
  /** The same for the same message whenever it is told again, unique in its session. */
  readonly uid: string
  /** Told by an event, in whose words it may be cut: what the transcript says takes its place. */
  readonly live?: boolean
  readonly agent?: string | undefined
  readonly tool?: string | undefined
  readonly call?: string | undefined
  readonly kind?: string | undefined
}

/** What became of a message; one that was forgotten has no number. */
export type Stored = { readonly id: number; readonly state: "new" | "changed" | "known" | "forgotten" }

/** Stores a message once, whoever tells it how often. One that was told before, and says more or else now, is replaced. */
export const putMessage = (sql: Sql, message: NewMessage): Stored => {
  const { content } = message
  const known = sql.get(
    "SELECT id, sha256, live FROM messages WHERE session_id = ? AND uid = ?",
    message.session,
    message.uid
  )
  if (known === undefined) {
    const gone = sql.get(
      "SELECT 1 AS one FROM forgotten WHERE session_id = ? AND uid = ?",
      message.session,
      message.uid
    )
    return gone === undefined ? { id: insert(sql, message), state: "new" } : { id: 0, state: "forgotten" }
  }
  const id = numberIn(known, "id")
  const live = message.live === true
  // An event never overrules what the transcript said.
  const stays = live && numberIn(known, "live") === 0
  if (stays || (textIn(known, "sha256") === content.sha256 && (numberIn(known, "live") === 1) === live))
    return { id, state: "known" }
  sql.run(
    "UPDATE messages SET content = ?, raw = ?, sha256 = ?, bytes = ?, live = ? WHERE id = ?",
    content.text,
    content.raw,
    content.sha256,
    content.bytes,
    live ? 1 : 0,
    id
  )
  return { id, state: "changed" }
}

/**
 * Stores what an event tells before its transcript does; not where the transcript has said it already. Whether it is new.
 */
export const putLive = (sql: Sql, message: NewMessage): boolean => {
  // By then the transcript may have it: the same role and words, or the same call, since shortly before.
  const told = sql.get(
    `SELECT 1 AS one FROM messages WHERE session_id = ? AND role = ? AND live = 0
       AND ((sha256 = ? AND ts >= ?) OR (call IS NOT NULL AND call = ?)) LIMIT 1`,
    message.session,
    message.role,
    message.content.sha256,
    message.at - recent,
    message.call ?? null
  )
  return told === undefined && putMessage(sql, message).state === "new"
}

/** A host writes down what it told within this time, in milliseconds. */
const recent = 120_000

/**
 * Gives the row that an event told the transcript's own id and words, where there is one: by the prompt or call that both
 * name, else by the same words. It stays one row, with its number.
 */
export const completeLive = (sql: Sql, message: NewMessage): boolean => {
  const row = sql.get(
    `SELECT id FROM messages WHERE session_id = ? AND role = ? AND live = 1
       AND (sha256 = ? OR (call IS NOT NULL AND call = ?)) ORDER BY id LIMIT 1`,
    message.session,
    message.role,
    message.content.sha256,
    message.call ?? null
  )
  if (row === undefined) return false
  const taken = sql.get("SELECT 1 AS one FROM messages WHERE session_id = ? AND uid = ?", message.session, message.uid)
  if (taken !== undefined) return false
  const { agent, at, call, content, kind, source, tool, uid } = message
  sql.run(
    `UPDATE messages SET content = ?, raw = ?, sha256 = ?, bytes = ?, live = 0, uid = ?, ts = ?, source = ?, agent = ?, tool = ?,
       call = ?, kind = ? WHERE id = ?`,
    content.text,
    content.raw,
    content.sha256,
    content.bytes,
    uid,
    at,
    source,
    agent ?? null,
    tool ?? null,
    call ?? null,
    kind ?? null,
    numberIn(row, "id")
  )
  return true
}

const insert = (sql: Sql, message: NewMessage): number => {
  const { agent, at, call, content, kind, live, role, session, source, tool, uid } = message
  return sql.run(
    `INSERT INTO messages (session_id, role, ts, bytes, echo, live, uid, source, agent, tool, call, kind, sha256, content, raw)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    session,
    role,
    at,
    content.bytes,
    isEcho(sql, message) ? 1 : 0,
    live === true ? 1 : 0,
    uid,
    source,
    agent ?? null,
    tool ?? null,
    call ?? null,
    kind ?? null,
    content.sha256,
    content.text,
    content.raw
  ).id
}

/** A look-up in this database, or what it answered. */
const isEcho = (sql: Sql, { call, content, role, session, tool }: NewMessage): boolean => {
  if (role === "tool_call") return isLookup(tool, content.text)
  if (role !== "tool") return false
  if (isLookup(tool, "")) return true
  if (call === undefined) return false
  const calling = sql.get(
    "SELECT echo FROM messages WHERE session_id = ? AND call = ? AND role = 'tool_call' LIMIT 1",
    session,
    call
  )
  return calling !== undefined && numberIn(calling, "echo") === 1
}

/** What a row holds of its content. */
export const contentIn = (row: Row): StoredContent => ({
  text: textIn(row, "content"),
  raw: bytesIn(row, "raw"),
  sha256: textIn(row, "sha256"),
  bytes: numberIn(row, "bytes")
})
