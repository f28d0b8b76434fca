import { Effect } from "effect"
import type { Where } from "../../services/project/ProjectDiscovery.ts"
import type { App } from "./App.ts"
import { makeFreshness } from "./Freshness.ts"
import { answer } from "./methods.ts"
import { makeSession } from "./Session.ts"

/** The product: one project's knowledge, served for the length of the scope. */
export const makeProjectApp = Effect.fnUntraced(function* (where: Where) {
  const session = yield* makeSession(where)
  return {
    answer: (request, client) => answer(session, request, client),
    follow: yield* makeFreshness(session),
    odd: session.odd
  } satisfies App
})
