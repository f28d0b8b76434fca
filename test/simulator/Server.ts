import { Readable } from "node:stream"
import { HttpApp, HttpClient, HttpClientError, HttpClientResponse, HttpServer } from "@effect/platform"
import { Effect, Exit, Layer, Option, Scope } from "effect"
import { firstStart } from "../../src/effects/server/firstStart.ts"
import { app } from "../../src/main/server/app.ts"
import { ChangeSignal } from "../../src/services/server/ChangeSignal.ts"
import { RateLimit } from "../../src/services/server/RateLimit.ts"
import { SecureRandom } from "../../src/services/server/SecureRandom.ts"
import { layer as sqliteStore } from "../../src/services/server/ServerStoreSqlite.ts"

/** The real server over its real database, without sockets: requests are handed to its own handler. */
export interface Server {
  readonly token: string
  readonly client: Layer.Layer<HttpClient.HttpClient>
  readonly restart: Effect.Effect<void>
  /** It dies at the `k`-th request from now, before or after its work, and is back for the next. Undefined: it does not. */
  readonly dieAt: (death: { readonly k: number; readonly handled: boolean } | undefined) => void
}

type Handler = (request: Request) => Promise<Response>

/** The server reads bodies off Node's own stream; this request is one, as far as that goes. */
const asNodeHasIt = (request: Request, body: ReadonlyArray<Uint8Array>): Request => {
  const stream = Readable.from(body)
  return Object.assign(request, {
    on: stream.on.bind(stream),
    off: stream.off.bind(stream),
    resume: stream.resume.bind(stream)
  })
}

/** @param database Path of the database file, in a folder that exists. */
export const serverOver = Effect.fnUntraced(function* (database: string) {
  const start = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const serving = Effect.gen(function* () {
      let handler: Handler = () => Promise.reject(new Error("nobody serves"))
      const capture = HttpServer.make({
        address: { _tag: "TcpAddress", hostname: "127.0.0.1", port: 1 },
        serve: (...served) =>
          Effect.map(Effect.runtime(), (runtime) => {
            handler = HttpApp.toWebHandlerRuntime(runtime)(...served)
          })
      })
      const services = yield* Layer.build(
        Layer.mergeAll(sqliteStore(database), SecureRandom.layer, ChangeSignal.layer, RateLimit.none)
      )
      yield* Layer.build(
        app.pipe(
          Layer.provide(Layer.succeed(HttpServer.HttpServer, capture)),
          Layer.provide(Layer.succeedContext(services))
        )
      )
      return { handler, token: yield* Effect.provide(firstStart, services) }
    })
    return { scope, ...(yield* Effect.orDie(Scope.extend(serving, scope))) }
  })

  let running = yield* start
  let death: { readonly k: number; readonly handled: boolean } | undefined
  const clock = yield* Effect.clock
  const restart = Effect.gen(function* () {
    yield* Scope.close(running.scope, Exit.void)
    running = yield* start
  }).pipe(Effect.withClock(clock), Effect.uninterruptible)
  yield* Effect.addFinalizer(() => Scope.close(running.scope, Exit.void))

  const client = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const { body, headers, method } = request
      const web = asNodeHasIt(
        new Request(url, { method, headers: { ...headers } }),
        body._tag === "Uint8Array" ? [body.body] : []
      )
      if (death !== undefined) death = { ...death, k: death.k - 1 }
      const dies = death !== undefined && death.k <= 0 ? death : undefined
      if (dies !== undefined) death = undefined
      const response = dies?.handled === false ? undefined : yield* Effect.promise(() => running.handler(web))
      if (dies !== undefined) yield* restart
      if (response !== undefined && dies === undefined) return HttpClientResponse.fromWeb(request, response)
      return yield* new HttpClientError.RequestError({
        request,
        reason: "Transport",
        cause: Object.assign(new Error("the server died"), { code: "ECONNRESET" })
      })
    })
  )
  return {
    token: Option.getOrElse(running.token, () => ""),
    client: Layer.succeed(HttpClient.HttpClient, client),
    restart,
    dieAt: (next) => {
      death = next
    }
  } satisfies Server
})
