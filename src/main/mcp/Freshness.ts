import { Clock, Effect, PubSub, Queue, RcRef } from "effect"
import { watchServer } from "../../effects/sync/watchServer.ts"
import type { News } from "../../model/sync/ServerNews.ts"
import { Project } from "../../services/project/Project.ts"
import { pageNames, sameNames } from "../../services/page/StoreWatch.ts"
import type { Client, Platform } from "./App.ts"
import type { Session } from "./Session.ts"

/** How often the store is looked at. A look is a handful of stats. */
const interval = "1 second"

/** So many pieces of news wait for a client that does not read; it has enough to do without those before. */
const mostWaiting = 64

/**
 * What tells clients that something changed: pages that they subscribed to, on the disk or on the server, and the list of
 * pages. Nothing is pulled.
 *
 * The server is asked by one fiber for all clients, from the first that can be told something until the last is gone.
 *
 * Source: design.md section 5.
 */
export const makeFreshness = Effect.fnUntraced(function* (session: Session) {
  const server = yield* RcRef.make({ acquire: serverNews(session) })

  return (client: Client): Effect.Effect<never, never, Platform> =>
    Effect.gen(function* () {
      if ((yield* session.state)._tag === "Dormant") metAsleep(client)
      yield* session.awake
      yield* Effect.forEach(client.outdated, client.listChanged, { discard: true })
      client.outdated.clear()
      const state = yield* session.state
      if (state._tag === "Dormant") return yield* Effect.never
      const news = yield* Effect.flatMap(RcRef.get(server), PubSub.subscribe)
      yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(news), (one) => tell(client, one))))
      return yield* Effect.provide(watchStore(client), state.services)
    }).pipe(Effect.scoped)
})

/** The client knows lists of a server outside a project. */
export const metAsleep = (client: Client): void => {
  for (const list of ["tools", "resources", "prompts"] as const) client.outdated.add(list)
}

/** Runs while somebody listens. */
const serverNews = (session: Session) =>
  Effect.gen(function* () {
    const news = yield* PubSub.sliding<News>(mostWaiting)
    const state = yield* session.state
    if (state._tag === "Awake") {
      const watch = Effect.provide(
        watchServer((one) => PubSub.publish(news, one)),
        state.services
      )
      yield* Effect.forkScoped(Effect.interruptible(watch))
    }
    return news
  })

const tell = Effect.fnUntraced(function* (client: Client, news: News) {
  yield* Effect.forEach(client.subscriptions.concernedBy(news), client.updated, { discard: true })
  if (news.comeOrGone) yield* client.listChanged("resources")
})

/** What other processes, editors and tools of this very client do to the files. */
const watchStore = (client: Client) =>
  Effect.gen(function* () {
    const { contexo } = yield* Project
    const look = Effect.map(Clock.currentTimeMillis, (now) => pageNames(contexo, now, names))
    let names = yield* Effect.map(Clock.currentTimeMillis, (now) => pageNames(contexo, now))
    return yield* Effect.forever(
      Effect.gen(function* () {
        yield* Effect.sleep(interval)
        const before = names
        names = yield* look
        yield* Effect.forEach(client.subscriptions.changedIn(contexo), client.updated, { discard: true })
        if (!sameNames(before, names)) yield* client.listChanged("resources")
      })
    )
  })
