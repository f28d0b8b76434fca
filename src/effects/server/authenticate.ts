import { Clock, Effect, Option } from "effect"
import { sha256 } from "../../model/text/Hash.ts"
import { ServerStore } from "../../services/server/ServerStore.ts"
import { NotAuthenticated } from "./errors.ts"

/**
 * The user whose token a request carries. A token is found by its SHA-256, so that neither the database nor the time
 * that the answer takes tells anything about one; it is never logged.
 *
 * @param header The `Authorization` header, where there is one.
 *
 * Errors: `NotAuthenticated`, `StoreUnavailable`. Source: reference.md section 8.
 */
export const authenticate = Effect.fn("server.authenticate")(function* (header: Option.Option<string>) {
  if (Option.isNone(header)) return yield* new NotAuthenticated({ reason: "missing authorization header" })
  const bearer = bearerOf(header.value)
  if (Option.isNone(bearer)) {
    return yield* new NotAuthenticated({ reason: "invalid authorization format, expected Bearer <key>" })
  }
  const store = yield* ServerStore
  const user = yield* store.userOfToken(sha256(bearer.value), yield* Clock.currentTimeMillis)
  return yield* Effect.mapError(user, () => new NotAuthenticated({ reason: "invalid API key" }))
})

/** The token in an `Authorization` header. */
export const bearerOf = (header: string): Option.Option<string> =>
  Option.fromNullable(/^Bearer +(\S+)\s*$/i.exec(header)?.[1])
