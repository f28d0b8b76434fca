import { Clock, Effect, Either, Encoding, Option, Schema } from "effect"
import { exactBytes, ofBytes, ofText, type StoredContent } from "../../model/paging/Content.ts"
import { isMessageRole, isPageKind } from "../../model/paging/Role.ts"
import { maybeNumberIn, numberIn, textIn } from "../../services/paging/columns.ts"
import { PagingDatabase } from "../../services/paging/PagingDatabase.ts"
import type { Row, Sql } from "../../services/paging/PagingDatabaseDriver.ts"
import { attachTag, contentIn, ensureSession, putMessage, topicIn } from "../../services/paging/PagingRows.ts"
import { progress } from "../../services/runtime/Progress.ts"

/** A line of an export is not one of ours. What came before it is in. */
export class InvalidRecord extends Schema.TaggedError<InvalidRecord>()("InvalidRecord", {
  line: Schema.Int,
  reason: Schema.String
}) {
  override get message() {
    return `line ${this.line} of the export: ${this.reason}. The lines before it are imported; mend it and import again: nothing comes in twice.`
  }
}

const content = {
  content: Schema.optionalWith(Schema.String, { exact: true }),
  content_base64: Schema.optionalWith(Schema.String, { exact: true })
}
const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/** One record a line. Source: design.md section 11. */
const Record = Schema.Union(
  Schema.Struct({
    record: Schema.Literal("session"),
    key: Schema.String,
    started: Schema.Number,
    active: Schema.Number,
    ended: maybe(Schema.Number)
  }),
  Schema.Struct({
    record: Schema.Literal("message"),
    session: Schema.String,
    role: Schema.String.pipe(Schema.filter(isMessageRole)),
    ts: Schema.Number,
    source: Schema.String,
    uid: Schema.String,
    agent: maybe(Schema.String),
    tool: maybe(Schema.String),
    call: maybe(Schema.String),
    kind: maybe(Schema.String),
    ...content
  }),
  Schema.Struct({ record: Schema.Literal("topic"), session: Schema.String, name: Schema.String }),
  Schema.Struct({ record: Schema.Literal("tag"), session: Schema.String, name: Schema.String }),
  Schema.Struct({
    record: Schema.Literal("page"),
    session: Schema.String,
    topic: Schema.String,
    kind: Schema.String.pipe(Schema.filter(isPageKind)),
    tags: Schema.Array(Schema.String),
    created: Schema.Number,
    updated: Schema.Number,
    ...content
  })
)
type Record = typeof Record.Type

const batch = 200

/**
 * Everything, as lines of JSON, handed over some at a time: sessions, topics, tags, messages and pages, each group in the
 * order of its numbers.
 */
export const exportAll = Effect.fn("paging.export")(function* <E, R>(
  write: (lines: string) => Effect.Effect<void, E, R>
) {
  const database = yield* PagingDatabase
  let records = 0
  const table = Effect.fnUntraced(function* (query: string, recordOf: (sql: Sql, row: Row) => object) {
    for (let last = 0; ;) {
      const rows = yield* database.read("export", (sql) =>
        sql
          .all(`${query} ORDER BY 1 LIMIT ?`, last, batch)
          .map((row) => ({ id: numberIn(row, "id"), record: recordOf(sql, row) }))
      )
      if (rows.length > 0) yield* write(rows.map(({ record }) => `${JSON.stringify(record)}\n`).join(""))
      records += rows.length
      if (rows.length < batch) return
      last = rows.at(-1)?.id ?? 0
      yield* progress(`exported ${records} records`)
    }
  })
  yield* table("SELECT id, key, started, active, ended FROM sessions WHERE id > ?", (_sql, row) => ({
    record: "session",
    key: textIn(row, "key"),
    started: numberIn(row, "started"),
    active: numberIn(row, "active"),
    ...(maybeNumberIn(row, "ended") === undefined ? {} : { ended: numberIn(row, "ended") })
  }))
  for (const name of ["topic", "tag"] as const) {
    yield* table(
      `SELECT t.id, t.name, s.key FROM ${name}s t JOIN sessions s ON s.id = t.session_id WHERE t.id > ?`,
      (_sql, row) => ({ record: name, session: textIn(row, "key"), name: textIn(row, "name") })
    )
  }
  yield* table(
    `SELECT m.id, m.role, m.ts, m.bytes, m.uid, m.source, m.agent, m.tool, m.call, m.kind, m.sha256, m.content, m.raw, s.key
     FROM messages m JOIN sessions s ON s.id = m.session_id WHERE m.id > ?`,
    (_sql, row) => ({
      record: "message",
      session: textIn(row, "key"),
      role: textIn(row, "role"),
      ts: numberIn(row, "ts"),
      source: textIn(row, "source"),
      uid: textIn(row, "uid"),
      ...Object.fromEntries(
        ["agent", "tool", "call", "kind"].flatMap((name) =>
          textIn(row, name) === "" ? [] : [[name, textIn(row, name)]]
        )
      ),
      ...contentRecord(contentIn(row))
    })
  )
  yield* table(
    `SELECT p.id, p.kind, p.created, p.updated, p.bytes, p.sha256, p.content, p.raw, s.key, t.name AS topic
     FROM pages p JOIN sessions s ON s.id = p.session_id JOIN topics t ON t.id = p.topic_id WHERE p.id > ?`,
    (sql, row) => ({
      record: "page",
      session: textIn(row, "key"),
      topic: textIn(row, "topic"),
      kind: textIn(row, "kind"),
      tags: sql
        .all(
          "SELECT g.name FROM page_tags x JOIN tags g ON g.id = x.tag_id WHERE x.page_id = ? ORDER BY g.name",
          numberIn(row, "id")
        )
        .map((tag) => textIn(tag, "name")),
      created: numberIn(row, "created"),
      updated: numberIn(row, "updated"),
      ...contentRecord(contentIn(row))
    })
  )
  return { records }
})

