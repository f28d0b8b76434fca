import { Clock, Duration, Effect, Exit, FiberSet, Option, Schedule, Scope } from "effect"
import { randomUUID } from "node:crypto"
import type { App, Platform } from "../App.ts"
import { attach } from "../attach.ts"
import { webTransport, type WebTransport } from "./WebTransportDriver.ts"

/** One client, from its `initialize` on. */
export interface Client {
  readonly web: WebTransport
  /** When it last asked for something, in milliseconds since the epoch. */
  usedAt: number
  /** Answers that are being sent; a stream of notifications is one. */
  streams: number
  /** Tells it what it wants to hear about, while it holds a stream of notifications open. */
  follow: Effect.Effect<never, never, Platform>
  readonly forget: Effect.Effect<void>
}

export interface Clients {
  readonly find: (id: string) => Effect.Effect<Option.Option<Client>>
  /** For a client that says `initialize`. None: there are too many, and all of them are at work. */
  readonly add: Effect.Effect<Option.Option<Client>, never, Platform>
  /** Forgets all of them; what they have in hand is interrupted. */
  readonly close: Effect.Effect<void>
}

/** How many clients there are at once. One more takes the place of the one that has been quiet longest. */
export const mostClients = 64

/** A client that has been quiet for so long is forgotten; it begins anew when it comes back. */
const idle = Duration.toMillis("30 minutes")

/** How often that is looked at. */
const interval = "1 minute"

/** The clients of a server, all of one app. Each has its requests, and goes with the scope. */
export const makeClients = Effect.fnUntraced(function* (app: App) {
  const parent = yield* Effect.scope
  const run = yield* FiberSet.makeRuntime<never, void>()
  const clients = new Map<string, Client>()

  const forgetAll = (some: Iterable<Client>) => Effect.forEach([...some], ({ forget }) => forget, { discard: true })

  /** Those to whom nothing is being sent, longest quiet first. */
  const quiet = () =>
    [...clients.values()].filter(({ streams }) => streams === 0).toSorted((a, b) => a.usedAt - b.usedAt)

  // Where the clock was set back, what was used in the future is as good as idle.
  const forgetIdle = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    forgetAll(quiet().filter(({ usedAt }) => now - usedAt >= idle || usedAt > now + idle))
  )
  yield* Effect.forkScoped(Effect.repeat(forgetIdle, Schedule.spaced(interval)))

  const makeRoom = Effect.suspend(() => forgetAll(quiet().slice(0, Math.max(0, clients.size - mostClients + 1))))

  const add = Effect.gen(function* () {
    yield* makeRoom
    if (clients.size >= mostClients) return Option.none<Client>()
    const id = randomUUID()
    const scope = yield* Scope.fork(parent, { _tag: "Sequential" })
    const forget = Effect.suspend(() => (clients.delete(id) ? Scope.close(scope, Exit.void) : Effect.void))
    const web = webTransport(id, () => run(forget))
    const client: Client = { web, usedAt: yield* Clock.currentTimeMillis, streams: 0, follow: Effect.never, forget }
    clients.set(id, client)
    yield* Scope.addFinalizer(scope, web.close)
    client.follow = (yield* Scope.extend(attach(app, web.transport), scope)).follow
    return Option.some(client)
  })

  const find = (id: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const client = Option.fromNullable(clients.get(id))
      if (Option.isSome(client)) client.value.usedAt = now
      return client
    })

  const close = Effect.suspend(() => forgetAll(clients.values()))

  return { find, add, close } satisfies Clients
})
