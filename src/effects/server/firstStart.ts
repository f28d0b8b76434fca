import { Effect, Option } from "effect"
import { ServerStore } from "../../services/server/ServerStore.ts"
import { mint, newId } from "./tokens.ts"

/**
 * Gives a new server its owner, `owner <owner@localhost>`, and the one-time token of that owner.
 *
 * @returns The token's text on the very first start, else None. It is kept nowhere: show it, or it is lost.
 *
 * Source: design.md sections 10 and 12.
 */
export const firstStart = Effect.gen(function* () {
  const { text, token } = yield* mint("owner (first start)")
  const owner = { id: yield* newId, email: "owner@localhost", name: "owner" }
  const added = yield* (yield* ServerStore).addFirstUser(owner, token)
  return added ? Option.some(text) : Option.none<string>()
}).pipe(Effect.withSpan("server.firstStart"))
