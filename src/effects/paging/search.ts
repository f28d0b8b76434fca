import { Effect } from "effect"
import { excerptAt } from "../../model/paging/Excerpt.ts"
import { find } from "../../model/paging/Fold.ts"
import { type MessageRole, messageRoles, type PageKind, pageKinds } from "../../model/paging/Role.ts"
import { numberIn, textIn } from "../../services/paging/columns.ts"
import { PagingDatabase } from "../../services/paging/PagingDatabase.ts"
import type { Sql } from "../../services/paging/PagingDatabaseDriver.ts"
import { type Candidate, candidates, type Hit, type Probe, verified } from "../../services/paging/Probe.ts"
import { ranked, tellingWords } from "../../services/paging/Ranking.ts"
import { parseRoles, type Roles, type Window, windowOf } from "./arguments.ts"

export interface SearchOptions {
  /** Default: the past hour. */
  readonly since?: string | undefined
  /** How many matches to pass over. */
  readonly offset?: number | undefined
  /** At most so many; default 20. */
  readonly limit?: number | undefined
  /** Roles of messages and kinds of pages, parted by commas. */
  readonly role?: string | undefined
  /** Capitals and small letters differ. */
  readonly matchCase?: boolean | undefined
  /** The best first, by words, instead of the oldest first, by exact text. Messages only. */
  readonly rank?: boolean | undefined
}

/** A reference to something that matches. */
export interface Reference {
  readonly id: number
  readonly kind: "message" | "page"
  /** A message's role, or a page's kind. */
  readonly role: string
  readonly session: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** One line, safe. */
  readonly excerpt: string
}

/** How many there are; `more`: at least. */
export interface Count {
  readonly count: number
  readonly more: boolean
}

export interface SearchResults {
  readonly query: string
  readonly window: Window
  readonly roles: Roles
  readonly offset: number
  readonly limit: number
  readonly matchCase: boolean
  readonly rank: boolean
  /** By role and kind of page, those with matches only, in the order of the roles. */
  readonly matches: ReadonlyMap<MessageRole | PageKind, Count>
  readonly references: ReadonlyArray<Reference>
  readonly nextOffset: number | undefined
  /** How many match before the window. */
  readonly beyond: Count
}

/** So many of a role are counted one by one. */
const counted = 1_000
/** After so many matches in all, counts are "at least". */
const looked = 3_000

/**
 * Finds everything in the project that holds a text, in any script and with any punctuation, the oldest first: compact
 * references, never whole contents. Look-ups in this database are left out, with what they answered.
 *
 * @example const { references } = yield* search("context.db", { since: "7d" })
 *
 * Source: context-paging.md, `cp_search.py`; design.md section 8; paging.md 8.
 */
export const search = Effect.fn("paging.search")(function* (query: string, options: SearchOptions = {}) {
  const { limit = 20, matchCase = false, offset = 0, rank = false } = options
  const window = yield* windowOf(options.since)
  const roles = yield* parseRoles(options.role, true)
  const asked = { query, window, roles, offset, limit, matchCase, rank }
  return yield* (yield* PagingDatabase).read("search", (sql): SearchResults => {
    const probe = { query, matchCase, from: window.from }
    return rank
      ? { ...asked, ...best(sql, { ...probe, roles: roles.roles }, asked) }
      : { ...asked, ...oldest(sql, probe, asked) }
  })
})

type Found = Pick<SearchResults, "matches" | "references" | "nextOffset" | "beyond">
type Asked = Pick<SearchResults, "roles" | "offset" | "limit" | "window">

/** Pages are looked through unless only roles of messages are asked for, and the other way round. */
const within = (
  sql: Sql,
  probe: Omit<Probe, "roles">,
  { kinds, roles }: Roles,
  limit?: number
): ReadonlyArray<Candidate> => {
  const messages = roles.length > 0 || kinds.length === 0 ? candidates(sql, "messages", { ...probe, roles }, limit) : []
  const pages =
    kinds.length > 0 || roles.length === 0 ? candidates(sql, "pages", { ...probe, roles: kinds }, limit) : []
  return pages.length === 0 ? messages : [...messages, ...pages].toSorted(byTime)
}

const byTime = (one: Candidate, other: Candidate): number =>
  one.at - other.at || (one.table === other.table ? one.id - other.id : one.table === "messages" ? -1 : 1)

const oldest = (sql: Sql, probe: Omit<Probe, "roles">, { limit, offset, roles, window }: Asked): Found => {
  const counts = new Map<string, number>()
  const shown: Array<Hit> = []
  let seen = 0
  let cut = false
  for (const hit of verified(sql, within(sql, probe, roles), probe)) {
    if (seen >= looked && seen > offset + limit) {
      cut = true
      break
    }
    counts.set(hit.role, (counts.get(hit.role) ?? 0) + 1)
    if (seen >= offset && seen < offset + limit) shown.push(hit)
    seen++
  }
  return {
    matches: countsOf(counts, cut),
    references: shown.map((hit) => referenceOf(sql, hit, probe.query.length)),
    nextOffset: seen > offset + limit ? offset + limit : undefined,
    beyond: window.from === 0 ? { count: 0, more: false } : before(sql, probe, roles, window.from)
  }
}

const countsOf = (counts: ReadonlyMap<string, number>, cut: boolean): SearchResults["matches"] =>
  new Map(
    [...messageRoles, ...pageKinds].flatMap((role) => {
      const count = counts.get(role) ?? 0
      if (count === 0) return []
      return [[role, { count: Math.min(count, counted), more: cut || count > counted }] as const]
    })
  )

/** How many match before the window; counted to a thousand. */
const before = (sql: Sql, probe: Omit<Probe, "roles">, roles: Roles, until: number): Count => {
  let count = 0
  const older = { ...probe, from: 0, until }
  for (const _hit of verified(sql, within(sql, older, roles, looked), probe)) {
    if (count === counted) return { count, more: true }
    count++
  }
  return { count, more: false }
}

const best = (sql: Sql, probe: Probe, { limit, offset, window }: Asked): Found => {
  const all = ranked(sql, probe)
  const counts = new Map<string, number>()
  for (const { role } of all) counts.set(role, (counts.get(role) ?? 0) + 1)
  const older = window.from === 0 ? 0 : ranked(sql, { ...probe, from: 0 }).length - all.length
  const words = tellingWords(probe.query)
  const page = all.slice(offset, offset + limit)
  const texts = new Map(Array.from(verified(sql, page, { query: "", matchCase: false }), (hit) => [hit.id, hit.text]))
  return {
    matches: countsOf(counts, false),
    references: page.map((one) => {
      const text = texts.get(one.id) ?? ""
      const places = words
        .map((word) => ({ at: find(text, word, false), length: word.length }))
        .filter(({ at }) => at !== -1)
      const [place = { at: 0, length: 0 }] = places.toSorted((a, b) => a.at - b.at)
      return referenceOf(sql, { ...one, text, found: place.at }, place.length)
    }),
    nextOffset: all.length > offset + limit ? offset + limit : undefined,
    beyond: { count: Math.max(0, older), more: false }
  }
}

const referenceOf = (sql: Sql, { at, found, id, role, table, text }: Hit, length: number): Reference => {
  const row = sql.get(`SELECT s.key FROM ${table} t JOIN sessions s ON s.id = t.session_id WHERE t.id = ?`, id)
  return {
    id: numberIn({ id }, "id"),
    kind: table === "messages" ? "message" : "page",
    role,
    session: textIn(row ?? {}, "key"),
    at,
    excerpt: excerptAt(text, found, length)
  }
}
