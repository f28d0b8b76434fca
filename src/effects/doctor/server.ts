import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Clock, Duration, Effect, Either, Option } from "effect"
import { httpDate } from "../../model/text/Instant.ts"
import { proxyFor, unheeded } from "../../model/sync/Proxy.ts"
import { parseServerUrl, type ServerUrl } from "../../model/sync/ServerUrl.ts"
import { proxySettings } from "../../services/sync/HttpClientDriver.ts"
import { ProjectConfig } from "../../services/project/ProjectConfig.ts"
import { SyncClient, type SyncFailure } from "../../services/sync/SyncClient.ts"
import { type Finding, note, ok, problem, warning } from "./Finding.ts"

/**
 * What the environment says of proxies; whether the server answers, takes the token and lets us at the repository; and
 * whether both clocks agree.
 */
export const serverFindings = Effect.gen(function* () {
  const config = yield* Effect.option((yield* ProjectConfig).read)
  const url = Option.flatMap(config, ({ server_url = "" }) => Either.getRight(parseServerUrl(server_url)))
  const pages = yield* Effect.either((yield* SyncClient).pages)
  const answer = Either.match(pages, {
    onLeft: refusal,
    onRight: (list) => ok("server", `answers, and has ${list.length} page(s)`)
  })
  const asked = Either.isRight(pages) || !silent.has(pages.left._tag)
  return [
    ...(yield* proxyFindings(url)),
    answer,
    ...(asked && Option.isSome(url) ? yield* clockFindings(url.value) : [])
  ]
})

const proxyFindings = Effect.fnUntraced(function* (url: Option.Option<ServerUrl>) {
  const settings = yield* proxySettings
  const used = Option.flatMap(url, (server) => proxyFor(settings, new URL(server)))
  return [
    ...unheeded(settings).map(({ advice, reason, variable }) =>
      warning("proxy", `${variable} is set, but ${reason}`, { fix: advice })
    ),
    ...Option.toArray(used).map(({ address, variable }) => ok("proxy", `${address}, which ${variable} names`))
  ]
})

/** Failures without an answer whose date could be looked at. */
const silent: ReadonlySet<SyncFailure["_tag"]> = new Set([
  "NotConfigured",
  "ForeignToken",
  "ServerUnreachable",
  "CorruptFile",
  "FileFailure"
])

const refusal = (failure: SyncFailure): Finding => {
  switch (failure._tag) {
    case "NotConfigured":
      return note("server", `not set up: ${failure.missing.join(", ")} missing`, {
        fix: "ctx login --server <url> --token <token> --repo <id>"
      })
    case "ServerRefused":
      // The first push makes the repository.
      return failure.status === 404
        ? note("server", "answers, and does not have this repository yet", { fix: "the first 'ctx push' makes it" })
        : problem("server", failure.message)
    default:
      return problem("server", failure.message)
  }
}

const tolerated = Duration.toMillis("5 minutes")

/** Compares our clock with the `Date` of an answer that needs no token. Nothing depends on it but times on show. */
const clockFindings = (url: ServerUrl) =>
  Effect.gen(function* () {
    const client = HttpClient.withTracerPropagation(yield* HttpClient.HttpClient, false)
    const { headers } = yield* client
      .get(`${url}/health`)
      .pipe(Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }), Effect.timeout("5 seconds"))
    const now = yield* Clock.currentTimeMillis
    return Option.match(httpDate(headers["date"] ?? ""), {
      onNone: () => [],
      onSome: (date) => [clockFinding(now - date)]
    })
  }).pipe(
    Effect.scoped,
    Effect.catchAll((failure) => Effect.as(Effect.logDebug("doctor: no date from the server", failure), []))
  )

/** @param ahead How far our clock is ahead of the server's, in milliseconds. */
export const clockFinding = (ahead: number): Finding =>
  Math.abs(ahead) <= tolerated
    ? ok("clock", "agrees with the server's")
    : warning(
        "clock",
        `${ahead > 0 ? "ahead of" : "behind"} the server's by ${Duration.format(Duration.seconds(Math.round(Math.abs(ahead) / 1000)))}`,
        { fix: "set this machine's clock, or the server's; no edit is lost by it, but times shown are wrong" }
      )
