import { find, fold, trigrams } from "../../model/paging/Fold.ts"
import type { MessageRole, PageKind } from "../../model/paging/Role.ts"
import { numberIn, textIn } from "./columns.ts"
import type { Sql, Value } from "./PagingDatabaseDriver.ts"
import { indexedBytes } from "./Schema.ts"

/** What is looked for in one of the two tables of texts. */
export interface Probe {
  /** Any text; empty matches everything. */
  readonly query: string
  readonly matchCase: boolean
  /** Milliseconds since 1970: from this on, and before that. */
  readonly from: number
  readonly until?: number
  /** Number of the session; every one without it. */
  readonly session?: number
  /** Roles of messages or kinds of pages; empty for all. */
  readonly roles: ReadonlyArray<MessageRole | PageKind>
}

/** A row that may hold what is looked for. */
export interface Candidate {
  readonly table: "messages" | "pages"
  readonly id: number
  readonly at: number
  /** A message's role, or a page's kind. */
  readonly role: string
}

const tables = {
  messages: { time: "ts", role: "role", own: "echo = 0" },
  pages: { time: "updated", role: "kind", own: "1" }
} as const

/** In a window with at most so many rows, looking at each is quicker than the index. */
const smallWindow = 20_000

/**
 * The rows that may match, the oldest first: all that do are among them. The user's text is data in every statement, never
 * grammar.
 *
 * @param limit With it, at most so many in any order: for counting.
 */
export const candidates = (
  sql: Sql,
  table: Candidate["table"],
  probe: Probe,
  limit?: number
): ReadonlyArray<Candidate> => {
  const { own, role, time } = tables[table]
  const narrowed = narrow(sql, table, probe)
  const where = [
    `${time} >= ?`,
    ...(probe.until === undefined ? [] : [`${time} < ?`]),
    ...(probe.session === undefined ? [] : ["session_id = ?"]),
    ...(probe.roles.length === 0 ? [] : [`${role} IN (${probe.roles.map(() => "?").join(", ")})`]),
    own,
    narrowed.sql
  ]
  const values: ReadonlyArray<Value> = [
    probe.from,
    ...(probe.until === undefined ? [] : [probe.until]),
    ...(probe.session === undefined ? [] : [probe.session]),
    ...probe.roles,
    ...narrowed.values
  ]
  return sql
    .all(
      `SELECT id, ${time} AS at, ${role} AS role FROM ${table} WHERE ${where.join(" AND ")} ${limit === undefined ? `ORDER BY ${time}, id` : `LIMIT ${limit}`}`,
      ...values
    )
    .map((row) => ({ table, id: numberIn(row, "id"), at: numberIn(row, "at"), role: textIn(row, "role") }))
}

interface Narrowed {
  readonly sql: string
  readonly values: ReadonlyArray<Value>
}

const everything: Narrowed = { sql: "1", values: [] }

/** By the index where it knows the query and the window is large; else by a look at each text. */
const narrow = (sql: Sql, table: Candidate["table"], probe: Probe): Narrowed => {
  const { matchCase, query } = probe
  if (query === "") return everything
  const three = trigrams(query)
  if (three.length > 0 && !isSmall(sql, table, probe)) {
    const match = three.map((letters) => `"${letters.replaceAll('"', '""')}"`).join(" AND ")
    return {
      sql: `id IN (SELECT rowid FROM ${table}_trigrams WHERE ${table}_trigrams MATCH ?
              UNION ALL SELECT id FROM ${table} WHERE bytes > ${indexedBytes})`,
      values: [match]
    }
  }
  // SQLite stops at a NUL, and no text of ours has one.
  if (query.includes("\0") || !query.isWellFormed()) return everything
  if (matchCase) return { sql: "instr(content, ?) > 0", values: [query] }
  return hasForeignCase(query) ? everything : { sql: "instr(lower(content), ?) > 0", values: [fold(query)] }
}

/** Whether it has letters of two cases that SQLite's `lower` does not know. */
const hasForeignCase = (query: string): boolean =>
  Array.from(query).some(
    (letter) => letter > "\u007f" && (letter.toLowerCase() !== letter || letter.toUpperCase() !== letter)
  )

const isSmall = (sql: Sql, table: Candidate["table"], { from }: Probe): boolean => {
  if (from === 0) return false
  const { time } = tables[table]
  const row = sql.get(
    `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${time} >= ? LIMIT ${smallWindow + 1})`,
    from
  )
  return numberIn(row ?? {}, "n") <= smallWindow
}

/** A row that does hold what is looked for. */
export interface Hit extends Candidate {
  readonly text: string
  /** Where, in UTF-16 code units; 0 for an empty query. */
  readonly found: number
}

const batch = 200

/** Those of the candidates that match, in their order, read some at a time. */
export function* verified(
  sql: Sql,
  among: ReadonlyArray<Candidate>,
  { matchCase, query }: Pick<Probe, "matchCase" | "query">
): Generator<Hit> {
  for (let start = 0; start < among.length; start += batch) {
    const some = among.slice(start, start + batch)
    const texts = { messages: textsOf(sql, "messages", some), pages: textsOf(sql, "pages", some) }
    for (const one of some) {
      const text = texts[one.table].get(one.id)
      if (text === undefined) continue
      const found = query === "" ? 0 : find(text, query, matchCase)
      if (found !== -1) yield { ...one, text, found }
    }
  }
}

const textsOf = (sql: Sql, table: Candidate["table"], among: ReadonlyArray<Candidate>): ReadonlyMap<number, string> => {
  const ids = among.filter((one) => one.table === table).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = sql.all(
    `SELECT id, content FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids)
  )
  return new Map(rows.map((row) => [numberIn(row, "id"), textIn(row, "content")]))
}
