import { Effect } from "effect"
import { numberIn } from "../../services/paging/columns.ts"
import { PagingDatabase } from "../../services/paging/PagingDatabase.ts"
import { candidates, verified } from "../../services/paging/Probe.ts"
import { parseRoles, type Roles, type Window, windowOf } from "./arguments.ts"
import { type Message, messageOf, selectMessages } from "./messages.ts"
import type { Count } from "./search.ts"
import { sessionKey } from "./sessions.ts"

export interface ListMessagesOptions {
  /** Messages that hold this. */
  readonly query?: string | undefined
  /** At most so many, the newest; default 20. */
  readonly limit?: number | undefined
  /** Default: the past hour. */
  readonly since?: string | undefined
  readonly role?: string | undefined
  /** Every session. */
  readonly all?: boolean | undefined
}

/** Messages of a window, the oldest first. */
export interface MessageListing {
  /** None: every session. */
  readonly session: string | undefined
  readonly window: Window
  readonly roles: Roles
  readonly query: string
  readonly limit: number
  readonly messages: ReadonlyArray<Message>
  /** How many older ones of the window are left off. */
  readonly earlier: Count
  /** How many match before the window. */
  readonly beyond: Count
}

const counted = 1_000

/**
 * Messages in the order in which they were said: the newest of a window, or those of them that hold a text.
 *
 * Source: context-paging.md, `cp_message_list.py`.
 */
export const listMessages = Effect.fn("paging.message-list")(function* (options: ListMessagesOptions) {
  const { all = false, limit = 20, query = "" } = options
  const window = yield* windowOf(options.since)
  const roles = yield* parseRoles(options.role, false)
  const key = yield* sessionKey(undefined)
  return yield* (yield* PagingDatabase).read("list messages", (sql): MessageListing => {
    const row = all ? undefined : sql.get("SELECT id FROM sessions WHERE key = ?", key)
    // A key without a session has no messages; no session has this number.
    const session = all ? {} : { session: row === undefined ? -1 : numberIn(row, "id") }
    const probe = { query, matchCase: false, roles: roles.roles, ...session }
    const among = candidates(sql, "messages", { ...probe, from: window.from })
    // From the newest on: a long conversation is not read for its end.
    const newest: Array<number> = []
    let earlier = 0
    for (const { id } of verified(sql, among.toReversed(), probe)) {
      if (newest.length < limit) newest.push(id)
      else if (++earlier > counted) break
    }
    const older = window.from === 0 ? [] : candidates(sql, "messages", { ...probe, from: 0, until: window.from }, 5_000)
    let beyond = 0
    for (const _hit of verified(sql, older, probe)) if (++beyond > counted) break
    return {
      session: all ? undefined : key,
      window,
      roles,
      query,
      limit,
      messages: newest.toReversed().flatMap((id) => {
        const found = sql.get(`${selectMessages} WHERE m.id = ?`, id)
        return found === undefined ? [] : [messageOf(found)]
      }),
      earlier: { count: Math.min(earlier, counted), more: earlier > counted },
      beyond: { count: Math.min(beyond, counted), more: beyond > counted }
    }
  })
})
