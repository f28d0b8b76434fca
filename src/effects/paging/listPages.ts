import { Effect } from "effect"
import { find } from "../../model/paging/Fold.ts"
import { anyTime } from "../../model/paging/Since.ts"
import { numberIn, textIn } from "../../services/paging/columns.ts"
import { PagingDatabase } from "../../services/paging/PagingDatabase.ts"
import { type Window, windowFrom, windowOf } from "./arguments.ts"
import { type KeptPage, pageOf, selectPages } from "./pages.ts"
import { sessionKey } from "./sessions.ts"

export interface ListPagesOptions {
  /** Pages whose content, topic or a tag holds this. */
  readonly query?: string | undefined
  /** Every session, whenever. */
  readonly all?: boolean | undefined
  /** At most so many, the newest; default 20. */
  readonly limit?: number | undefined
  /** Default: the past hour. */
  readonly since?: string | undefined
}

/** Pages of a window, the oldest first. */
export interface PageListing {
  /** None: every session. */
  readonly session: string | undefined
  readonly window: Window
  readonly query: string
  readonly limit: number
  readonly pages: ReadonlyArray<KeptPage>
  /** How many older ones of the window are left off. */
  readonly earlier: number
  /** How many match before the window. */
  readonly beyond: number
}

/**
 * Pages to read again: recent ones, or those that match.
 *
 * Source: context-paging.md, `cp_page_in.py`.
 */
export const listPages = Effect.fn("paging.page-in")(function* (options: ListPagesOptions) {
  const { all = false, limit = 20, query = "" } = options
  const window = all && options.since === undefined ? yield* windowFrom(anyTime) : yield* windowOf(options.since)
  const key = yield* sessionKey(undefined)
  return yield* (yield* PagingDatabase).read("list pages", (sql): PageListing => {
    const matching: Array<number> = []
    let beyond = 0
    const rows = sql.all(
      `SELECT p.id, p.updated, p.content, t.name AS topic,
         (SELECT group_concat(g.name, char(10)) FROM page_tags x JOIN tags g ON g.id = x.tag_id WHERE x.page_id = p.id) AS tags
       FROM pages p JOIN sessions s ON s.id = p.session_id JOIN topics t ON t.id = p.topic_id
       WHERE ? OR s.key = ? ORDER BY p.updated, p.id`,
      all ? 1 : 0,
      key
    )
    for (const row of rows) {
      const text = ["content", "topic", "tags"].map((name) => textIn(row, name)).join("\n")
      if (query !== "" && find(text, query, false) === -1) continue
      if (numberIn(row, "updated") < window.from) beyond++
      else matching.push(numberIn(row, "id"))
    }
    const shown = limit === 0 ? [] : matching.slice(-limit)
    return {
      session: all ? undefined : key,
      window,
      query,
      limit,
      pages: shown.flatMap((id) => {
        const row = sql.get(`${selectPages} WHERE p.id = ?`, id)
        return row === undefined ? [] : [pageOf(sql, row)]
      }),
      earlier: matching.length - shown.length,
      beyond
    }
  })
})
