import { Duration, Effect, FiberSet } from "effect"
import type { Readable, Writable } from "node:stream"
import { breathe } from "../../services/files/BreatheDriver.ts"
import type { Where } from "../../services/project/ProjectDiscovery.ts"
import { attach } from "./attach.ts"
import { makeProjectApp } from "./projectApp.ts"
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
 * Serves one client until it is gone.
 *
 * Source: design.md section 5 and rule 9; public cases A25 to A27.
 */
export const serve = Effect.fn("serve")(function* (options: ServeOptions) {
  const app = yield* makeProjectApp(options.where)
  const transport = stdioTransport(options.input, options.output)
  const { follow, ready, requests } = yield* attach(app, transport)
  yield* Effect.forkScoped(Effect.zipRight(ready, follow))

  yield* transport.ended
  // What the SDK has promised itself until now is done after a turn of the event loop.
  yield* breathe
  yield* Effect.timeoutOption(FiberSet.awaitEmpty(requests), grace)
  yield* FiberSet.clear(requests)
  yield* breathe
  yield* Effect.timeoutOption(transport.flushed, grace)
}, Effect.scoped)
