/**
 * Driver over `node:fs`: which projects are subscribed, `${XDG_CONFIG_HOME:-~/.config}/context-paging/projects.json`. Without
 * Effect: it is the gate of the capture hook.
 */
import { readFileSync, realpathSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { type Fields, fieldsOf, filledOf } from "../../model/transcripts/Fields.ts"
import { parseFields } from "../../model/transcripts/JsonLineDriver.ts"

type Variables = Readonly<Record<string, string | undefined>>

export const registryPath = (env: Variables): string =>
  join(
    filledOf(env["XDG_CONFIG_HOME"]) ?? join(filledOf(env["HOME"]) ?? homedir(), ".config"),
    "context-paging",
    "projects.json"
  )

/** A project that is subscribed. */
export interface Subscribed {
  /** As it stands in the registry. */
  readonly root: string
  /** Absolute path of its database. */
  readonly database: string
  /** Where the scripts of the skill are. */
  readonly scripts: string
}

/** The registry's entries; none where there is no registry, or one that cannot be read: then nobody is subscribed. */
export const readRegistry = (env: Variables): Fields => {
  try {
    return parseFields(readFileSync(registryPath(env), "utf8")) ?? {}
  } catch {
    return {}
  }
}

/** Where a project's database is, unless something names another place. */
export const databaseIn = (root: string): string => join(root, "agents", "context-paging", "context.db")

/** Where the skill's scripts are, unless the registry says otherwise. */
export const scriptsIn = (root: string): string => join(root, ".agents", "skills", "context-paging", "scripts")

/**
 * The subscribed project at or above the first of the folders that has one, symbolic links followed or not.
 *
 * Source: context-paging.md, "Harness wiring"; paging.md 3.6 (10).
 */
export const subscribedAt = (folders: ReadonlyArray<string>, env: Variables): Subscribed | undefined => {
  const registry = readRegistry(env)
  if (Object.keys(registry).length === 0) return undefined
  for (const folder of folders) {
    for (const start of new Set([resolve(folder), realOf(resolve(folder))])) {
      for (let root = start; ; root = dirname(root)) {
        const entry = fieldsOf(registry[root])
        if (entry !== undefined) {
          const named = filledOf(env["CP_DB"]) ?? filledOf(entry["db"])
          return {
            root,
            database: named === undefined ? databaseIn(root) : resolve(root, named),
            scripts: filledOf(entry["scripts"]) ?? scriptsIn(root)
          }
        }
        if (root === dirname(root)) break
      }
    }
  }
  return undefined
}

const realOf = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