const contentRecord = (stored: StoredContent) =>
  stored.raw === null ? { content: stored.text } : { content_base64: Encoding.encodeBase64(exactBytes(stored)) }

/** What an import did. */
export interface Imported {
  readonly records: number
  /** Messages and pages that were not there before. */
  readonly messages: number
  readonly pages: number
}

/**
 * Takes the lines of an export in. What is there already stays and comes in once; numbers are given anew.
 */
export const importAll = Effect.fn("paging.import")(function* (lines: Iterable<string>) {
  const database = yield* PagingDatabase
  const now = yield* Clock.currentTimeMillis
  let [number, messages, pages, records] = [0, 0, 0, 0]
  let some: Array<Record> = []
  const flush = Effect.suspend(() => {
    const taken = some
    some = []
    return Effect.map(
      database.write("import", (sql) => taken.map((record) => take(sql, record, now))),
      (took) => {
        records += took.length
        messages += took.filter((what) => what === "message").length
        pages += took.filter((what) => what === "page").length
      }
    )
  })
  for (const line of lines) {
    number++
    if (line.trim() === "") continue
    const record = Schema.decodeUnknownEither(Schema.parseJson(Record))(line)
    const exact = Either.isRight(record) ? contentOf(record.right) : Option.none()
    if (Either.isLeft(record) || Option.isNone(exact)) {
      yield* flush
      return yield* new InvalidRecord({ line: number, reason: "it is no record of an export" })
    }
    some.push(record.right)
    if (some.length >= batch) yield* Effect.zipRight(flush, progress(`imported ${records} records`))
  }
  yield* flush
  return { records, messages, pages } satisfies Imported
})

/** The content of a record; none where it has none of the two forms. Records without content have an empty one. */
const contentOf = (record: Record): Option.Option<StoredContent> => {
  if (!("content" in record || "content_base64" in record)) {
    return record.record === "message" || record.record === "page" ? Option.none() : Option.some(ofText(""))
  }
  if (record.content !== undefined) return Option.some(ofText(record.content))
  return Option.map(Either.getRight(Encoding.decodeBase64(record.content_base64 ?? "")), ofBytes)
}

const take = (sql: Sql, record: Record, now: number): "message" | "page" | undefined => {
  switch (record.record) {
    case "session": {
      const id = ensureSession(sql, record.key, record.started)
      sql.run(
        "UPDATE sessions SET started = min(started, ?), active = max(active, ?), ended = coalesce(ended, ?) WHERE id = ?",
        record.started,
        record.active,
        record.ended ?? null,
        id
      )
      return undefined
    }
    case "topic":
    case "tag":
      sql.run(
        `INSERT INTO ${record.record}s (session_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING`,
        ensureSession(sql, record.session, now),
        record.name
      )
      return undefined
    case "message": {
      const exact = Option.getOrElse(contentOf(record), () => ofText(""))
      const { agent, call, kind, role, source, tool, ts, uid } = record
      const { state } = putMessage(sql, {
        session: ensureSession(sql, record.session, ts),
        role,
        content: exact,
        at: ts,
        source,
        uid,
        agent: agent ?? undefined,
        tool: tool ?? undefined,
        call: call ?? undefined,
        kind: kind ?? undefined
      })
      return state === "new" ? "message" : undefined
    }
    case "page":
      return takePage(
        sql,
        record,
        Option.getOrElse(contentOf(record), () => ofText(""))
      )
  }
}

/** A page has no key of its own: the same content of the same moment is the same page. */
const takePage = (sql: Sql, record: Extract<Record, { record: "page" }>, exact: StoredContent): "page" | undefined => {
  const session = ensureSession(sql, record.session, record.created)
  const known = sql.get(
    "SELECT id FROM pages WHERE session_id = ? AND created = ? AND sha256 = ?",
    session,
    record.created,
    exact.sha256
  )
  if (known !== undefined) return undefined
  const { id } = sql.run(
    `INSERT INTO pages (session_id, topic_id, kind, created, updated, bytes, sha256, content, raw)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    session,
    topicIn(sql, session, record.topic),
    record.kind,
    record.created,
    record.updated,
    exact.bytes,
    exact.sha256,
    exact.text,
    exact.raw
  )
  for (const tag of record.tags) attachTag(sql, session, id, tag)
  return "page"
}
