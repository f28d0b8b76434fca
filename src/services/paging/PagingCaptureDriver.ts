/**
 * Driver of the paging capture: one event of a host in, what was said in the database. Without Effect: the hook runs at
 * every turn of every agent.
 */
import type { HookEvent } from "../../model/transcripts/HookEvent.ts"
import { ofText } from "../../model/paging/Content.ts"
import type { MessageRole } from "../../model/paging/Role.ts"
import { textHash } from "../../model/text/TextHash.ts"
import { type Fields, fieldsOf, filledOf, jsonText, stringOf } from "../../model/transcripts/Fields.ts"
import { formats } from "../../model/transcripts/formats.ts"
import { transcriptOf } from "../transcripts/TranscriptPathDriver.ts"
import { numberIn } from "./columns.ts"
import { dueForCleanup, expiredSessions, noteCleanup } from "./Expiry.ts"
import { openPaging, type PagingConnection, patientWrite, type Sql } from "./PagingDatabaseDriver.ts"
import { ensureSession, putLive, putMessage, touchSession } from "./PagingRows.ts"
import { sweepTranscript, type Swept } from "./PagingSweepDriver.ts"

export interface PagingCaptureOptions {
  /** Absolute path of the database. */
  readonly database: string
  /** The event as the host told it. */
  readonly input: unknown
  /** Milliseconds since 1970. */
  readonly now: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** How long to read, and to wait while others write, in milliseconds. */
  readonly budgetMs: number
  readonly waitMs: number
}

export interface PagingCaptured {
  readonly session: string
  readonly rows: number
  readonly swept: Swept | undefined
  /** Whether nobody had said anything in the session before. */
  readonly first: boolean
}

/** The role of a session that tells no id: everything of a day in one. */
const nameless = (now: number): string => `unknown-${new Date(now).toISOString().slice(0, 10)}`

/**
 * Takes an event: the session is registered, what the event alone tells goes in as a row, and the transcript is swept.
 *
 * @throws what the system or SQLite says; nothing is half written, and the next event finds what this one left.
 * Source: context-paging.md, "Harness wiring"; paging.md 9.
 */
export const capturePaging = (event: HookEvent, options: PagingCaptureOptions): PagingCaptured => {
  const session = (event.session ?? nameless(options.now)).slice(0, 200)
  const connection = openPaging(options.database, { busyMs: 0 }, options.waitMs)
  try {
    if (isBegin(event)) begin(connection, session, options)
    const first = connection.read((sql) => isSilent(sql, session))
    const path = transcriptOf(event, options.env)
    const swept = path === undefined ? undefined : sweepOf(connection, path, session, event, options)
    const told = patientWrite(connection, options.waitMs, (sql) => tell(sql, event, session, options))
    if (isEnd(event)) {
      patientWrite(connection, options.waitMs, (sql) =>
        sql.run("UPDATE sessions SET ended = ? WHERE key = ?", options.now, session)
      )
    }
    return { session, rows: told + (swept?.rows ?? 0), swept, first }
  } finally {
    connection.close()
  }
}

const isBegin = ({ name }: HookEvent): boolean => name === "SessionStart" || name === "sessionStart"
const isEnd = ({ name }: HookEvent): boolean => name === "SessionEnd" || name === "sessionEnd"

const isSilent = (sql: Sql, session: string): boolean =>
  sql.get(
    "SELECT 1 AS one FROM messages m JOIN sessions s ON s.id = m.session_id WHERE s.key = ? AND m.role = 'user' LIMIT 1",
    session
  ) === undefined

