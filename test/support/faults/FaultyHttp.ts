import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { Data, type Duration, Effect, Layer, Stream } from "effect"
import type { Activity } from "./FaultyClock.ts"
import type { FaultPlan } from "./FaultPlan.ts"
import type { Life } from "./Life.ts"

/** What can happen to one request. */
export type HttpFault = Data.TaggedEnum<{
  /** The connection breaks before the server sees anything. */
  LostRequest: {}
  /** The server did what was asked, and the connection breaks before its answer. */
  LostAnswer: {}
  /** The answer begins, and the connection breaks after this part of its body (0 to 1). */
  CutAnswer: { readonly part: number }
  /** Sent after a while on the Clock. */
  Delay: { readonly by: Duration.Duration }
  /** The answer comes after a while on the Clock. */
  SlowAnswer: { readonly by: Duration.Duration }
  /** A gateway answers in the server's place, before or after that has done its work. */
  Status: { readonly status: number; readonly handled: boolean }
  /** The request arrives twice; the second answer is the one that comes. */
  Duplicate: {}
  /** The process is killed before it sends, or after the server has done its work. */
  Crash: { readonly handled: boolean }
  /** Something else happens while the request is on its way, or its answer. */
  Meanwhile: { readonly before: Effect.Effect<void>; readonly after: Effect.Effect<void> }
}>
export const HttpFault = Data.taggedEnum<HttpFault>()

export interface Surroundings {
  readonly plan: FaultPlan<HttpFault>
  readonly life: Life
  readonly activity: Activity
}

/** The client below, whose every request passes, or meets what the plan says. */
export const layer = (surroundings: Surroundings): Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (below) => over(below, surroundings))
  )

const over = (below: HttpClient.HttpClient, { activity, life, plan }: Surroundings) =>
  HttpClient.transform(below, (send, request) => {
    const sent = activity.during(whole(request, send))
    const lost = Effect.fail(broken(request))
    return life.guard(
      Effect.suspend((): typeof sent => {
        const fault = plan.next({ operation: request.method, target: request.url })
        if (fault === undefined) return sent
        return HttpFault.$match(fault, {
          LostRequest: (): typeof sent => lost,
          LostAnswer: () => Effect.zipRight(sent, lost),
          CutAnswer: ({ part }) => Effect.flatMap(sent, (response) => cut(request, response, part)),
          Delay: ({ by }) => Effect.zipRight(Effect.sleep(by), sent),
          SlowAnswer: ({ by }) => Effect.zipLeft(sent, Effect.sleep(by)),
          Status: ({ handled, status }) =>
            Effect.as(handled ? sent : Effect.void, HttpClientResponse.fromWeb(request, gateway(status))),
          Duplicate: () => Effect.zipRight(sent, sent),
          Crash: ({ handled }) => Effect.zipRight(handled ? sent : Effect.void, life.crash),
          Meanwhile: ({ after, before }) => Effect.zipLeft(Effect.zipRight(before, sent), after)
        })
      })
    )
  })

type Request = HttpClientRequest.HttpClientRequest
type Response = HttpClientResponse.HttpClientResponse

/** With its body here, so that reading it needs no more of the outside. */
const whole = <E, R>(request: Request, send: Effect.Effect<Response, E, R>) =>
  Effect.flatMap(send, (response) =>
    Effect.map(response.arrayBuffer, (body) => HttpClientResponse.fromWeb(request, remade(response, body)))
  )

const remade = ({ headers, status }: Response, body: ArrayBuffer | ReadableStream<Uint8Array>): globalThis.Response =>
  new Response([101, 204, 205, 304].includes(status) ? null : body, { status, headers })

class ConnectionBroke extends Data.TaggedError("ConnectionBroke") {}

const cut = (request: Request, response: Response, part: number) =>
  Effect.map(response.arrayBuffer, (body) => {
    const begin = new Uint8Array(body).subarray(0, Math.floor(body.byteLength * part))
    const stream = Stream.concat(Stream.make(begin), Stream.fail(new ConnectionBroke()))
    return HttpClientResponse.fromWeb(request, remade(response, Stream.toReadableStream(stream)))
  })

const gateway = (status: number): globalThis.Response =>
  new Response("<html><title>Bad Gateway</title></html>", { status, headers: { "content-type": "text/html" } })

const broken = (request: Request) =>
  new HttpClientError.RequestError({
    request,
    reason: "Transport",
    cause: Object.assign(new Error("a fault of the test: the connection broke"), { code: "ECONNRESET" })
  })
