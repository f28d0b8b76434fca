import { Headers, type HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Predicate, Schema, Stream } from "effect"
import { jsonBody } from "../../server/body.ts"
import type { Platform } from "../App.ts"
import { type Client, type Clients, mostClients } from "./clients.ts"
import { refusalOf } from "./guard.ts"

export interface AppOptions {
  /** The `--host`. */
  readonly host: string
  readonly token: Option.Option<string>
}

/** The path of the endpoint. */
export const endpoint = "/mcp"

/**
 * MCP over Streamable HTTP: one endpoint, a client per `Mcp-Session-Id`. Who may not ask is refused before anything is
 * read; a body is at most 8 MiB.
 *
 * Source: design.md section 1; public case A29.
 */
export const app = (clients: Clients, { host, token }: AppOptions) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const header = (name: string) => Option.getOrUndefined(Headers.get(request.headers, name))
    const claims = { host: header("host"), origin: header("origin"), authorization: header("authorization") }
    const refusal = refusalOf(claims, host, token)
    if (Option.isSome(refusal)) return failure(refusal.value.status, -32000, refusal.value.reason)
    if (request.url.split("?")[0] !== endpoint) return failure(404, -32000, `MCP is served at ${endpoint}`)

    const body = request.method === "POST" ? yield* jsonBody(Schema.Unknown) : undefined
    const id = header("mcp-session-id")
    const begins = Predicate.hasProperty(body, "method") && body.method === "initialize"
    if (id === undefined && !begins) return failure(400, -32000, "want the Mcp-Session-Id that initialize answered")
    const client = id === undefined ? yield* clients.add : yield* clients.find(id)
    if (Option.isNone(client)) {
      return id === undefined
        ? failure(503, -32000, `${mostClients} clients are at work here, and no more are taken; end one, and try again`)
        : failure(404, -32001, "no such session; initialize anew")
    }
    const web = new Request(`http://${claims.host}${endpoint}`, { method: request.method, headers: request.headers })
    const response = yield* client.value.web.handle(web, body)
    if (id === undefined && !response.ok) yield* client.value.forget
    return yield* sending(client.value, response)
  }).pipe(
    Effect.catchTags({
      BodyTooLarge: ({ limit }) => Effect.succeed(failure(413, -32600, `a message of more than ${limit} bytes`)),
      EncodedBody: ({ message: reason }) => Effect.succeed(failure(415, -32600, reason)),
      MalformedBody: ({ reason }) => Effect.succeed(failure(400, -32700, `parse error: ${reason}`))
    })
  ) satisfies HttpApp.Default<never, unknown>

const failure = (status: number, code: number, reason: string) =>
  HttpServerResponse.unsafeJson({ jsonrpc: "2.0", error: { code, message: reason }, id: null }, { status })

/** Passes an answer on as it comes. Who opens a stream of notifications is told what happens, until it ends. */
const sending = Effect.fnUntraced(function* (client: Client, response: Response) {
  const options = { status: response.status, headers: Headers.fromInput(response.headers) }
  const { body } = response
  if (body === null) return HttpServerResponse.empty(options)
  client.streams++
  const done = Effect.sync(() => void client.streams--)
  const content = Stream.fromReadableStream(
    () => body,
    (reason) => reason
  )
  const events = response.headers.get("content-type") === "text/event-stream"
  const follow = Effect.provide(client.follow, yield* Effect.context<Platform>())
  return HttpServerResponse.stream(Stream.ensuring(events ? opened(content, follow) : content, done), options)
})

/**
 * Events, after a comment. Node sends headers with the first bytes, so without it a client sees its stream open only when
 * something happens, or at the SDK's first sign of life, 15 seconds later.
 */
const opened = <E>(events: Stream.Stream<Uint8Array, E>, follow: Effect.Effect<never>) =>
  Stream.concat(
    Stream.make(comment),
    Stream.unwrapScoped(Effect.as(Effect.forkScoped(Effect.interruptible(follow)), events))
  )

const comment = new TextEncoder().encode(":\n\n")
