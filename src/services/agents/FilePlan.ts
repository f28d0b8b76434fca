import { FileSystem, Path } from "@effect/platform"
import { Effect, Either, Option } from "effect"
import { writeAtomically } from "../files/AtomicFile.ts"
import { fileFailure } from "../files/Errno.ts"
import { CorruptFile, FileFailure, type LeavesStore } from "../files/FileFailure.ts"
import { readTextIfThere, realPathIfThere, statIfThere } from "../files/Files.ts"
import { staysInside } from "../project/ProjectTrust.ts"
import { attachedSteps, forgetStep, rememberStep, stepsFor } from "./Attached.ts"
import { type Change, type Edited, undoOf } from "./Change.ts"
import type { Edit } from "./Edit.ts"
import { type Step, withoutStep } from "./Steps.ts"

type Disk = FileSystem.FileSystem | Path.Path

/** A file that is not ours alone. */
export interface FilePlace {
  /** Relative to the project's root with forward slashes, or absolute outside of it. */
  readonly name: string
  /** Absolute. */
  readonly path: string
  /** The project that it must not lead out of. */
  readonly root?: string
}

/** An edit of a file, worked out and not yet done. */
export interface FilePlan {
  readonly name: string
  /** Where it is written: symbolic links are followed. */
  readonly path: string
  readonly change: Change
  readonly before: Option.Option<string>
  readonly after: string
}

/**
 * Works out an edit. Nothing is written.
 *
 * Errors: `CorruptFile` where the edit cannot be made in what the file holds; `LeavesStore` where a file of the project
 * lies outside of it, through a symbolic link; `FileFailure` where the file is read-only.
 */
export const planAt = (
  place: FilePlace,
  edit: (before: Option.Option<string>) => Either.Either<Edited, string>
): Effect.Effect<FilePlan, CorruptFile | FileFailure | LeavesStore, Disk> =>
  Effect.gen(function* () {
    const path = yield* realPlace(place)
    const before = yield* readTextIfThere(path)
    const { after, change } = yield* Either.mapLeft(edit(before), (reason) => new CorruptFile({ path, reason }))
    if (change !== "present") yield* refuseReadOnly(path)
    return { name: place.name, path, change, before, after }
  })

/** The same for a file of the project. */
export const planFile = (
  root: string,
  name: string,
  edit: (before: Option.Option<string>) => Either.Either<Edited, string>
): Effect.Effect<FilePlan, CorruptFile | FileFailure | LeavesStore, Disk> =>
  Effect.flatMap(Path.Path, (path) => planAt({ name, path: path.join(root, name), root }, edit))

/**
 * Does what was planned, and keeps in `.contexo/` what undoes it. Call under the project lock, in which it was planned.
 *
 * @param part What of ours it is; one file may hold several.
 */
export const carryOut = (
  contexo: string,
  part: string,
  { after, before, change, name, path: target }: FilePlan
): Effect.Effect<void, CorruptFile | FileFailure, Disk> =>
  Effect.gen(function* () {
    if (change === "present") return
    const fs = yield* FileSystem.FileSystem
    const { dirname } = yield* Path.Path
    const folder = dirname(target)
    const isNew = Option.isNone(yield* realPathIfThere(folder))
    // Whichever of our files goes last takes the folder with it.
    const steps = yield* attachedSteps(contexo)
    const madeFolder = isNew || steps.some((step) => step.madeFolder && dirname(step.file) === dirname(name))
    if (isNew) yield* Effect.mapError(fs.makeDirectory(folder, { recursive: true }), fileFailure(folder, "create"))
    yield* refuseChanged(target, before)
    yield* writeAtomically(target, after)
    if (change !== "replaced") {
      yield* rememberStep(contexo, { file: name, part, ...undoOf(before, after, madeFolder) })
    }
  })

/** What can be undone in a file: the edit of each part that it may hold. */
export type PartEdits = ReadonlyMap<string, Edit>

/**
 * Takes a part of ours out of a file, and what was made only for it. The file is byte for byte what it was before the part
 * came, if nobody touched that since; else our entries go, and nothing more.
 *
 * @returns Whether there was something to take out.
 */
export const takeOutAt = (
  contexo: string,
  place: FilePlace,
  part: string,
  edits: PartEdits
): Effect.Effect<boolean, CorruptFile | FileFailure | LeavesStore, Disk> =>
  Effect.gen(function* () {
    const path = yield* realPlace(place)
    const before = yield* readTextIfThere(path)
    const steps = yield* stepsFor(contexo, place.name)
    if (Option.isNone(before)) {
      yield* forgetStep(contexo, place.name, [])
      return false
    }
    const { found, rest, text } = yield* Either.mapLeft(
      withoutStep(before.value, steps, part, edits),
      (reason) => new CorruptFile({ path, reason })
    )
    if (found) {
      yield* refuseReadOnly(path)
      yield* refuseChanged(path, before)
      yield* put(place, path, text, steps)
    }
    yield* forgetStep(contexo, place.name, rest)
    return found
  })

const put = (place: FilePlace, path: string, text: Option.Option<string>, steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    if (Option.isSome(text)) return yield* writeAtomically(path, text.value)
    // The file that a link leads to is somebody's: it stays.
    if (path !== place.path) return yield* writeAtomically(path, path.endsWith(".toml") ? "" : "{}\n")
    const fs = yield* FileSystem.FileSystem
    yield* Effect.mapError(fs.remove(path), fileFailure(path, "remove"))
    const folder = (yield* Path.Path).dirname(path)
    if (!steps.some(({ madeFolder }) => madeFolder)) return
    const isEmpty = Effect.map(fs.readDirectory(folder), (names) => names.length === 0)
    // A folder that somebody else uses by now stays.
    if (yield* Effect.orElseSucceed(isEmpty, () => false)) yield* Effect.ignore(fs.remove(folder, { recursive: true }))
  })

/** Where a file really is. */
const realPlace = ({ name, path, root }: FilePlace) =>
  Effect.gen(function* () {
    if (root !== undefined) yield* staysInside(root, name)
    const real = yield* realPathIfThere(path)
    if (Option.isSome(real)) return real.value
    const fs = yield* FileSystem.FileSystem
    const leadsNowhere = yield* Effect.isSuccess(fs.readLink(path))
    return leadsNowhere
      ? yield* new FileFailure({ path, operation: "edit", reason: "it is a symbolic link that leads nowhere" })
      : path
  })

const refuseReadOnly = (path: string) =>
  Effect.gen(function* () {
    const isReadOnly = Option.exists(yield* statIfThere(path), ({ mode }) => (mode & 0o222) === 0)
    if (isReadOnly) return yield* new FileFailure({ path, operation: "edit", reason: "it is read-only" })
  })

/** An agent or an editor may write its settings at any time. */
const refuseChanged = (path: string, before: Option.Option<string>) =>
  Effect.gen(function* () {
    const now = yield* readTextIfThere(path)
    if (Option.getOrUndefined(now) !== Option.getOrUndefined(before)) {
      return yield* new FileFailure({ path, operation: "edit", reason: "somebody else just changed it; try again" })
    }
  })
