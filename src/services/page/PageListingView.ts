import type { PagePath } from "../../model/page/PagePath.ts"
import { compareCodePoints } from "../../model/text/Text.ts"
import type { SeenFile } from "./PageFile.ts"
import { foreignReason, hiddenTwinReason, servedTwinReason, suggestName } from "./PageNames.ts"
import type { Catalog, CatalogEntry, Problem } from "./PageStore.ts"

/** What stands under one name of a page folder. */
export type Seen =
  | SeenFile
  | { readonly _tag: "Refused"; readonly reason: string }
  /** Markdown under a name that is no page's. */
  | { readonly _tag: "Foreign" }

/** A page folder: its names in order, and what stands under each. Arrays: maps of ten thousand names would take longer. */
export interface FolderView {
  readonly names: ReadonlyArray<string>
  readonly seen: ReadonlyArray<Seen>
}

/** A catalogue, and those of its problems that are files nobody serves: an index lists them as unreadable. */
export interface Listing {
  readonly catalog: Catalog
  readonly unserved: ReadonlyArray<Problem>
}

/** Puts folders, given in path order, together to one catalogue. */
export const assemble = (folders: Iterable<readonly [folder: string, view: FolderView]>): Listing => {
  const entries = new Map<PagePath, CatalogEntry>()
  const unserved: Array<Problem> = []
  const noticed: Array<Problem> = []
  for (const [folder, view] of folders) {
    const firstOf = sharedNames(view.names)
    for (const [index, name] of view.names.entries()) {
      const seen = view.seen[index]
      if (seen === undefined || seen._tag === "Foreign") continue
      const first = firstOf.size === 0 ? name : (firstOf.get(name.toLowerCase()) ?? name)
      if (first !== name) {
        unserved.push({ path: `${folder}/${name}`, reason: hiddenTwinReason(first) })
        noticed.push({ path: `${folder}/${first}`, reason: servedTwinReason(name) })
      } else if (seen._tag === "Page") entries.set(seen.path, seen.entry)
      else unserved.push({ path: `${folder}/${name}`, reason: seen.reason })
    }
    const isForeign = (_: string, index: number) => view.seen[index]?._tag === "Foreign"
    const foreign = view.names.filter(isForeign)
    const taken = new Set<string>()
    if (foreign.length > 0) {
      for (const [index, name] of view.names.entries()) if (!isForeign(name, index)) taken.add(name.toLowerCase())
    }
    for (const name of foreign) {
      const suggestion = suggestName(name, taken)
      taken.add(suggestion.toLowerCase())
      unserved.push({ path: `${folder}/${name}`, reason: foreignReason(suggestion) })
    }
  }
  const problems = [...unserved, ...noticed].toSorted((one, other) => compareCodePoints(one.path, other.path))
  return { catalog: { entries, problems }, unserved }
}

/** By folded name, the first of the names that share it. Only a name with a capital letter can share its own. */
const sharedNames = (names: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const first = new Map<string, string>()
  // Capitals come before small letters in the order of names.
  for (const name of names) {
    if (/[A-Z]/.test(name) && !first.has(name.toLowerCase())) first.set(name.toLowerCase(), name)
  }
  return first
}
