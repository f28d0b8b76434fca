import { type FileSystem, Path } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { environment } from "../runtime/Environment.ts"
import type { FileFailure } from "../files/FileFailure.ts"
import { isFolder, realPathIfThere } from "../files/Files.ts"
import { type Repository, repositoryAt } from "./GitLayout.ts"
import { NotInProject, Project, type UntrustedProject } from "./Project.ts"
import { checkTrust } from "./ProjectTrust.ts"

type Disk = FileSystem.FileSystem | Path.Path

/** Where to look for a project. */
export interface Where {
  /** `--root`: this folder and no other. Relative to `cwd`. */
  readonly root?: string | undefined
  /** Absolute path of the folder that a command runs in. */
  readonly cwd: string
}

/** What lies around a folder, before anybody asks whether it is trusted. */
export interface Surroundings {
  /** The folder looked from, without symbolic links. */
  readonly from: string
  /** Whether `--root` or `CONTEXO_ROOT` named the folder. */
  readonly named: boolean
  /** Root of the nearest project. */
  readonly project: Option.Option<string>
  /** The repository around the folder; not looked for where the folder was named. */
  readonly repository: Option.Option<Repository>
}

/** The project whose root is this folder. */
export const projectAt = (root: string): Effect.Effect<typeof Project.Service, never, Path.Path> =>
  Effect.map(Path.Path, (path) => ({ root, contexo: path.join(root, ".contexo") }))

/**
 * Finds the project: the folder that `--root`, else `CONTEXO_ROOT` names, else the nearest folder at or above `cwd` that
 * holds `.contexo/`. The search ends at the top of the repository; a linked git worktree without a `.contexo/` of its own
 * has the main worktree's, searched from the same folder there. Symbolic links in `cwd` are resolved first, so one
 * project has one root. Nothing is created, and no process is started.
 *
 * @throws NotInProject where there is none; UntrustedProject where somebody else may have planted it.
 * @example
 * ```ts
 * const { root, contexo } = yield* discover({ cwd: "/home/me/app/src" })
 * ```
 */
export const discover = Effect.fn("ProjectDiscovery.discover")(function* (where: Where) {
  const { from, project } = yield* lookAround(where)
  if (Option.isNone(project)) return yield* new NotInProject({ from })
  yield* checkTrust(project.value)
  return yield* projectAt(project.value)
})

/** The discovered project as a layer. */
export const layer = (
  where: Where
): Layer.Layer<Project, NotInProject | UntrustedProject | FileFailure, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(Project, discover(where))

/** The search itself, without the verdict on whom the project belongs to. */
export const lookAround = (where: Where): Effect.Effect<Surroundings, FileFailure, Disk> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const variable = yield* environment("CONTEXO_ROOT")
    const root = Option.orElse(Option.fromNullable(where.root), () => variable)
    const named = Option.isSome(root)
    const folder = path.resolve(
      where.cwd,
      Option.getOrElse(root, () => "")
    )
    const from = Option.getOrElse(yield* realPathIfThere(folder), () => folder)
    if (named) {
      const project = (yield* holdsProject(from)) ? Option.some(from) : Option.none()
      return { from, named, project, repository: Option.none() }
    }
    const { project, repository } = yield* climb(from)
    const main = Option.flatMap(repository, ({ main, top }) => Option.map(main, (main) => ({ main, top })))
    if (Option.isSome(project) || Option.isNone(main)) return { from, named, project, repository }
    const mirrored = path.join(main.value.main, path.relative(main.value.top, from))
    return { from, named, project: yield* climbTo(mirrored, main.value.main), repository }
  })

/** The repository around a folder, whoever's project the folder is. */
export const repositoryAround = (
  folder: string
): Effect.Effect<Option.Option<Repository>, FileFailure, FileSystem.FileSystem | Path.Path> =>
  Effect.map(climb(folder), ({ repository }) => repository)

/** Nearest project at or above a folder, not above the repository's top. */
const climb = (from: string) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    let project = Option.none<string>()
    for (let folder = from; ; folder = path.dirname(folder)) {
      if (Option.isNone(project) && (yield* holdsProject(folder))) project = Option.some(folder)
      const repository = yield* repositoryAt(folder)
      if (Option.isSome(repository) || folder === path.dirname(folder)) return { project, repository }
    }
  })

/** Nearest project at or above a folder, not above another one. */
const climbTo = (from: string, last: string) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    for (let folder = from; ; folder = path.dirname(folder)) {
      if (yield* holdsProject(folder)) return Option.some(folder)
      if (folder === last || folder === path.dirname(folder)) return Option.none<string>()
    }
  })

/** Whether a folder holds `.contexo/`. */
export const holdsProject = (folder: string): Effect.Effect<boolean, FileFailure, Disk> =>
  Effect.flatMap(Path.Path, (path) => isFolder(path.join(folder, ".contexo")))