/** Registers the session, and cleans up once a day; sessions that own pages stay. */
const begin = (connection: PagingConnection, session: string, { now, waitMs }: PagingCaptureOptions): void => {
  patientWrite(connection, waitMs, (sql) => {
    touchSession(sql, session, now)
    if (!dueForCleanup(sql, now)) return
    const [oldest] = expiredSessions(sql, now, { days: 90, staleDays: 180, keepPages: true })
    if (oldest === undefined) return noteCleanup(sql, now)
    // One at a time: the next session's start takes the next.
    sql.run(
      "DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE session_id = ? LIMIT 2000)",
      numberIn(oldest, "id")
    )
    sql.run(
      "DELETE FROM sessions WHERE id = ? AND NOT EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id)",
      numberIn(oldest, "id")
    )
  })
}

const sweepOf = (
  connection: PagingConnection,
  path: string,
  session: string,
  event: HookEvent,
  { budgetMs, now, waitMs }: PagingCaptureOptions
): Swept | undefined => {
  const format = formats[event.agent]
  if (format === undefined) return undefined
  try {
    return sweepTranscript(connection, path, { format, session, source: event.agent, now, budgetMs, waitMs })
  } catch (error) {
    // A transcript that cannot be opened is none: the events tell what they can, and the next one tries again.
    if (typeof error === "object" && error !== null && "errcode" in error) throw error
    return undefined
  }
}

/** What the event itself says; of a host that writes transcripts, only what that does not have yet. How many rows. */
const tell = (sql: Sql, event: HookEvent, key: string, options: PagingCaptureOptions): number => {
  const { now } = options
  const fields = fieldsOf(options.input) ?? {}
  const session = isBegin(event) || isEnd(event) ? ensureSession(sql, key, now) : touchSession(sql, key, now)
  const rows = toldRows(event, fields)
  let stored = 0
  for (const { call, role, text, tool } of rows) {
    if (text === "" && role !== "tool" && role !== "tool_call") continue
    const content = ofText(text)
    const turn = event.turn ?? ""
    const message = {
      session,
      role,
      content,
      at: now,
      source: event.agent,
      uid: `event:${turn}:${event.name}:${role}:${call ?? textHash(text)}`,
      live: true,
      kind: event.name,
      tool,
      call: call ?? (role === "user" ? event.turn : undefined)
    }
    // Where no transcript will ever tell, the event's row is whole.
    const done =
      formats[event.agent] !== undefined
        ? putLive(sql, message)
        : putMessage(sql, { ...message, live: false }).state === "new"
    if (done) stored++
  }
  return stored
}

interface Told {
  readonly role: MessageRole
  readonly text: string
  readonly tool?: string | undefined
  readonly call?: string | undefined
}

/** The rows that an event carries. With a transcript only prompts and last replies: hosts tell those before they write them. */
const toldRows = (event: HookEvent, fields: Fields): ReadonlyArray<Told> => {
  const typed = fields["source"] === undefined || fields["source"] === "user" || fields["source"] === "sdk"
  const spoken = stringOf(fields["prompt"])
  switch (event.phase) {
    case "prompt":
      if (event.prompt !== undefined) return [{ role: "user", text: event.prompt }]
      return !typed && spoken !== undefined ? [{ role: "system", text: spoken }] : []
    case "tool":
      return event.agent === "cursor" ? toolRows(event, fields) : []
    case "reply":
    case "end":
      return event.reply === undefined ? [] : [{ role: "assistant", text: event.reply }]
    default:
      return event.name === "afterAgentThought" ? [{ role: "thinking", text: stringOf(fields["text"]) ?? "" }] : []
  }
}

const toolRows = (event: HookEvent, fields: Fields): ReadonlyArray<Told> => {
  const call = filledOf(fields["tool_use_id"]) ?? filledOf(fields["tool_call_id"])
  const output = fields["tool_output"] ?? fields["tool_response"] ?? fields["result_json"] ?? fields["error"]
  return [
    {
      role: "tool_call",
      text: jsonText(fields["tool_input"]),
      tool: event.tool,
      call: call === undefined ? undefined : `${call}:call`
    },
    { role: "tool", text: jsonText(output), tool: event.tool, call }
  ]
}
