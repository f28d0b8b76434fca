// @ts-types="@modelcontextprotocol/sdk/shared/transport"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Deferred, Effect, FiberId, FiberSet } from "effect"
import { ClientName } from "../../services/sync/SyncConnect.ts"
import type { App, Client, List, Platform } from "./App.ts"
import type { RpcFailure } from "./Rpc.ts"
import { sdkServer } from "./SdkServerDriver.ts"
import { makeSubscriptions } from "./Subscriptions.ts"

/**
 * Answers one client on a transport, for the length of the scope. Requests run side by side, each in a fiber of its own;
 * cancelling one interrupts it.
 *
 * @returns The requests in hand; what completes when the client has shaken hands; and what tells it, from then on and for as
 * long as it can be told, what it wants to hear about.
 */
export const attach = Effect.fnUntraced(function* (app: App, transport: Transport) {
  const requests = yield* FiberSet.make<object, RpcFailure>()
  const run = yield* FiberSet.runtime(requests)<Platform>()
  const odd = yield* FiberSet.makeRuntime()
  const ready = Deferred.unsafeMake<void>(FiberId.none)
  const client: Client = {
    subscriptions: makeSubscriptions(),
    outdated: new Set(),
    // Who is gone by then need not hear it.
    updated: (uri) => Effect.ignore(Effect.tryPromise(() => server.sendResourceUpdated({ uri }))),
    listChanged: (list) => Effect.ignore(Effect.tryPromise(() => changed[list]()))
  }
  const server = sdkServer({
    start: (request, name) =>
      run(
        app.answer(request, client).pipe(
          Effect.tapDefect((defect) => Effect.logError(`${request.method} failed unexpectedly`, defect)),
          name === undefined ? (effect) => effect : Effect.provideService(ClientName, name),
          // An HTTP server begins its clients where nothing may be interrupted.
          Effect.interruptible
        )
      ),
    onReady: () => Deferred.unsafeDone(ready, Effect.void),
    onOdd: (reason) => odd(app.odd(reason))
  })
  const changed: Record<List, () => Promise<void>> = {
    tools: () => server.sendToolListChanged(),
    resources: () => server.sendResourceListChanged(),
    prompts: () => server.sendPromptListChanged()
  }
  yield* Effect.promise(() => server.connect(transport))
  return { requests, ready: Deferred.await(ready), follow: app.follow(client) }
})
