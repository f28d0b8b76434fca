import { isCommon } from "../../model/search/Common.ts"
import { numberIn, textIn } from "./columns.ts"
import type { Sql } from "./PagingDatabaseDriver.ts"
import type { Candidate, Probe } from "./Probe.ts"

/** Weights of the ranking. */
export interface Weights {
  /** What a neighbour's own score adds: an answer is near the words of its question. */
  readonly next: number
  readonly second: number
  /** Whether words that say little count. */
  readonly stopWords: boolean
}

/** Measured on LoCoMo's dev half (`bench/locomo-turns.ts`). */
export const weights: Weights = { next: 0.45, second: 0.2, stopWords: false }

/** A message and how well it answers. */
export interface Ranked extends Candidate {
  readonly score: number
}

const most = 400

/** The words of a query that tell something; all of them where none does. */
export const tellingWords = (query: string, stopWords = false): ReadonlyArray<string> => {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])]
  const telling = stopWords ? words : words.filter((word) => !isCommon(word))
  return telling.length > 0 ? telling : words
}

/**
 * Messages by how well their words answer a query, the best first: BM25 over their words, and as weak evidence over those
 * of their neighbours in the session.
 */
export const ranked = (sql: Sql, probe: Probe, options: Weights = weights): ReadonlyArray<Ranked> => {
  const words = tellingWords(probe.query, options.stopWords)
  if (words.length === 0) return []
  const match = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ")
  const found = sql.all(
    `SELECT w.rowid AS id, -bm25(messages_words) AS score FROM messages_words w
     WHERE messages_words MATCH ? ORDER BY bm25(messages_words), w.rowid LIMIT ${most}`,
    match
  )
  const own = new Map(found.map((row) => [numberIn(row, "id"), Number(row["score"])]))
  const scores = new Map<number, number>()
  const add = (id: number, score: number) => scores.set(id, (scores.get(id) ?? 0) + score)
  for (const [id, score] of own) {
    add(id, score)
    for (const { distance, id: near } of neighbours(sql, id)) {
      add(near, score * (distance === 1 ? options.next : options.second))
    }
  }
  const rows = sql.all(
    `SELECT id, ts AS at, role FROM messages WHERE id IN (SELECT value FROM json_each(?)) AND ts >= ? AND echo = 0
       ${probe.session === undefined ? "" : "AND session_id = ?"}
       ${probe.roles.length === 0 ? "" : `AND role IN (${probe.roles.map(() => "?").join(", ")})`}`,
    JSON.stringify([...scores.keys()]),
    probe.from,
    ...(probe.session === undefined ? [] : [probe.session]),
    ...probe.roles
  )
  return rows
    .map((row): Ranked => {
      const id = numberIn(row, "id")
      return { table: "messages", id, at: numberIn(row, "at"), role: textIn(row, "role"), score: scores.get(id) ?? 0 }
    })
    .toSorted((one, other) => other.score - one.score || one.id - other.id)
}

/** The two messages before and the two after one, in its session. */
const neighbours = (sql: Sql, id: number): ReadonlyArray<{ readonly id: number; readonly distance: number }> => {
  const row = sql.get("SELECT session_id, ts FROM messages WHERE id = ?", id)
  if (row === undefined) return []
  const at = [numberIn(row, "session_id"), numberIn(row, "ts"), id] as const
  const before = sql.all(
    "SELECT id FROM messages WHERE session_id = ? AND (ts, id) < (?, ?) ORDER BY ts DESC, id DESC LIMIT 2",
    ...at
  )
  const after = sql.all(
    "SELECT id FROM messages WHERE session_id = ? AND (ts, id) > (?, ?) ORDER BY ts, id LIMIT 2",
    ...at
  )
  return [before, after].flatMap((side) =>
    side.map((near, index) => ({ id: numberIn(near, "id"), distance: index + 1 }))
  )
}
