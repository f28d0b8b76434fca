import { isIPv6 } from "node:net"
import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Layer, Option } from "effect"
import { bearerOf } from "../../effects/server/authenticate.ts"
import { sha256 } from "../../model/text/Hash.ts"
import { isLoopback } from "../../model/sync/Loopback.ts"
import { environment } from "../../services/runtime/Environment.ts"
import { type Caller, RateLimit, type RateLimits } from "../../services/server/RateLimit.ts"
import { SyncHttpApi } from "../../services/sync/SyncHttpApi.ts"
import { ServeFailure } from "./nodeServer.ts"

/** Asks `RateLimit` about every request but those for `/health`, which watchdogs send. */
export const rateLimited = HttpApiBuilder.middleware(
  SyncHttpApi,
  Effect.map(
    RateLimit,
    (limits) => (app) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        /^\/health(\?|$)/.test(request.url)
          ? app
          : Effect.flatMap(limits.admit(callerOf(request)), Option.match({ onNone: () => app, onSome: tooMany }))
      )
  )
)

const tooMany = (wait: Duration.Duration) => {
  const seconds = Math.max(1, Math.ceil(Duration.toSeconds(wait)))
  return Effect.succeed(
    HttpServerResponse.unsafeJson(
      { error: `too many requests; try again in ${seconds} s`, code: "rate_limited" },
      { status: 429, headers: { "retry-after": String(seconds) } }
    )
  )
}

/** Who sends a request. What a proxy says about others is not believed: anybody can say it. */
export const callerOf = (request: HttpServerRequest.HttpServerRequest): Caller => ({
  address: Option.match(request.remoteAddress, { onNone: () => "unknown", onSome: networkOf }),
  token: Option.fromNullable(request.headers["authorization"]).pipe(Option.flatMap(bearerOf), Option.map(sha256))
})

/** Of IPv6 the first 64 bits: whoever has one such address has all of its network. */
const networkOf = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "")
  if (!isIPv6(plain)) return plain
  const [left = "", right = ""] = plain.split("::")
  const head = left === "" ? [] : left.split(":")
  const tail = right === "" ? [] : right.split(":")
  const zeros = Array.from({ length: plain.includes("::") ? Math.max(0, 8 - head.length - tail.length) : 0 }, () => "0")
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`
}

const variables = {
  perMinute: "CONTEXO_RATELIMIT_PER_MIN",
  burst: "CONTEXO_RATELIMIT_BURST",
  failuresPerMinute: "CONTEXO_AUTH_RATELIMIT_PER_MIN",
  failuresBurst: "CONTEXO_AUTH_RATELIMIT_BURST"
} as const

const variable = Effect.fnUntraced(function* (name: string) {
  const text = yield* environment(name)
  if (Option.isNone(text)) return Option.none<number>()
  if (/^[1-9]\d{0,8}$/.test(text.value.trim())) return Option.some(Number(text.value))
  return yield* new ServeFailure({ reason: `${name} is ${JSON.stringify(text.value)}; want a whole number above 0.` })
})

/**
 * The limits that the environment asks for. None: nothing is limited. So it is where `CONTEXO_RATELIMIT_DISABLE` says so, and
 * on an address that only this machine reaches, unless one of the limits is given.
 *
 * @param host Where the server listens.
 *
 * Errors: `ServeFailure` where a variable is no number. Source: reference.md 0.3 and section 8.
 */
export const configuredLimits = Effect.fn("serve.limits")(function* (host: string) {
  const disable = yield* environment("CONTEXO_RATELIMIT_DISABLE")
  if (Option.exists(disable, (text) => /^(1|true|yes)$/i.test(text.trim()))) return Option.none<RateLimits>()
  const given = yield* Effect.all({
    perMinute: variable(variables.perMinute),
    burst: variable(variables.burst),
    failuresPerMinute: variable(variables.failuresPerMinute),
    failuresBurst: variable(variables.failuresBurst)
  })
  if (isLoopback(host) && Object.values(given).every(Option.isNone)) return Option.none<RateLimits>()
  const or = (value: Option.Option<number>, otherwise: number) => Option.getOrElse(value, () => otherwise)
  return Option.some<RateLimits>({
    requests: { perMinute: or(given.perMinute, 300), burst: or(given.burst, 100) },
    failures: { perMinute: or(given.failuresPerMinute, 15), burst: or(given.failuresBurst, 8) }
  })
})

/** `RateLimit` as configured. */
export const configuredLimit = (host: string): Layer.Layer<RateLimit, ServeFailure> =>
  Layer.unwrapEffect(
    Effect.map(configuredLimits(host), Option.match({ onNone: () => RateLimit.none, onSome: RateLimit.layer }))
  )
