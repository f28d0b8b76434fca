/** Driver over `node:fs`: the skill's folder as this package ships it. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** A file of the skill. */
export interface SkillFile {
  /** From the skill's folder, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly executable: boolean
}

/** The skill's files, sorted; none where the package has lost them. */
export const skillFiles = (): ReadonlyArray<SkillFile> => {
  const folder = skillFolder(dirname(fileURLToPath(import.meta.url)))
  if (folder === undefined) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map((entry) => {
      const full = join(entry.parentPath, entry.name)
      const path = full.slice(folder.length + 1).replaceAll("\\", "/")
      return { path, bytes: readFileSync(full), executable: /^scripts\/cp_(?!run)/.test(path) }
    })
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** Beside `dist` in the package, beside `src` in a checkout. */
const skillFolder = (from: string): string | undefined => {
  const folder = join(from, "skills", "context-paging")
  if (existsSync(join(folder, "SKILL.md"))) return folder
  return from === dirname(from) ? undefined : skillFolder(dirname(from))
}
