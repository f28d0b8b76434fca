import { Context, Effect, Layer, type Option } from "effect"
import { firstStart } from "../../effects/server/firstStart.ts"
import { ChangeSignal } from "../../services/server/ChangeSignal.ts"
import { SecureRandom } from "../../services/server/SecureRandom.ts"
import { layer as sqliteStore } from "../../services/server/ServerStoreSqlite.ts"
import { app } from "./app.ts"
import { prepareDataFolder } from "./dataFolder.ts"
import { configuredLimit } from "./limits.ts"
import { type Address, listen, ServeFailure } from "./nodeServer.ts"

export interface ServeOptions extends Address {
  /** Folder of the database; None: `$XDG_DATA_HOME/ctx-mcp`, else `~/.local/share/ctx-mcp`. */
  readonly data: Option.Option<string>
}

/** What the options are unless given. */
export const defaultAddress: Address = { host: "127.0.0.1", port: 4848 }

/**
 * A running sync server, for the length of the scope: then no request is taken any more, those in hand are answered, who
 * waits for changes is sent home, and the database is closed.
 *
 * @returns Where it is, and on its very first start the owner's token: show it, or it is lost.
 *
 * Errors: `ServeFailure` (port in use, data folder not writable, database unreadable or newer, limits that are none).
 * Source: design.md sections 10 and 11.
 */
export const start = Effect.fn("serve.start")(function* (options: ServeOptions) {
  const { database, folder } = yield* prepareDataFolder(options.data)
  const limit = yield* Layer.build(configuredLimit(options.host))
  const services = Layer.mergeAll(sqliteStore(database), SecureRandom.layer, ChangeSignal.layer)
  const context = Context.merge(
    yield* Effect.mapError(Layer.build(services), ({ message }) => new ServeFailure({ reason: message })),
    limit
  )
  const url = yield* listen(Layer.provide(app, Layer.succeedContext(context)), options)
  // Goes before the server waits for its last requests.
  yield* Effect.addFinalizer(() => Context.get(context, ChangeSignal).close)
  // After listening, so that a token is never made by a start that fails.
  const ownerToken = yield* firstStart.pipe(
    Effect.provide(context),
    Effect.mapError(({ message }) => new ServeFailure({ reason: message }))
  )
  return { url, data: folder, ownerToken }
})
