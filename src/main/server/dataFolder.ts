import { FileSystem, Path } from "@effect/platform"
import { Effect, Option } from "effect"
import { environment } from "../../services/runtime/Environment.ts"
import { ServeFailure } from "./nodeServer.ts"

/** Where the server keeps its data unless told: `$XDG_DATA_HOME/ctx-mcp`, else `~/.local/share/ctx-mcp`. */
export const defaultDataFolder = Effect.gen(function* () {
  const path = yield* Path.Path
  const xdg = yield* environment("XDG_DATA_HOME")
  // The XDG specification says to ignore a relative one.
  if (Option.isSome(xdg) && path.isAbsolute(xdg.value)) return path.join(xdg.value, "ctx-mcp")
  const [home] = (yield* Effect.all([environment("HOME"), environment("USERPROFILE")])).flatMap(Option.toArray)
  if (home === undefined) {
    return yield* new ServeFailure({ reason: "there is no home folder (HOME is not set). Say where with --data DIR." })
  }
  return path.join(home, ".local", "share", "ctx-mcp")
})

/**
 * Makes the data folder (0700) and keeps its database private (0600).
 *
 * @returns Absolute paths of the folder and of the database.
 */
export const prepareDataFolder = Effect.fn("prepareDataFolder")(
  function* (given: Option.Option<string>) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = path.resolve(Option.isSome(given) ? given.value : yield* defaultDataFolder)
    const database = path.join(folder, "server.db")
    yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
    yield* fs.access(folder, { writable: true })
    if (yield* fs.exists(database)) yield* fs.chmod(database, 0o600)
    return { folder, database }
  },
  Effect.catchTags({
    BadArgument: ({ message }) => new ServeFailure({ reason: `cannot use the data folder (${message})` }),
    SystemError: ({ message, pathOrDescriptor }) =>
      new ServeFailure({
        reason: `cannot use the data folder (${pathOrDescriptor}: ${message}). Check who may write there, or choose another with --data.`
      })
  })
)
