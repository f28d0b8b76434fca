import { HttpApiBuilder, HttpApiError, HttpRouter, type HttpServer, HttpServerError } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Cause, Effect, Layer, Schema } from "effect"
import { excerpt } from "../../effects/server/pagePath.ts"
import type { ChangeSignal } from "../../services/server/ChangeSignal.ts"
import type { RateLimit } from "../../services/server/RateLimit.ts"
import type { SecureRandom } from "../../services/server/SecureRandom.ts"
import type { ServerStore } from "../../services/server/ServerStore.ts"
import { Refusal, SyncHttpApi } from "../../services/sync/SyncHttpApi.ts"
import { handlers } from "./handlers.ts"
import { rateLimited } from "./limits.ts"
import { internalError } from "./refuse.ts"

/** Whatever else can go wrong gets a JSON answer too; a cause that nobody foresaw is logged and not shown. */
const otherwise = HttpApiBuilder.middleware(SyncHttpApi, (app) =>
  Effect.catchAllCause(app, (cause): Effect.Effect<never, Refusal> => {
    if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
    const refusal = refusalOf(Cause.squash(cause))
    return refusal === undefined
      ? Effect.zipRight(Effect.logError("internal error", cause), Effect.fail(internalError))
      : Effect.fail(refusal)
  })
)

const refusalOf = (failure: unknown): Refusal | undefined => {
  if (failure instanceof HttpApiError.HttpApiDecodeError) return { status: 400, error: decodeReason(failure) }
  if (failure instanceof HttpServerError.RouteNotFound) return { status: 404, error: "no such route" }
  return isRefusal(failure) ? failure : undefined
}

const isRefusal = Schema.is(Schema.typeSchema(Refusal))

/** Only parameters of the URL are decoded by the contract. */
const decodeReason = ({ issues }: HttpApiError.HttpApiDecodeError): string =>
  excerpt(
    issues
      .slice(0, 1)
      .map(({ message, path }) => `${path.map(String).join(".")}: ${message}`)
      .join()
  )

/** What the server's operations need from the world. */
export type ServerServices = ServerStore | SecureRandom | ChangeSignal | RateLimit

/** The API, served by the HTTP server in the context. */
export const app: Layer.Layer<never, never, HttpServer.HttpServer | ServerServices> = HttpApiBuilder.serve().pipe(
  Layer.provide(rateLimited),
  Layer.provide(otherwise),
  Layer.provide(handlers),
  Layer.provide(NodeHttpServer.layerContext),
  Layer.provide(
    // Slugs have up to 200 characters; names differ by case; a path is what it says, without repair.
    HttpRouter.setRouterConfig({
      maxParamLength: 10_000,
      caseSensitive: true,
      ignoreDuplicateSlashes: false,
      ignoreTrailingSlash: false
    })
  )
)
