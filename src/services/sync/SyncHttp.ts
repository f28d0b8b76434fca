import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { Chunk, Clock, Duration, Effect, Either, Option, Redacted, Schedule, Schema, Stream } from "effect"
import { httpDate } from "../../model/text/Instant.ts"
import { jsonExcess } from "../../model/text/JsonBounds.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { parseServerUrl, type ServerUrl } from "../../model/sync/ServerUrl.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import { ErrorBody } from "./SyncApi.ts"
import { ServerRefused, ServerUnreachable, Unauthorized, UnexpectedAnswer } from "./SyncClient.ts"
import { refusedByProxy, whyUnreachable, withProxyHint } from "./Unreachable.ts"

/**
 * One request to a sync server, and everything that the network can answer instead of it. Looks at status and content
 * type before the body, reads at most so many bytes, follows no redirect, and lets the token into nothing but the
 * `Authorization` header.
 */

/** Where requests go. Made by `endpoint`. */
export interface Endpoint {
  readonly base: ServerUrl
  readonly bearer: Redacted.Redacted<string>
}

export interface Call {
  readonly method: "GET" | "POST" | "PATCH"
  /** Led by `/`; every segment percent-encoded. */
  readonly path: string
  readonly query?: ReadonlyArray<readonly [name: string, value: string]>
  readonly headers?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string
  /** What a good answer holds. */
  readonly expects: "json" | "page"
  /** Statuses beside 2xx that are answers. */
  readonly answers?: ReadonlyArray<number>
  /** Largest body of a good answer, in bytes. */
  readonly maxBytes: number
  /** From connecting to the last byte, for each try. */
  readonly timeout: Duration.DurationInput
  /** Whether asking again does no harm. */
  readonly repeatable: boolean
}

export interface Answer {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

export type HttpFailure = ServerUnreachable | Unauthorized | ServerRefused | UnexpectedAnswer

/** Checks a server's address and a token, before anything is sent. */
export const endpoint = (serverUrl: string, bearer: Redacted.Redacted<string>): Effect.Effect<Endpoint, HttpFailure> =>
  Either.match(parseServerUrl(serverUrl), {
    onLeft: ({ reason, url }) => new ServerUnreachable({ url, reason }),
    onRight: (base) =>
      /^[\x20-\x7e]+$/.test(Redacted.value(bearer))
        ? Effect.succeed({ base, bearer })
        : new Unauthorized({
            url: base,
            reason: "the stored token holds characters that no token has, and was not sent"
          })
  })

/** Sends one call, tried three times at most where that does no harm. */
export const send = (client: HttpClient.HttpClient, to: Endpoint, call: Call): Effect.Effect<Answer, HttpFailure> => {
  const url = to.base + call.path
  const reasonOf = (text: string) => excerpt(text.replaceAll(Redacted.value(to.bearer), "[token]"))
  const request = HttpClientRequest.make(call.method)(url, {
    acceptJson: call.expects === "json",
    headers: { ...call.headers, authorization: `Bearer ${Redacted.value(to.bearer)}` },
    urlParams: call.query ?? []
  }).pipe((bare) => (call.body === undefined ? bare : HttpClientRequest.bodyText(bare, call.body, "application/json")))
  const unreachable = (reason: string, transient: boolean) =>
    new Miss(new ServerUnreachable({ url, reason }), transient, Duration.zero)

  const attempt = HttpClient.withTracerPropagation(client, false)
    .execute(request)
    .pipe(
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Effect.flatMap((response) => judge(url, call, response, reasonOf)),
      Effect.catchTags({
        RequestError: (error) =>
          Effect.fail(unreachable(reasonOf(whyUnreachable(error)), error.reason === "Transport")),
        ResponseError: (error) => Effect.fail(unreachable(reasonOf(whyUnreachable(error)), true))
      }),
      Effect.timeoutFail({
        duration: call.timeout,
        onTimeout: () => unreachable(`no complete answer within ${Duration.toSeconds(call.timeout)} s`, false)
      })
    )
  return (
    call.repeatable ? Effect.retry(attempt, { schedule: backoff, while: (miss) => miss.transient }) : attempt
  ).pipe(
    Effect.mapError((miss) => miss.failure),
    Effect.catchTag("ServerUnreachable", withProxyHint)
  )
}

/** Arrays and objects in an answer: a page of a pull is one, a line of a diff none. */
const maxPieces = 1_000_000

/** To name a difference, the whole of what was there instead is written out first. */
const mostToWriteOut = 1024 * 1024

/** A good answer's JSON. A body of another shape is an `UnexpectedAnswer` that names the first difference. */
export const json = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknown(Schema.parseJson(schema))
  return Effect.fnUntraced(function* (answer: Answer) {
    const body = yield* text(answer)
    const excess = jsonExcess(body, maxPieces)
    if (excess !== undefined) return yield* unexpected(answer, `not the JSON of this call: ${excess}`)
    return yield* Effect.catchTag(decode(body), "ParseError", (error) =>
      unexpected(
        answer,
        body.length === 0
          ? "an empty body"
          : `not the JSON of this call${body.length > mostToWriteOut ? "" : `: ${error.message}`}`
      )
    )
  })
}

/** A good answer's text, byte for byte: a byte order mark stays. */
export const text = (answer: Answer): Effect.Effect<string, UnexpectedAnswer> =>
  Option.match(decodeUtf8(answer.body), {
    onNone: () => unexpected(answer, "its body is not UTF-8"),
    onSome: Effect.succeed
  })

export const unexpected = (answer: Pick<Answer, "url" | "status">, reason: string) =>
  new UnexpectedAnswer({ url: answer.url, status: answer.status, reason: excerpt(reason) })

