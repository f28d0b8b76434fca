import type { FileSystem, Path } from "@effect/platform"
import { Duration, Effect, FiberSet } from "effect"
import type { Readable, Writable } from "node:stream"
import type { Where } from "../../services/ProjectDiscovery.ts"
import { ClientName } from "../../services/SyncConnect.ts"
import { answer } from "./methods.ts"
import type { RpcFailure } from "./Rpc.ts"
import { sdkServer } from "./SdkServerDriver.ts"
import { makeSession } from "./Session.ts"
import { stdioTransport } from "./StdioTransportDriver.ts"

export interface ServeOptions {
  readonly where: Where
  readonly input: Readable
  /** Carries JSON-RPC and nothing else. */
  readonly output: Writable
}

/** How long answers are still waited for when the client is gone; a write that has begun is always finished. */
const grace = Duration.millis(600)

/**
 * Serves one client until it is gone. Requests run side by side, each in a fiber of its own; cancelling one interrupts it.
 *
 * Source: design.md section 5 and rule 9; public cases A25 to A27.
 */
export const serve = Effect.fn("serve")(function* (options: ServeOptions) {
  const session = yield* makeSession(options.where)
  const requests = yield* FiberSet.make<object, RpcFailure>()
  const run = yield* FiberSet.runtime(requests)<FileSystem.FileSystem | Path.Path>()
  const odd = yield* FiberSet.makeRuntime()
  const transport = stdioTransport(options.input, options.output)
  const server = sdkServer({
    start: (request, client) =>
      run(
        answer(session, request).pipe(
          Effect.tapDefect((defect) => Effect.logError(`${request.method} failed unexpectedly`, defect)),
          client === undefined ? (effect) => effect : Effect.provideService(ClientName, client)
        )
      ),
    onOdd: (reason) => odd(Effect.logWarning(reason))
  })
  yield* Effect.promise(() => server.connect(transport))

  const state = yield* session.state
  if (state._tag === "Dormant") {
    const announce = Effect.tryPromise(() =>
      Promise.all([server.sendToolListChanged(), server.sendResourceListChanged()])
    )
    yield* Effect.forkScoped(Effect.zipRight(session.awake, Effect.ignore(announce)))
  }

  yield* transport.ended
  yield* turn
  yield* Effect.timeoutOption(FiberSet.awaitEmpty(requests), grace)
  yield* FiberSet.clear(requests)
  yield* turn
  yield* Effect.timeoutOption(transport.flushed, grace)
}, Effect.scoped)

/** One turn of the event loop: what the SDK has promised itself until now is done after it. */
const turn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})
