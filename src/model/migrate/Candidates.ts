import { type CatalogGroup, catalogGroups } from "../page/Catalog.ts"
import { compareCodePoints } from "../text/Text.ts"
import { type Kind, kindOf } from "./Knowledge.ts"
import { isAnyLanguageFolder, isForeign, isTemplate, isTranslation, versionOf } from "./LeftOut.ts"
import { vaultKind, vaultOf, vaultsIn } from "./Vault.ts"

/** A file that its name makes worth reading. */
export interface Candidate extends Kind {
  /** From the source's root, with `/`. */
  readonly path: string
}

/** A file with the name of knowledge that is none, and why. */
export interface Skipped {
  readonly path: string
  readonly reason: string
}

export interface Candidates {
  /** By group, and in each group as they are listed. */
  readonly candidates: ReadonlyArray<Candidate>
  readonly skipped: ReadonlyArray<Skipped>
}

/**
 * What of a tree could be knowledge, by names alone: each file has at most one kind; translations, templates and the
 * documentation of older versions are put aside, and what is vendored, generated or a test's own is passed over.
 *
 * Deterministic: the order of `paths` does not matter.
 *
 * @param paths From the source's root, with `/`.
 *
 * Source: code-graph.md 5; design.md section 7.
 */
export const candidatesOf = (paths: Iterable<string>): Candidates => {
  const all = [...new Set(paths)].toSorted(compareCodePoints)
  const there = new Set(all)
  const folded = new Set(all.map((path) => path.toLowerCase()))
  const languages = countLanguages(folded)
  const vaults = vaultsIn(all)
  const newest = newestDocs(all)
  const candidates: Array<Candidate> = []
  const skipped: Array<Skipped> = []
  for (const path of all) {
    const lower = path.toLowerCase()
    const vault = vaultOf(vaults, path)
    const kind =
      vault === undefined
        ? kindOf(path)
        : vaultKind(vault.kind, vault.inner, (inner) => there.has(path.slice(0, -vault.inner.length) + inner))
    if (kind === undefined || isForeign(lower)) continue
    if ("left" in kind) skipped.push({ path, reason: kind.left })
    else if (isTemplate(lower)) skipped.push({ path, reason: "a template" })
    else if (
      isTranslation(
        lower,
        (one) => folded.has(one),
        (parent) => languages.get(parent) ?? 0
      )
    ) {
      skipped.push({ path, reason: "a translation" })
    } else if (isOlder(newest, lower)) skipped.push({ path, reason: "documents an older version" })
    else candidates.push({ path, ...kind })
  }
  return { candidates: candidates.toSorted(byPlace), skipped }
}

/** How many folders that are named for a language lie in each folder. */
const countLanguages = (folded: ReadonlySet<string>): ReadonlyMap<string, number> => {
  const seen = new Set<string>()
  const counts = new Map<string, number>()
  for (const path of folded) {
    const parts = path.split("/").slice(0, -1)
    for (const [index, part] of parts.entries()) {
      if (!isAnyLanguageFolder(part)) continue
      const parent = parts.slice(0, index).join("/")
      if (seen.has(`${parent}/${part}`)) continue
      seen.add(`${parent}/${part}`)
      counts.set(parent, (counts.get(parent) ?? 0) + 1)
    }
  }
  return counts
}

/** Of each documentation with folders for versions, the one to read; none where it has documents outside of them. */
const newestDocs = (paths: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const newest = new Map<string, number>()
  const current = new Set<string>()
  for (const path of paths) {
    const lower = path.toLowerCase()
    const version = versionOf(lower)
    if (version !== undefined) {
      newest.set(version.parent, Math.max(newest.get(version.parent) ?? 0, version.version))
    } else if (kindOf(path)?.group === "docs") {
      const [, parent] = /^((?:.*\/)?docs?)\//.exec(lower) ?? []
      if (parent !== undefined) current.add(parent)
    }
  }
  for (const parent of current) if (newest.has(parent)) newest.set(parent, Number.POSITIVE_INFINITY)
  return newest
}

const isOlder = (newest: ReadonlyMap<string, number>, path: string): boolean => {
  const version = versionOf(path)
  return version !== undefined && version.version < (newest.get(version.parent) ?? 0)
}

const placeOf: ReadonlyMap<CatalogGroup, number> = new Map(catalogGroups.map((group, index) => [group, index]))

/** Groups in their order; in a group what lies higher up first, a README before its neighbours, then by path. */
const byPlace = (one: Candidate, other: Candidate): number =>
  (placeOf.get(one.group) ?? 0) - (placeOf.get(other.group) ?? 0) ||
  depth(one.path) - depth(other.path) ||
  Number(!isReadme(one.path)) - Number(!isReadme(other.path)) ||
  compareCodePoints(one.path, other.path)

const depth = (path: string): number => path.split("/").length

const isReadme = (path: string): boolean => /(?:^|\/)readme\b/i.test(path)
