import { Effect, Schema } from "effect"
import { answerBytes, countFitting } from "./fit.ts"
import { invalidParams } from "./Rpc.ts"

/** The parameters of every list. */
export const ListParams = Schema.UndefinedOr(Schema.Struct({ cursor: Schema.optional(Schema.String) }))

/** At most so many in one answer. */
const most = 100

/**
 * One page of a list: as many items as an answer holds, and where the next page begins.
 *
 * @param cursorOf What names an item as the last of a page; the next one is whatever comes after it then.
 */
export const pageOf = <A extends object>(
  items: ReadonlyArray<A>,
  cursorOf: (item: A) => string
): { readonly shown: ReadonlyArray<A>; readonly nextCursor?: string } => {
  const first = items.slice(0, most)
  const fitting = countFitting(
    first.map((item) => JSON.stringify(item)),
    // Room for what stands before the first of them.
    answerBytes - 2_000
  )
  const shown = first.slice(0, Math.max(1, fitting))
  const last = shown.at(-1)
  return last === undefined || shown.length === items.length ? { shown } : { shown, nextCursor: cursorOf(last) }
}

/** A list that fits into one answer has no cursor. */
export const noCursor = (params: typeof ListParams.Type) => (params?.cursor === undefined ? Effect.void : invalidCursor)

export const invalidCursor = invalidParams("invalid cursor: begin the list anew, without one")
