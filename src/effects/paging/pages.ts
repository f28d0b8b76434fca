import { Clock, Effect } from "effect"
import type { StoredContent } from "../../model/paging/Content.ts"
import type { PageKind } from "../../model/paging/Role.ts"
import { isPageKind } from "../../model/paging/Role.ts"
import { numberIn, textIn } from "../../services/paging/columns.ts"
import { PagingDatabase } from "../../services/paging/PagingDatabase.ts"
import type { Row, Sql } from "../../services/paging/PagingDatabaseDriver.ts"
import { defaultTags, defaultTopic } from "../../services/paging/PagingDefaults.ts"
import { attachTag, contentIn, topicIn, touchSession } from "../../services/paging/PagingRows.ts"
import { parseKind, parseName } from "./arguments.ts"
import { NoSuchRow } from "./errors.ts"
import { sessionKey } from "./sessions.ts"

/** A unit of exact context that somebody kept. */
export interface KeptPage {
  readonly id: number
  readonly session: string
  readonly topic: string
  readonly kind: PageKind
  readonly tags: ReadonlyArray<string>
  /** Milliseconds since 1970. */
  readonly created: number
  readonly updated: number
  readonly content: StoredContent
}

export interface PageOutOptions {
  /** Default: `CP_TOPIC`, else `general`. */
  readonly topic?: string | undefined
  /** Default: `CP_TAGS`. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Default: `note`. */
  readonly kind?: string | undefined
}

/** Gets or makes a topic of the current session. */
export const topic = Effect.fn("paging.topic")(function* (named?: string | undefined) {
  const name = yield* parseName("topic", named ?? (yield* defaultTopic))
  const key = yield* sessionKey(undefined)
  const now = yield* Clock.currentTimeMillis
  const id = yield* (yield* PagingDatabase).write("make a topic", (sql) =>
    topicIn(sql, touchSession(sql, key, now), name)
  )
  return { name, id, session: key }
})

/** The topics of the current session, or of all, with how many pages each has. */
export const listTopics = Effect.fn("paging.topic-list")(function* (all = false) {
  const key = yield* sessionKey(undefined)
  const rows = yield* (yield* PagingDatabase).read("list topics", (sql) =>
    sql.all(
      `SELECT t.name, s.key, (SELECT count(*) FROM pages p WHERE p.topic_id = t.id) AS pages
       FROM topics t JOIN sessions s ON s.id = t.session_id WHERE ? OR s.key = ? ORDER BY s.id, t.id`,
      all ? 1 : 0,
      key
    )
  )
  return rows.map((row) => ({ name: textIn(row, "name"), session: textIn(row, "key"), pages: numberIn(row, "pages") }))
})

/**
 * Keeps exact content as a page.
 *
 * @example const { id } = yield* pageOut(ofText("The port is 4848, because ..."), { kind: "decision" })
 *
 * Source: context-paging.md, `cp_page_out.py`.
 */
export const pageOut = Effect.fn("paging.page-out")(function* (content: StoredContent, options: PageOutOptions = {}) {
  const kind = yield* parseKind(options.kind ?? "note")
  const name = yield* parseName("topic", options.topic ?? (yield* defaultTopic))
  const given = options.tags === undefined || options.tags.length === 0 ? yield* defaultTags : options.tags
  const tags = yield* Effect.forEach(given, (tag) => parseName("tag", tag))
  const key = yield* sessionKey(undefined)
  const now = yield* Clock.currentTimeMillis
  const id = yield* (yield* PagingDatabase).write("page out", (sql) => {
    const session = touchSession(sql, key, now)
    const page = sql.run(
      "INSERT INTO pages (session_id, topic_id, kind, created, updated, bytes, sha256, content, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      session,
      topicIn(sql, session, name),
      kind,
      now,
      now,
      content.bytes,
      content.sha256,
      content.text,
      content.raw
    ).id
    for (const tag of tags) attachTag(sql, session, page, tag)
    return page
  })
  return { id, session: key, topic: name, kind, tags }
})

/** Replaces a page's content; its number stays. */
export const updatePage = Effect.fn("paging.page-update")(function* (id: number, content: StoredContent) {
  const now = yield* Clock.currentTimeMillis
  const { changes } = yield* (yield* PagingDatabase).write("update a page", (sql) =>
    sql.run(
      "UPDATE pages SET content = ?, raw = ?, sha256 = ?, bytes = ?, updated = ? WHERE id = ?",
      content.text,
      content.raw,
      content.sha256,
      content.bytes,
      now,
      id
    )
  )
  return changes === 0 ? yield* new NoSuchRow({ what: "page", id }) : { id }
})

/** Deletes a page. */
export const deletePage = Effect.fn("paging.page-delete")(function* (id: number) {
  const { changes } = yield* (yield* PagingDatabase).write("delete a page", (sql) =>
    sql.run("DELETE FROM pages WHERE id = ?", id)
  )
  return changes === 0 ? yield* new NoSuchRow({ what: "page", id }) : { id }
})

/** Attaches a tag to a page. */
export const tagPage = Effect.fn("paging.tag")(function* (id: number, name: string) {
  const tag = yield* parseName("tag", name)
  const found = yield* (yield* PagingDatabase).write("tag a page", (sql) => {
    const page = sql.get("SELECT session_id FROM pages WHERE id = ?", id)
    if (page !== undefined) attachTag(sql, numberIn(page, "session_id"), id, tag)
    return page !== undefined
  })
  return found ? { id, tag } : yield* new NoSuchRow({ what: "page", id })
})

/** A page by its number, whenever it was kept. */
export const pageIn = Effect.fn("paging.page-in")(function* (id: number) {
  const found = yield* (yield* PagingDatabase).read("page in", (sql) => {
    const row = sql.get(`${selectPages} WHERE p.id = ?`, id)
    return row === undefined ? undefined : pageOf(sql, row)
  })
  return found ?? (yield* new NoSuchRow({ what: "page", id }))
})

export const selectPages = `SELECT p.id, p.kind, p.created, p.updated, p.bytes, p.sha256, p.content, p.raw,
  s.key AS session, t.name AS topic FROM pages p JOIN sessions s ON s.id = p.session_id JOIN topics t ON t.id = p.topic_id`

export const pageOf = (sql: Sql, row: Row): KeptPage => {
  const id = numberIn(row, "id")
  const kind = textIn(row, "kind")
  return {
    id,
    session: textIn(row, "session"),
    topic: textIn(row, "topic"),
    kind: isPageKind(kind) ? kind : "note",
    tags: sql
      .all("SELECT g.name FROM page_tags x JOIN tags g ON g.id = x.tag_id WHERE x.page_id = ? ORDER BY g.name", id)
      .map((tag) => textIn(tag, "name")),
    created: numberIn(row, "created"),
    updated: numberIn(row, "updated"),
    content: contentIn(row)
  }
}