/** One failed try: what to report, and whether and when another try may help. */
class Miss {
  readonly failure: HttpFailure
  readonly transient: boolean
  /** How long the server asked us to wait. */
  readonly after: Duration.Duration
  constructor(failure: HttpFailure, transient: boolean, after: Duration.Duration) {
    this.failure = failure
    this.transient = transient
    this.after = after
  }
}

const longestWait = Duration.seconds(10)

const backoff = Schedule.identity<Miss>().pipe(
  Schedule.intersect(Schedule.jittered(Schedule.exponential("200 millis"))),
  Schedule.modifyDelay(([miss], delay) => Duration.max(delay, miss.after)),
  Schedule.intersect(Schedule.recurs(2))
)

type Response = HttpClientResponse.HttpClientResponse

const judge = Effect.fnUntraced(function* (
  url: string,
  call: Call,
  response: Response,
  reasonOf: (text: string) => string
) {
  const { headers, status } = response
  // No server answers so. Node says it by a failure, Deno gives the proxy's answer.
  if (status === 407) {
    return yield* Effect.fail(
      new Miss(new ServerUnreachable({ url, reason: refusedByProxy(status) }), false, Duration.zero)
    )
  }
  const mime = (headers["content-type"] ?? "").split(";", 1).join().trim().toLowerCase()
  const strange = (reason: string) => new Miss(new UnexpectedAnswer({ url, status, reason }), false, Duration.zero)
  if (status >= 300 && status < 400) {
    const target = redirectTarget(url, headers["location"])
    return yield* Effect.fail(strange(`it redirects to ${target}, and redirects are not followed`))
  }
  const success = status >= 200 && status < 300
  const fits = call.expects === "json" ? isJson(mime) : mime !== "text/html"
  const answers = success || (call.answers ?? []).includes(status)
  const body = yield* readBody(response, answers && fits ? call.maxBytes : 16_384)
  const sentence = !success && isJson(mime) ? decodeErrorBody(new TextDecoder().decode(body.bytes)) : Option.none()
  if (answers && fits && Option.isNone(sentence)) {
    if (body.cut) return yield* Effect.fail(strange(`its body is larger than ${call.maxBytes} bytes`))
    return { url, status, headers, body: body.bytes } satisfies Answer
  }
  const reason = reasonOf(
    Option.match(sentence, { onNone: () => plain(mime, body.bytes), onSome: ({ error }) => error })
  )
  // A server of ours says in JSON what it does not have; a 404 page means that something else lives at this address.
  if (success || (status === 404 && Option.isNone(sentence))) {
    return yield* Effect.fail(strange(reason === "" ? "an empty body" : `${mime || "no content type"}: ${reason}`))
  }
  if (status === 401) return yield* Effect.fail(new Miss(new Unauthorized({ url, reason }), false, Duration.zero))
  const code = Option.getOrUndefined(sentence)?.code
  const after = yield* retryAfter(headers["retry-after"])
  return yield* Effect.fail(
    new Miss(
      new ServerRefused({
        url,
        status,
        reason: reason || "no reason given",
        ...(code === undefined ? {} : { code: reasonOf(code) })
      }),
      [429, 502, 503, 504].includes(status) && Duration.lessThanOrEqualTo(after, longestWait),
      after
    )
  )
})

/** What a person can read of a body: of a web page the text without its markup. */
const plain = (mime: string, bytes: Uint8Array): string => {
  const body = new TextDecoder().decode(bytes)
  return mime === "text/html" ? body.replace(/<[^<>]*>/g, " ").replace(/\s+/g, " ") : body
}

const isJson = (mime: string) => mime === "application/json" || mime.endsWith("+json")

const decodeErrorBody = Schema.decodeUnknownOption(Schema.parseJson(ErrorBody))

/** Reads up to `max` bytes; the rest is not waited for. */
const readBody = (response: Response, max: number) =>
  response.stream.pipe(
    Stream.mapAccum(0, (before, bytes) => [before + bytes.length, { bytes, before }]),
    Stream.takeUntil(({ before, bytes }) => before + bytes.length > max),
    Stream.runCollect,
    Effect.map((pieces) => {
      const total = Chunk.reduce(pieces, 0, (sum, { bytes }) => sum + bytes.length)
      const all = new Uint8Array(total)
      for (const { before, bytes } of pieces) all.set(bytes, before)
      return { bytes: all.subarray(0, max), cut: total > max }
    }),
    Effect.catchIf(
      (error) => error.reason === "EmptyBody",
      () => Effect.succeed({ bytes: new Uint8Array(0), cut: false })
    )
  )

const redirectTarget = (url: string, location: string | undefined): string =>
  location !== undefined && URL.canParse(location, url) ? new URL(location, url).origin : "nowhere"

const retryAfter = (value: string | undefined): Effect.Effect<Duration.Duration> => {
  if (value === undefined) return Effect.succeed(Duration.zero)
  if (/^\d{1,9}$/.test(value)) return Effect.succeed(Duration.seconds(Number(value)))
  return Effect.map(Clock.currentTimeMillis, (now) =>
    Option.match(httpDate(value), {
      onNone: () => Duration.zero,
      onSome: (date) => Duration.millis(Math.max(0, date - now))
    })
  )
}

/** At most 200 characters of foreign text, on one line and safe to show to an agent. */
const excerpt = (foreign: string): string => {
  const line = [...forAgentLine(foreign.slice(0, 2_000))]
  return line.length <= 200 ? line.join("") : `${line.slice(0, 199).join("")}…`
}
