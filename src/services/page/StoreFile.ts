import { Effect, Either, Option } from "effect"
import { FileFailure, LeavesStore } from "../files/FileFailure.ts"
import { bytesOf } from "./PageScanDriver.ts"
import { locate } from "../project/StorePathDriver.ts"

/**
 * Where a file below `store` really lies, links followed, and what it is; no stats where there is none yet.
 *
 * Errors: `LeavesStore` where a symbolic link on the way leads out (A14), `FileFailure` for what is no file.
 */
export const fileAt = (store: string, relative: string): Effect.Effect<Reached, FileFailure | LeavesStore> =>
  Effect.suspend((): Effect.Effect<Reached, FileFailure | LeavesStore> => {
    const path = `${store}/${relative}`
    const refuse = (reason: string) => new FileFailure({ path, operation: "use", reason })
    const place = locate(store, relative)
    switch (place._tag) {
      case "File":
        return Effect.succeed({ path: place.path, stats: place.stats, hasFolder: true })
      case "Absent":
        return Effect.succeed({ path: place.path, stats: undefined, hasFolder: place.hasFolder })
      case "Folder":
        return refuse("EISDIR")
      case "Outside":
        return new LeavesStore({ path, target: place.target })
      case "Refused":
        return refuse(place.reason)
    }
  })

interface Reached {
  readonly path: string
  readonly stats: { readonly mode: number } | undefined
  readonly hasFolder: boolean
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
