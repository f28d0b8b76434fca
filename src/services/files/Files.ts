import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Effect, Option } from "effect"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import { errnoOf, fileFailure } from "./Errno.ts"
import { CorruptFile, type FileFailure } from "./FileFailure.ts"

/** Whether nothing is there: no such name, or a file where a folder would have to be. */
const isAbsent = (error: PlatformError): boolean => ["ENOENT", "ENOTDIR"].includes(errnoOf(error))

/** Runs a step on a path; None where nothing is there. Every other failure stays one: unreadable is not absent. */
const ifThere = <A>(path: string, operation: string, step: Effect.Effect<A, PlatformError>) =>
  step.pipe(
    Effect.asSome,
    Effect.catchAll((error) =>
      isAbsent(error) ? Effect.succeed(Option.none<A>()) : Effect.fail(fileFailure(path, operation)(error))
    )
  )

/** What is at a path, links followed; None where nothing is there, or a link leads nowhere. */
export const statIfThere = (
  path: string
): Effect.Effect<Option.Option<FileSystem.File.Info>, FileFailure, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => ifThere(path, "look at", fs.stat(path)))

/** The path without any symbolic link in it; None where nothing is there. */
export const realPathIfThere = (
  path: string
): Effect.Effect<Option.Option<string>, FileFailure, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => ifThere(path, "resolve", fs.realPath(path)))

/** The names in a folder, sorted; none where there is no such folder. */
export const namesIfThere = (path: string): Effect.Effect<ReadonlyArray<string>, FileFailure, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.map(
      ifThere(path, "list", fs.readDirectory(path)),
      Option.match({ onNone: () => [], onSome: (names) => names.toSorted() })
    )
  )

/** Whether a folder is at a path, links followed. */
export const isFolder = (path: string): Effect.Effect<boolean, FileFailure, FileSystem.FileSystem> =>
  Effect.map(
    statIfThere(path),
    Option.exists((info) => info.type === "Directory")
  )

/** The exact text of a file, a BOM included; None where there is no file. Bytes that are not UTF-8 are `CorruptFile`. */
export const readTextIfThere = (
  path: string
): Effect.Effect<Option.Option<string>, FileFailure | CorruptFile, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const bytes = yield* ifThere(path, "read", fs.readFile(path))
    if (Option.isNone(bytes)) return Option.none()
    const text = decodeUtf8(bytes.value)
    return Option.isSome(text) ? text : yield* new CorruptFile({ path, reason: "it is not UTF-8 text" })
  })
