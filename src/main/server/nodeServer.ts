import { createServer, type Server } from "node:http"
import { HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Schema, type Scope } from "effect"

/** The server could not start. */
export class ServeFailure extends Schema.TaggedError<ServeFailure>()("ServeFailure", { reason: Schema.String }) {
  override get message() {
    return `ctx serve: ${this.reason}`
  }
}

export interface Address {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
}

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** To send a request's head. */
  readonly head: number
  /** To send a whole request. */
  readonly request: number
  /** Without a byte in either direction: a client that does not read its answer. Longer than the longest wait for changes. */
  readonly silence: number
  /** Between requests. */
  readonly idle: number
}

const patience: Patience = { head: 10_000, request: 120_000, silence: 90_000, idle: 120_000 }

/**
 * Serves an app until the scope closes: then no connection is taken any more, requests in hand are answered, and what is
 * still open after five seconds is cut.
 *
 * @returns The base URL.
 */
export const listen = (
  app: Layer.Layer<never, never, HttpServer.HttpServer>,
  address: Address,
  { head, idle, request, silence }: Patience = patience
): Effect.Effect<string, ServeFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const node = createServer({
      headersTimeout: head,
      requestTimeout: request,
      keepAliveTimeout: idle,
      connectionsCheckingInterval: Math.min(head, 5_000)
    })
    node.timeout = silence
    const server = yield* Effect.mapError(
      NodeHttpServer.make(() => node, address),
      ({ cause }) => new ServeFailure({ reason: listenReason(address, cause) })
    )
    yield* Layer.build(Layer.provide(app, Layer.succeed(HttpServer.HttpServer, server)))
    // Nothing here is upgraded. Without a listener such a request is an ordinary one, with a body that ends.
    node.removeAllListeners("upgrade")
    yield* Effect.addFinalizer(() => drain(node))
    return server.address._tag === "TcpAddress" ? urlOf(address.host, server.address.port) : ""
  })

/** Timers of Node's own: the fiber that runs this is being interrupted, and would not wait for one of Effect's. */
const drain = (node: Server): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    // A connection becomes idle when its request is answered; nothing else would end it then.
    const hangUp = setInterval(() => node.closeIdleConnections(), 20)
    const cut = setTimeout(() => node.closeAllConnections(), 5_000)
    node.close(() => {
      clearInterval(hangUp)
      clearTimeout(cut)
      resume(Effect.void)
    })
  })

const urlOf = (host: string, port: number): string => {
  const reachable = host === "0.0.0.0" || host === "" ? "127.0.0.1" : host === "::" ? "::1" : host
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`
}

const listenReason = ({ host, port }: Address, cause: unknown): string => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} on ${host} is in use. Stop what listens there, or choose another with --port (0: any free one).`
    case "EACCES":
      return `port ${port} on ${host} needs privileges that this user does not have. Choose one above 1023 with --port.`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `this machine has no address ${host}. Choose another with --host.`
    default:
      return `cannot listen on ${host}:${port} (${cause instanceof Error ? cause.message : String(cause)})`
  }
}
