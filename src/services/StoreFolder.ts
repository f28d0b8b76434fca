import { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"
import { fileFailure } from "./Errno.ts"
import { FileFailure } from "./FileFailure.ts"
import type { SqliteFailure } from "./sqlite/SqliteDriver.ts"
import { locate, Place } from "./StorePathDriver.ts"

/** Makes a folder of ours below `.contexo/` where it is missing, and refuses one that a symbolic link leads out of it. */
export const ensureFolder = Effect.fnUntraced(function* (contexo: string, name: string) {
  const path = (yield* Path.Path).join(contexo, name)
  const refuse = (reason: string) => new FileFailure({ path, operation: "use", reason })
  return yield* Place.$match(locate(contexo, name), {
    Folder: () => Effect.succeed(path),
    Absent: () =>
      Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeDirectory(path, { recursive: true, mode: 0o755 })).pipe(
        Effect.mapError(fileFailure(path, "create")),
        Effect.as(path)
      ),
    File: () => refuse("ENOTDIR"),
    Outside: ({ target }) => refuse(`a symbolic link leads out of the project, to ${target}`),
    Refused: ({ reason }) => refuse(reason)
  })
})

/** What SQLite refused, as a failure of the file. */
export const databaseFailure = (operation: string) => (failure: SqliteFailure) =>
  new FileFailure({
    path: failure.path,
    operation,
    reason: /^E[A-Z]+(?=:)/.exec(failure.reason)?.[0] ?? failure.reason
  })
