import { Effect, Option } from "effect"
import { type CatalogGroup, type MigrateItem, type MoreItems } from "../../model/page/Catalog.ts"
import { type Candidate, candidatesOf, type Skipped } from "../../model/migrate/Candidates.ts"
import { type Head, readHead } from "../../model/migrate/Head.ts"
import { noteType } from "../../model/migrate/Vault.ts"
import type { PageType } from "../../model/page/PageType.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { compareCodePoints } from "../../model/text/Text.ts"
import { statIfThere } from "../../services/files/Files.ts"
import { type Document, lookAt } from "../../services/migrate/DocumentDriver.ts"
import type { Source } from "../../services/migrate/Source.ts"
import { treeOf } from "../../services/migrate/Tree.ts"
import { progress } from "../../services/runtime/Progress.ts"

/** What could become pages. */
export interface Discovery {
  readonly source: Source
  /** Numbered from 1 over all groups, in the order in which they are listed. */
  readonly items: ReadonlyArray<MigrateItem>
  readonly more: ReadonlyArray<MoreItems>
  /** What looked like knowledge and is not offered, by path. */
  readonly skipped: ReadonlyArray<Skipped>
}

/** So many of a group are listed. */
const perGroup = 40

/**
 * Finds a source's documents, decisions and agents' files: what its names say they are, a guess at the page type, what
 * reading each costs, and a line on what it says. Reads nothing that git ignores, nothing outside of the source, and
 * stages nothing. What is there twice, by a symbolic link or as a copy, is listed once.
 *
 * Deterministic: the same tree gives the same items under the same numbers.
 *
 * Errors: none of a single file; what cannot be read is in `skipped`, with the reason.
 *
 * @example const { items } = yield* discover(yield* folderSource("/home/dev", "acme-api"))
 *
 * Source: design.md section 7; code-graph.md sections 4 and 5.
 */
export const discover = Effect.fn("discover")(function* (source: Source) {
  yield* progress("listing files")
  const tree = yield* treeOf(source.root)
  // A vault's own folder is often one that git ignores.
  const signs = yield* Effect.filter([".obsidian/", "logseq/config.edn"], (sign) => isThere(`${source.root}/${sign}`))
  const paths = [...tree.paths, ...signs]
  const named = candidatesOf(paths)
  const read = yield* readAll(source.root, named.candidates)
  const pulled = yield* readAll(source.root, importedBy(read.found, paths))
  const { items, more } = listed(source.root, [...read.found, ...pulled.found])
  return {
    source,
    items,
    more,
    skipped: [...tree.skipped, ...named.skipped, ...read.skipped, ...pulled.skipped].toSorted((one, other) =>
      compareCodePoints(one.path, other.path)
    )
  } satisfies Discovery
})

const isThere = (path: string) => Effect.map(statIfThere(path), Option.isSome)

/** A document to offer. */
interface Found extends Candidate {
  readonly document: Document
  readonly head: Head
  /** Other names of the same document. */
  readonly also: Array<string>
}

const readAll = Effect.fnUntraced(function* (root: string, candidates: ReadonlyArray<Candidate>) {
  const found: Array<Found> = []
  const skipped: Array<Skipped> = []
  const byContent = new Map<string, Found>()
  for (const [index, candidate] of candidates.entries()) {
    if (index % 50 === 49) {
      yield* Effect.zipRight(progress(`read ${index + 1} of ${candidates.length} documents`), Effect.yieldNow())
    }
    const { path } = candidate
    // An agent would not find a file whose name cannot be shown as it is.
    if (forAgentLine(path) !== path) {
      skipped.push({ path: forAgentLine(path), reason: "its name holds line breaks or invisible characters" })
      continue
    }
    const document = lookAt(root, path)
    if (document._tag === "Skipped") skipped.push({ path, reason: document.reason })
    if (document._tag !== "Document") continue
    const head = readHead(path, document.head, document.whole)
    if (head.stub) {
      skipped.push({ path, reason: document.bytes === 0 ? "empty" : "says no more than where to look" })
      continue
    }
    const twin = byContent.get(document.hash)
    if (twin === undefined) {
      const one = { ...candidate, document, head, also: [] }
      byContent.set(document.hash, one)
      found.push(one)
    } else if (twin.document.link && !document.link) {
      // The file itself is the better name than the link to it.
      const one = { ...twin, path, document, also: [twin.path, ...twin.also] }
      byContent.set(document.hash, one)
      found[found.indexOf(twin)] = one
    } else twin.also.push(path)
  }
  return { found, skipped }
})

/** What agents' files pull in (`@docs/style.md`) and no rule found: knowledge that agents read already. One level deep. */
const importedBy = (found: ReadonlyArray<Found>, paths: ReadonlyArray<string>): ReadonlyArray<Candidate> => {
  const there = new Set(paths)
  const known = new Set(found.flatMap(({ also, path }) => [path, ...also]))
  const imported = found
    .filter(({ group }) => group === "agentfiles")
    .flatMap(({ head, path }) => head.imports.map((target) => resolve(path, target)))
  return [...new Set(imported)]
    .filter((path) => there.has(path) && !known.has(path))
    .toSorted(compareCodePoints)
    .map((path) => ({ path, group: "agentfiles", type: "concept" }))
}

/** Where a path leads that is written in a file, both from the source's root. */
const resolve = (from: string, target: string): string => {
  const parts = from.split("/").slice(0, -1)
  for (const part of target.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== ".") parts.push(part)
  }
  return parts.join("/")
}

const listed = (
  root: string,
  found: ReadonlyArray<Found>
): { readonly items: ReadonlyArray<MigrateItem>; readonly more: ReadonlyArray<MoreItems> } => {
  const groups = new Map<CatalogGroup, Array<Found>>()
  for (const one of found) groups.set(one.group, [...(groups.get(one.group) ?? []), one])
  const items: Array<MigrateItem> = []
  const more: Array<MoreItems> = []
  for (const [group, all] of groups) {
    for (const one of all.slice(0, perGroup)) items.push(itemOf(root, one, items.length + 1))
    if (all.length > perGroup) more.push({ group, count: all.length - perGroup })
  }
  return { items, more }
}

const itemOf = (root: string, one: Found, n: number): MigrateItem => ({
  n,
  group: one.group,
  type: typeOf(one),
  path: one.path,
  absPath: `${root === "/" ? "" : root}/${one.path}`,
  tokens: Math.ceil(one.document.bytes / 4),
  summary: [
    ...(one.group === "decisions" && one.head.superseded ? ["(no longer in force)"] : []),
    ...(one.head.summary === "" ? [] : [one.head.summary]),
    ...(one.also.length === 0 ? [] : [`(also ${alsoText(one.also)})`])
  ].join(" ")
})

const alsoText = (paths: ReadonlyArray<string>): string =>
  paths.length > 3 ? `${paths.slice(0, 3).join(", ")} and ${paths.length - 3} more` : paths.join(", ")

const typeOf = ({ group, head, type }: Found): PageType => {
  if (group === "vault") return noteType(head.declared) ?? type
  return group === "docs" && type === "concept" && head.weighs ? "analysis" : type
}
