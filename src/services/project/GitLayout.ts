import { type FileSystem, Path } from "@effect/platform"
import { Effect, Option } from "effect"
import type { FileFailure } from "../files/FileFailure.ts"
import { isFolder, namesIfThere, readTextIfThere, realPathIfThere, statIfThere } from "../files/Files.ts"

type Disk = FileSystem.FileSystem | Path.Path

/** A repository as its files tell it, without a git process. Paths are absolute. */
export interface Repository {
  /** The folder that holds `.git`, a folder or a file. */
  readonly top: string
  /** The git folder that all worktrees share; None where `.git` is a file that names no repository. */
  readonly common: Option.Option<string>
  /** Top of the main worktree, where `top` is a linked one (`git worktree add`) and there is a main one. */
  readonly main: Option.Option<string>
}

/** The repository whose top is exactly this folder. */
export const repositoryAt = (top: string): Effect.Effect<Option.Option<Repository>, FileFailure, Disk> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const dotGit = path.join(top, ".git")
    const info = yield* statIfThere(dotGit)
    if (Option.isNone(info)) return Option.none()
    if (info.value.type === "Directory") return Option.some({ top, common: Option.some(dotGit), main: Option.none() })
    const common = yield* commonOf(top)
    const main = yield* Option.match(common, {
      onNone: () => Effect.succeedNone,
      onSome: mainWorktree
    })
    return Option.some({ top, common, main })
  })

/**
 * The shared git folder of a linked worktree. A `.git` file can come with an archive and name any folder, so it counts
 * only where that folder names the `.git` file in turn, as `git worktree add` writes it.
 */
const commonOf = (top: string): Effect.Effect<Option.Option<string>, never, Disk> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const dotGit = path.join(top, ".git")
    const gitDir = path.resolve(top, yield* firstLine(dotGit, "gitdir: "))
    const common = yield* real(path.resolve(gitDir, yield* firstLine(path.join(gitDir, "commondir"))))
    const back = path.resolve(gitDir, yield* firstLine(path.join(gitDir, "gitdir")))
    const isListed = (yield* real(path.dirname(gitDir))) === path.join(common, "worktrees")
    return isListed && (yield* real(back)) === (yield* real(dotGit)) ? Option.some(common) : Option.none()
  }).pipe(Effect.catchAll(() => Effect.succeedNone))

/** The main worktree of a shared git folder: the folder around `.git`, or what `core.worktree` says (a submodule's). */
const mainWorktree = (common: string): Effect.Effect<Option.Option<string>, never, Disk> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    if (path.basename(common) === ".git") return path.dirname(common)
    const config = yield* Effect.flatten(readTextIfThere(path.join(common, "config")))
    const core = /^\[core\]((?:\r?\n[^[]*)*)/m.exec(config)?.[1] ?? ""
    const worktree = yield* Option.fromNullable(/^\s*worktree\s*=\s*"?(.+?)"?\s*$/m.exec(core)?.[1])
    return yield* real(path.resolve(common, worktree))
  }).pipe(Effect.option)

/** Tops of all worktrees that share a git folder, the main one first. Those whose folder is gone are left out. */
export const worktreesOf = (common: string): Effect.Effect<ReadonlyArray<string>, FileFailure, Disk> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const main = yield* mainWorktree(common)
    const folder = path.join(common, "worktrees")
    const linked = yield* Effect.forEach(yield* namesIfThere(folder), (name) =>
      firstLine(path.join(folder, name, "gitdir")).pipe(
        Effect.map((line) => path.dirname(path.resolve(path.join(folder, name), line))),
        Effect.option
      )
    )
    return yield* Effect.filter([main, ...linked].flatMap(Option.toArray), isFolder)
  })

const firstLine = (file: string, prefix = "") =>
  Effect.gen(function* () {
    const text = yield* Effect.flatten(readTextIfThere(file))
    const line = text.split(/\r?\n/)[0] ?? ""
    return yield* line.startsWith(prefix) && line.length > prefix.length
      ? Option.some(line.slice(prefix.length).trim())
      : Option.none()
  })

const real = (path: string) => Effect.flatten(realPathIfThere(path))
