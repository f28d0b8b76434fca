import { type FileSystem, Path } from "@effect/platform"
import { Effect, Option } from "effect"
import { environment } from "../runtime/Environment.ts"
import { isFolder, statIfThere } from "../files/Files.ts"

type Disk = FileSystem.FileSystem | Path.Path

/** The home folder, where the environment says it. */
export const homeFolder: Effect.Effect<Option.Option<string>> = Effect.map(
  Effect.all([environment("HOME"), environment("USERPROFILE")]),
  Option.firstSomeOf
)

/** Whether somebody uses Cursor here: `~/.cursor/`, or `cursor` on PATH. What cannot be read counts as not there. */
export const hasCursor: Effect.Effect<boolean, never, Disk> = Effect.gen(function* () {
  const path = yield* Path.Path
  const home = yield* homeFolder
  if (Option.isSome(home) && (yield* orFalse(isFolder(path.join(home.value, ".cursor"))))) return true
  return yield* isOnPath("cursor")
})

/** Whether a program is on PATH, with the endings that Windows gives programs. */
export const isOnPath = (program: string): Effect.Effect<boolean, never, Disk> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const isWindows = path.sep === "\\"
    const folders = Option.getOrElse(yield* environment("PATH"), () => "").split(isWindows ? ";" : ":")
    const names = isWindows ? [".exe", ".cmd", ".bat"].map((ending) => program + ending) : [program]
    const candidates = folders
      .filter((folder) => path.isAbsolute(folder))
      .flatMap((folder) => names.map((name) => path.join(folder, name)))
    return yield* Effect.exists(candidates, (file) => orFalse(isProgram(file, isWindows)))
  })

const isProgram = (file: string, isWindows: boolean) =>
  Effect.map(
    statIfThere(file),
    Option.exists((info) => info.type === "File" && (isWindows || (info.mode & 0o111) !== 0))
  )

/** What cannot be looked at counts as not there. */
export const orFalse = <E, R>(effect: Effect.Effect<boolean, E, R>): Effect.Effect<boolean, never, R> =>
  Effect.catchAll(effect, (failure) =>
    Effect.as(Effect.logDebug("passed over while looking for an agent", failure), false)
  )
