import { FileSystem } from "@effect/platform"
import { Effect } from "effect"

/** Bytes of all files below a folder, as far as they can be seen: files come and go meanwhile. */
export const folderSize = (folder: string): Effect.Effect<number, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const names = yield* Effect.orElseSucceed(fs.readDirectory(folder, { recursive: true }), () => [])
    const sizes = yield* Effect.forEach(names, (name) =>
      fs.stat(`${folder}/${name}`).pipe(
        Effect.map(({ size, type }) => (type === "File" ? Number(size) : 0)),
        Effect.orElseSucceed(() => 0)
      )
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  })
