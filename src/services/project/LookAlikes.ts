import { type FileSystem, Path } from "@effect/platform"
import { Effect, Option } from "effect"
import { isFolder, namesIfThere, realPathIfThere } from "../files/Files.ts"
import { repositoryAt, worktreesOf } from "./GitLayout.ts"
import { holdsProject } from "./ProjectDiscovery.ts"

type Disk = FileSystem.FileSystem | Path.Path

const maxDepth = 3
const maxLooked = 2000
const maxFound = 5

/**
 * Other projects that somebody with an empty one may have meant (A18): in child folders (three levels, hidden folders and
 * `node_modules` left out), in the other worktrees of the repository, and in the folders between a nested project and
 * the repository's top. A hint only: what cannot be read is passed over.
 *
 * @param root Absolute path of the empty project.
 * @returns At most five roots, absolute, nearest first.
 */
export const lookAlikes = (root: string): Effect.Effect<ReadonlyArray<string>, never, Disk> =>
  Effect.gen(function* () {
    const { common, above } = yield* quietly({ common: Option.none<string>(), above: [] }, enclosing(root))
    const worktrees = Option.isNone(common) ? [] : yield* quietly([], worktreesOf(common.value))
    const siblings = yield* Effect.filter(worktrees, (folder) => quietly(false, isOther(root, folder)))
    const found = [...(yield* childProjects(root)), ...above, ...siblings]
    return [...new Set(found)].slice(0, maxFound)
  }).pipe(Effect.withSpan("LookAlikes.find"))

/** Projects below a folder, breadth first. The entries of a project's own `.contexo/` are not looked at. */
const childProjects = (root: string) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const found: Array<string> = []
    let looked = 0
    let level: ReadonlyArray<string> = [root]
    for (let depth = 0; depth < maxDepth && found.length < maxFound; depth++) {
      const next: Array<string> = []
      for (const parent of level) {
        for (const name of yield* quietly([], namesIfThere(parent))) {
          if (name.startsWith(".") || name === "node_modules") continue
          if (looked++ >= maxLooked) return found
          const folder = path.join(parent, name)
          if (!(yield* quietly(false, isFolder(folder)))) continue
          if (yield* quietly(false, holdsProject(folder))) found.push(folder)
          next.push(folder)
        }
      }
      level = next
    }
    return found
  })

/** The git folder shared by a project's worktrees, and the projects between the project and the repository's top. */
const enclosing = (root: string) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const above: Array<string> = []
    for (let folder = root; ; folder = path.dirname(folder)) {
      if (folder !== root && (yield* holdsProject(folder))) above.push(folder)
      const repository = yield* repositoryAt(folder)
      if (Option.isSome(repository)) return { common: repository.value.common, above }
      // Without a repository, what lies above is not this project's business.
      if (folder === path.dirname(folder)) return { common: Option.none<string>(), above: [] }
    }
  })

const isOther = (root: string, folder: string) =>
  Effect.gen(function* () {
    const same = Option.contains(yield* realPathIfThere(folder), root)
    return !same && (yield* holdsProject(folder))
  })

const quietly = <A, E, R>(fallback: A, effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
  Effect.catchAll(effect, (failure) => Effect.as(Effect.logDebug("look-alikes: passed over", failure), fallback))
