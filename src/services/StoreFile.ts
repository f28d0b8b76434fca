import { Effect, Either, Option } from "effect"
import { FileFailure, LeavesStore } from "./FileFailure.ts"
import { bytesOf } from "./PageScanDriver.ts"
import { locate, Place } from "./StorePathDriver.ts"

/**
 * Where a file below `store` really lies, links followed, and what it is; no stats where there is none yet.
 *
 * Errors: `LeavesStore` where a symbolic link on the way leads out (A14), `FileFailure` for what is no file.
 */
export const fileAt = (store: string, relative: string): Effect.Effect<Reached, FileFailure | LeavesStore> => {
  const path = `${store}/${relative}`
  const refuse = (reason: string) => new FileFailure({ path, operation: "use", reason })
  return Place.$match(locate(store, relative), {
    File: (place): Effect.Effect<Reached, FileFailure | LeavesStore> => Effect.succeed(place),
    Absent: (place) => Effect.succeed({ path: place.path, stats: undefined }),
    Folder: () => refuse("EISDIR"),
    Outside: ({ target }) => new LeavesStore({ path, target }),
    Refused: ({ reason }) => refuse(reason)
  })
}

interface Reached {
  readonly path: string
  readonly stats: { readonly mode: number } | undefined
}

/** The bytes of a file below `store`; None where there is none. */
export const readBytes = (
  store: string,
  relative: string
): Effect.Effect<Option.Option<Uint8Array>, FileFailure | LeavesStore> =>
  Effect.flatMap(fileAt(store, relative), ({ path, stats }) => {
    if (stats === undefined) return Effect.succeedNone
    const bytes = bytesOf(path)
    if (Either.isRight(bytes)) return Effect.succeed(Option.some(bytes.right))
    // Removed since the look.
    if (bytes.left === "ENOENT") return Effect.succeedNone
    return new FileFailure({ path, operation: "read", reason: bytes.left })
  })
