import { type FileSystem, Path } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import type { CorruptFile, FileFailure } from "../FileFailure.ts"
import { patchJsonFile, readJsonFile } from "../JsonFile.ts"
import { ensureFolder } from "../StoreFolder.ts"
import { Undo } from "./Change.ts"

type Disk = FileSystem.FileSystem | Path.Path

/** `.contexo/.sync/attached.json`: what `ctx init` put into files that are not ours, for `ctx detach`. */
const AttachedFile = Schema.Struct({
  files: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Undo }), { default: () => ({}) })
})

const fileIn = (contexo: string) => Effect.map(Path.Path, (path) => path.join(contexo, ".sync", "attached.json"))

/** What undoes our addition to a file of the project; None where we made none, or another client did. */
export const undoFor = (
  contexo: string,
  file: string
): Effect.Effect<Option.Option<Undo>, CorruptFile | FileFailure, Disk> =>
  Effect.gen(function* () {
    const attached = yield* readJsonFile(yield* fileIn(contexo), AttachedFile)
    return Option.flatMap(attached, ({ known }) => Option.fromNullable(known.files[file]))
  })

/** Keeps what undoes an addition, in place of what was kept for that file before. Call under the project lock. */
export const rememberUndo = (
  contexo: string,
  name: string,
  undo: Undo
): Effect.Effect<void, CorruptFile | FileFailure, Disk> =>
  Effect.gen(function* () {
    yield* ensureFolder(contexo, ".sync")
    const file = yield* fileIn(contexo)
    const attached = yield* readJsonFile(file, AttachedFile)
    const files = Option.match(attached, { onNone: () => ({}), onSome: ({ known }) => known.files })
    const before = Option.map(attached, ({ object }) => object)
    yield* patchJsonFile(
      file,
      Option.orElseSome(before, () => ({ version: 1 })),
      { files: { ...files, [name]: undo } }
    )
  })
