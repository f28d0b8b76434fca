import { Effect } from "effect"
import { PagingPlace } from "../../services/paging/PagingPlace.ts"
import { Registry } from "../../services/paging/Registry.ts"
import { initialise } from "./stats.ts"

/** Subscribes the project to capture. Its database is made first: who is subscribed can be written to. */
export const subscribe = Effect.fn("paging.subscribe")(function* () {
  const { database, root } = yield* PagingPlace
  yield* initialise()
  yield* (yield* Registry).subscribe(root, database)
  return { root, database }
})

/** Ends the project's capture; its database is kept. */
export const unsubscribe = Effect.fn("paging.unsubscribe")(function* () {
  const { database, root } = yield* PagingPlace
  const was = yield* (yield* Registry).unsubscribe(root)
  return { root, database, was }
})

/** Whether the project is subscribed. */
export const subscribed = Effect.fn("paging.subscribed")(function* () {
  const { database, root } = yield* PagingPlace
  return { root, database, subscribed: yield* (yield* Registry).isSubscribed(root) }
})
