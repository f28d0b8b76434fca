import { HttpServer } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Config, Effect, Layer, Option, Redacted, Schema } from "effect"
import process from "node:process"
import { isLoopback } from "../../../model/sync/Loopback.ts"
import { logging } from "../../logging.ts"
import { type Address, listen } from "../../server/nodeServer.ts"
import type { App } from "../App.ts"
import { ending } from "../ending.ts"
import { makeProjectApp } from "../projectApp.ts"
import { app, endpoint } from "./app.ts"
import { makeClients } from "./clients.ts"

/** The server could not start. */
export class McpHttpFailure extends Schema.TaggedError<McpHttpFailure>()("McpHttpFailure", { reason: Schema.String }) {
  override get message() {
    return `ctx-mcp --http: ${this.reason}`
  }
}

/** A client's stream of notifications may be silent for as long as nothing happens. */
const patience = { head: 10_000, request: 120_000, silence: 0, idle: 120_000 }

/**
 * Serves the project's knowledge over Streamable HTTP for the length of the scope.
 *
 * @param options.root the project's folder; else the nearest one above `cwd` that holds `.contexo/`
 * @returns The endpoint's URL.
 *
 * Errors: `McpHttpFailure` (port in use; an address that others reach, and no token in `CONTEXO_HTTP_TOKEN`).
 */
export const serveHttp = Effect.fn("serveHttp")(function* ({
  cwd,
  root,
  ...address
}: Address & { readonly cwd: string; readonly root?: string | undefined }) {
  return yield* serveApp(yield* makeProjectApp({ cwd, ...(root === undefined ? {} : { root }) }), address)
})

/** The same for any app. */
export const serveApp = Effect.fnUntraced(function* (served: App, address: Address) {
  const token = yield* Effect.orElseSucceed(Config.option(Config.redacted("CONTEXO_HTTP_TOKEN")), () => Option.none())
  const secret = Option.filter(Option.map(token, Redacted.value), (text) => text !== "")
  if (Option.isNone(secret) && !isLoopback(address.host)) {
    const reason = `others than this machine reach ${address.host}: set a token for them in CONTEXO_HTTP_TOKEN, or leave --host out`
    return yield* new McpHttpFailure({ reason })
  }
  const context = yield* Effect.context<NodeContext.NodeContext>()
  const clients = yield* makeClients(served)
  const serving = HttpServer.serve(app(clients, { host: address.host, token: secret }))
  const url = yield* listen(Layer.provide(serving, Layer.succeedContext(context)), address, patience).pipe(
    Effect.mapError(({ reason }) => new McpHttpFailure({ reason }))
  )
  // Before the server waits for its last answers: streams of notifications end with their clients.
  yield* Effect.addFinalizer(() => clients.close)
  return url + endpoint
})

/** `ctx-mcp --http`: prints the endpoint's URL when it is ready, and runs until it is stopped. */
export const main = (address: Address, root?: string | undefined): void =>
  NodeRuntime.runMain(
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* serveHttp({ ...address, cwd: process.cwd(), root })
        yield* Effect.sync(() => process.stdout.write(`${url}\n`))
        return yield* Effect.never
      })
    ).pipe(
      Effect.tapError(({ message }) => Effect.sync(() => process.stderr.write(`${message}\n`))),
      Effect.tapDefect((cause) => Effect.logError("the server ended unexpectedly", cause)),
      Effect.provide(Layer.merge(NodeContext.layer, logging))
    ),
    ending
  )
