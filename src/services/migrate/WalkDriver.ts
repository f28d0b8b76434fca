/** Driver over `node:fs`: walks a folder where git cannot be asked. Synchronous, a folder at a time. */
import { Option } from "effect"
import ignore, { type Ignore } from "ignore"
import { readdirSync, readFileSync, type Dirent } from "node:fs"
import { isForeignFolder } from "../../model/migrate/LeftOut.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import { errnoOf } from "../files/Errno.ts"

/** A folder to look into, and the rules of the folders above it. */
export interface Folder {
  /** From the root, with `/` at the end; empty for the root. */
  readonly path: string
  readonly rules: ReadonlyArray<Rules>
}

interface Rules {
  /** Where the rules stand. */
  readonly base: string
  readonly ignore: Ignore
}

/** What was seen in a folder. */
export interface Looked {
  readonly files: ReadonlyArray<string>
  readonly folders: ReadonlyArray<Folder>
  readonly skipped: ReadonlyArray<{ readonly path: string; readonly reason: string }>
}

/** Rules that hold for a whole repository: those that its clone keeps to itself. */
export const rootFolder = (root: string): Folder => ({ path: "", rules: rulesIn(`${root}/.git/info/exclude`, "") })

/**
 * The files of one folder that no rule ignores, and the folders to look into next. Symbolic links are files: what they lead
 * to is judged by who reads them, and a loop of them is never walked.
 */
export const lookInto = (root: string, folder: Folder): Looked => {
  const files: Array<string> = []
  const folders: Array<Folder> = []
  const skipped: Array<{ readonly path: string; readonly reason: string }> = []
  const entries = entriesOf(`${root}/${folder.path}`)
  if (typeof entries === "string") {
    return { files, folders, skipped: [{ path: folder.path, reason: `the folder cannot be read (${entries})` }] }
  }
  const rules = entries.some((entry) => nameOf(entry) === ".gitignore")
    ? [...folder.rules, ...rulesIn(`${root}/${folder.path}.gitignore`, folder.path)]
    : folder.rules
  for (const entry of entries) {
    const name = nameOf(entry)
    if (name === undefined) {
      skipped.push({ path: folder.path, reason: "a name in it is not UTF-8 text" })
      continue
    }
    const path = `${folder.path}${name}`
    if (entry.isDirectory()) {
      if (!isForeignFolder(name) && !isIgnored(rules, `${path}/`)) folders.push({ path: `${path}/`, rules })
      // Its name alone says that a folder is a vault.
      if (name === ".obsidian") files.push(`${path}/`)
    } else if (!isIgnored(rules, path)) files.push(path)
  }
  return { files, folders, skipped }
}

const entriesOf = (path: string): ReadonlyArray<Dirent<Buffer>> | string => {
  try {
    return readdirSync(path, { withFileTypes: true, encoding: "buffer" })
  } catch (error) {
    return errnoOf(error)
  }
}

const nameOf = (entry: Dirent<Buffer>): string | undefined => Option.getOrUndefined(decodeUtf8(entry.name))

const rulesIn = (file: string, base: string): ReadonlyArray<Rules> => {
  try {
    return [{ base, ignore: ignore().add(readFileSync(file, "utf8")) }]
  } catch {
    return []
  }
}

/** The rules nearest to the file decide, as in git. */
const isIgnored = (rules: ReadonlyArray<Rules>, path: string): boolean => {
  for (const { base, ignore: own } of rules.toReversed()) {
    const { ignored, unignored } = own.test(path.slice(base.length))
    if (ignored || unignored) return ignored
  }
  return false
}
