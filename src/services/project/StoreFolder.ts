import { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"
import { flush } from "../files/AtomicFile.ts"
import { fileFailure } from "../files/Errno.ts"
import { FileFailure } from "../files/FileFailure.ts"
import type { SqliteFailure } from "../sqlite/SqliteDriver.ts"
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
        Effect.zipRight(Effect.forEach(foldersAbove(name), (above) => flush(`${contexo}/${above}`))),
        Effect.as(path)
      ),
    File: () => refuse("ENOTDIR"),
    Outside: ({ target }) => refuse(leadsOut(target)),
    Refused: ({ reason }) => refuse(reason)
  })
})

/** The folders whose names for a new one must reach the disk: for `a/b`, `a` and the store itself. */
const foldersAbove = (name: string): ReadonlyArray<string> =>
  name.includes("/")
    ? [name.slice(0, name.lastIndexOf("/")), ...foldersAbove(name.slice(0, name.lastIndexOf("/")))]
    : [""]

/** Why a file or folder of ours is not used. */
export const leadsOut = (target: string): string => `a symbolic link leads out of the project, to ${target}`

/** What SQLite refused, as a failure of the file. */
export const databaseFailure = (operation: string) => (failure: SqliteFailure) =>
  new FileFailure({
    path: failure.path,
    operation,
    reason: /^E[A-Z]+(?=:)/.exec(failure.reason)?.[0] ?? failure.reason
  })
