import type { FileSystem, Path } from "@effect/platform"
// @ts-types="@modelcontextprotocol/sdk/shared/transport"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Effect, FiberSet } from "effect"
import { ClientName } from "../../services/SyncConnect.ts"
import { answer } from "./methods.ts"
import type { RpcFailure } from "./Rpc.ts"
import { sdkServer } from "./SdkServerDriver.ts"
import type { Session } from "./Session.ts"

/**
 * Answers one client on a transport, for the length of the scope. Requests run side by side, each in a fiber of its own;
 * cancelling one interrupts it. A client that met a sleeping server is told when it wakes.
 *
 * @returns The requests in hand.
 */
export const attach = Effect.fnUntraced(function* (session: Session, transport: Transport) {
  const requests = yield* FiberSet.make<object, RpcFailure>()
  const run = yield* FiberSet.runtime(requests)<FileSystem.FileSystem | Path.Path>()
  const odd = yield* FiberSet.makeRuntime()
  const server = sdkServer({
    start: (request, client) =>
      run(
        answer(session, request).pipe(
          Effect.tapDefect((defect) => Effect.logError(`${request.method} failed unexpectedly`, defect)),
          client === undefined ? (effect) => effect : Effect.provideService(ClientName, client),
          // An HTTP server begins its clients where nothing may be interrupted.
          Effect.interruptible
        )
      ),
    onOdd: (reason) => odd(session.odd(reason))
  })
  yield* Effect.promise(() => server.connect(transport))

  const state = yield* session.state
  if (state._tag === "Dormant") {
    const announce = Effect.tryPromise(() =>
      Promise.all([server.sendToolListChanged(), server.sendResourceListChanged()])
    )
    yield* Effect.forkScoped(Effect.zipRight(session.awake, Effect.ignore(announce)))
  }
  return requests
})
