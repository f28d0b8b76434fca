import { Effect } from "effect"
import { numberIn } from "../../services/paging/columns.ts"
import { PagingDatabase } from "../../services/paging/PagingDatabase.ts"
import { NoSuchRow } from "./errors.ts"
import { type Message, messageOf, selectMessages } from "./messages.ts"

/** A message with its neighbours, in the order in which they were said. */
export interface Around {
  readonly id: number
  readonly session: string
  readonly count: number
  readonly messages: ReadonlyArray<Message>
}

/**
 * The messages of a session around one of them, whenever that was.
 *
 * @param count On each side; default 5.
 *
 * Source: context-paging.md, `cp_around.py`.
 */
export const around = Effect.fn("paging.around")(function* (id: number, count = 5) {
  const found = yield* (yield* PagingDatabase).read("look around", (sql): Around | undefined => {
    const row = sql.get("SELECT m.session_id, m.ts FROM messages m WHERE m.id = ?", id)
    if (row === undefined) return undefined
    const [session, ts] = [numberIn(row, "session_id"), numberIn(row, "ts")]
    const before = sql.all(
      `${selectMessages} WHERE m.session_id = ? AND (m.ts, m.id) < (?, ?) ORDER BY m.ts DESC, m.id DESC LIMIT ?`,
      session,
      ts,
      id,
      count
    )
    const rest = sql.all(
      `${selectMessages} WHERE m.session_id = ? AND (m.ts, m.id) >= (?, ?) ORDER BY m.ts, m.id LIMIT ?`,
      session,
      ts,
      id,
      count + 1
    )
    const messages = [...before.toReversed(), ...rest].map(messageOf)
    return { id, session: messages[0]?.session ?? "", count, messages }
  })
  return found ?? (yield* new NoSuchRow({ what: "message", id }))
})
