import { Console, Effect, Layer, Option } from "effect"
import { firstStart } from "../../effects/server/firstStart.ts"
import { SecureRandom } from "../../services/server/SecureRandom.ts"
import { layer as sqliteStore } from "../../services/server/ServerStoreSqlite.ts"
import { app } from "./app.ts"
import { prepareDataFolder } from "./dataFolder.ts"
import { type Address, listen, ServeFailure } from "./nodeServer.ts"

export interface ServeOptions extends Address {
  /** Folder of the database; None: `$XDG_DATA_HOME/ctx-mcp`, else `~/.local/share/ctx-mcp`. */
  readonly data: Option.Option<string>
  /** Say where the server is in one JSON line. */
  readonly json: boolean
}

/** What the options are unless given. */
export const defaultAddress: Address = { host: "127.0.0.1", port: 4848 }

/**
 * Runs the sync server until it is interrupted: then requests in hand are answered and the database is closed.
 *
 * When it is ready, it prints where it is, and on its very first start the owner's token, once.
 *
 * Errors: `ServeFailure` (port in use, data folder not writable, database unreadable or newer).
 * Source: design.md sections 10 and 11.
 */
export const serve = Effect.fn("serve")(function* (options: ServeOptions) {
  const { url, data, ownerToken } = yield* start(options)
  yield* Console.log(
    options.json
      ? JSON.stringify({ url, data, owner_token: Option.getOrNull(ownerToken) })
      : humanLines(url, data, ownerToken)
  )
  return yield* Effect.never
}, Effect.scoped)

/** A running server, for the length of the scope. */
export const start = Effect.fn("serve.start")(function* (options: ServeOptions) {
  const { database, folder } = yield* prepareDataFolder(options.data)
  const services = Layer.merge(sqliteStore(database), SecureRandom.layer)
  const context = yield* Effect.mapError(Layer.build(services), ({ message }) => new ServeFailure({ reason: message }))
  const url = yield* listen(Layer.provide(app, Layer.succeedContext(context)), options)
  // After listening, so that a token is never made by a start that fails.
  const ownerToken = yield* firstStart.pipe(
    Effect.provide(context),
    Effect.mapError(({ message }) => new ServeFailure({ reason: message }))
  )
  return { url, data: folder, ownerToken }
})

const humanLines = (url: string, data: string, ownerToken: Option.Option<string>): string =>
  [
    `ctx server: ${url}`,
    `data:       ${data}`,
    ...Option.match(ownerToken, {
      onNone: () => [],
      onSome: (token) => [
        "",
        `The owner's token, shown this once:`,
        `  ${token}`,
        "",
        "In a project:",
        `  ctx login --server ${url} --token <token> --repo <name>`
      ]
    })
  ].join("\n")
