import { FileSystem, Path } from "@effect/platform"
import { Effect, Either, Option } from "effect"
import { writeAtomically } from "../AtomicFile.ts"
import { fileFailure } from "../Errno.ts"
import { CorruptFile, type FileFailure, type LeavesStore } from "../FileFailure.ts"
import { readTextIfThere, realPathIfThere } from "../Files.ts"
import { staysInside } from "../ProjectTrust.ts"
import { rememberUndo } from "./Attached.ts"
import { type Change, type Edited, undoOf } from "./Change.ts"

type Disk = FileSystem.FileSystem | Path.Path

/** An edit of a file in the project that is not ours alone, worked out and not yet done. */
export interface FilePlan {
  /** Relative to the project's root, with forward slashes. */
  readonly file: string
  /** Where it is written: symbolic links that stay inside the project are followed. */
  readonly path: string
  readonly change: Change
  readonly before: Option.Option<string>
  readonly after: string
}

/**
 * Works out an edit. Nothing is written.
 *
 * Errors: `CorruptFile` where the edit cannot be made in what the file holds; `LeavesStore` where the file lies outside
 * of the project, through a symbolic link.
 */
export const planFile = (
  root: string,
  file: string,
  edit: (before: Option.Option<string>) => Either.Either<Edited, string>
): Effect.Effect<FilePlan, CorruptFile | FileFailure | LeavesStore, Disk> =>
  Effect.gen(function* () {
    const named = (yield* Path.Path).join(root, file)
    yield* staysInside(root, file)
    const path = Option.getOrElse(yield* realPathIfThere(named), () => named)
    const before = yield* readTextIfThere(path)
    const { after, change } = yield* Either.mapLeft(edit(before), (reason) => new CorruptFile({ path, reason }))
    return { file, path, change, before, after }
  })

/** Does what was planned, and keeps in `.contexo/` what undoes it. Call under the project lock, in which it was planned. */
export const carryOut = (
  contexo: string,
  { after, before, change, file, path: target }: FilePlan
): Effect.Effect<void, CorruptFile | FileFailure, Disk> =>
  Effect.gen(function* () {
    if (change === "present") return
    const fs = yield* FileSystem.FileSystem
    const folder = (yield* Path.Path).dirname(target)
    const madeFolder = Option.isNone(yield* realPathIfThere(folder))
    if (madeFolder) yield* Effect.mapError(fs.makeDirectory(folder, { recursive: true }), fileFailure(folder, "create"))
    yield* writeAtomically(target, after)
    if (change !== "replaced") yield* rememberUndo(contexo, file, undoOf(before, after, madeFolder))
  })
