/**
 * Driver over `node:fs`: the project that a hook's event is about, by the rules of `ProjectDiscovery` and `ProjectTrust`.
 * Without Effect, for the capture hook. It asks a few files and no process.
 */
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { refusal } from "./StoreFilesDriver.ts"

/**
 * Absolute path of the `.contexo/` at or above the first of the folders that has one.
 *
 * @throws a refusal of code EPERM where somebody else may have planted it.
 */
export const hookStore = (
  folders: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>>
): string | undefined => {
  const named = env["CONTEXO_ROOT"]?.trim() ? resolve(env["CONTEXO_ROOT"]) : undefined
  const root = named === undefined ? found(folders) : holdsProject(real(named)) ? real(named) : undefined
  if (root === undefined) return undefined
  const store = join(root, ".contexo")
  if (!isTrusted(root, store, env["CONTEXO_SAFE_DIR"])) throw refusal("EPERM", store)
  return store
}

const found = (folders: ReadonlyArray<string>): string | undefined => {
  for (const folder of folders) {
    const root = climb(real(resolve(folder)))
    if (root !== undefined) return root
  }
  return undefined
}

/** The nearest project at or above a folder, not above the repository's top; a linked worktree without one has the main one's. */
const climb = (from: string): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    if (holdsProject(folder)) return folder
    const git = statSync(join(folder, ".git"), { throwIfNoEntry: false })
    if (git?.isFile() === true) {
      const main = mainWorktree(folder)
      return main === undefined ? undefined : climbTo(join(main, relative(folder, from)), main)
    }
    if (git !== undefined || folder === dirname(folder)) return undefined
  }
}

const climbTo = (from: string, last: string): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    if (holdsProject(folder)) return folder
    if (folder === last || folder === dirname(folder)) return undefined
  }
}

const holdsProject = (folder: string) =>
  statSync(join(folder, ".contexo"), { throwIfNoEntry: false })?.isDirectory() === true

/** Top of the main worktree, where the shared git folder names the linked one in turn (see `GitLayout`). */
const mainWorktree = (top: string): string | undefined => {
  const dotGit = join(top, ".git")
  const gitDir = resolve(top, firstLine(dotGit).replace(/^gitdir: /, ""))
  const commonDir = firstLine(join(gitDir, "commondir"))
  const back = firstLine(join(gitDir, "gitdir"))
  if (commonDir === "" || back === "") return undefined
  const common = real(resolve(gitDir, commonDir))
  const listed = real(dirname(gitDir)) === join(common, "worktrees") && real(resolve(gitDir, back)) === real(dotGit)
  return listed && basename(common) === ".git" ? dirname(common) : undefined
}

const firstLine = (file: string): string => {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/)[0]?.trim() ?? ""
  } catch {
    return ""
  }
}

const real = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

const isTrusted = (root: string, store: string, safe: string | undefined): boolean => {
  if (safe?.trim() && [root, store].includes(real(resolve(safe)))) return true
  if (!real(store).startsWith(root + sep)) return false
  const stats = lstatSync(real(store))
  const uid = process.geteuid?.()
  if (uid === undefined) return true
  return (stats.uid === uid || stats.uid === 0) && (stats.mode & 0o002) === 0
}
