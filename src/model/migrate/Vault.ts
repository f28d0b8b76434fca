import { pageTypes, type PageType } from "../PageType.ts"
import type { Kind } from "./Knowledge.ts"

/** Folders whose every text is a note; `""` is the source itself. */
export type Vaults = ReadonlySet<string>

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

/** Names as Notion exports them: a title, and 32 hex digits. */
const fromNotion = /(?:^|\/)[^/]+ [0-9a-f]{32}\.(?:md|csv)$/

/**
 * The vaults in a tree: an Obsidian vault has a folder `.obsidian`, a Logseq graph `logseq/config.edn`, and an export of
 * Notion files whose names end with their id.
 *
 * @param paths From the source's root, with `/`.
 */
export const vaultsIn = (paths: Iterable<string>): Vaults => {
  const vaults = new Set<string>()
  const notion: Array<string> = []
  for (const path of paths) {
    const [, obsidian] = /^((?:.*\/)?)\.obsidian\//.exec(path) ?? []
    if (obsidian !== undefined) vaults.add(obsidian.slice(0, -1))
    const [, logseq] = /^((?:.*\/)?)logseq\/config\.edn$/.exec(path) ?? []
    if (logseq !== undefined) vaults.add(logseq.slice(0, -1))
    if (fromNotion.test(path)) notion.push(parentOf(path))
  }
  // Notion puts a page's children into a folder beside it: the shortest paths hold the rest.
  const [top] = notion.toSorted((one, other) => one.length - other.length)
  if (top !== undefined) vaults.add(top)
  return vaults
}

/** Whether a file lies in one of the vaults. */
export const isInVault = (vaults: Vaults, path: string): boolean => {
  if (vaults.size === 0) return false
  const parts = path.split("/").slice(0, -1)
  return vaults.has("") || parts.some((_part, index) => vaults.has(parts.slice(0, index + 1).join("/")))
}

const agentFile = /(?:^|\/)(?:claude|agents|gemini)\.md$/

const folders: ReadonlyArray<readonly [RegExp, PageType]> = [
  [/(?:^|\/)(?:journals?|daily(?:[ _-]?notes)?|diary|meetings?|logs?|sources?)\//, "source"],
  [/(?:^|\/)(?:entities|people|persons|companies|organi[sz]ations|projects|tools|products)\//, "entity"],
  [/(?:^|\/)(?:analyses|analysis|research|decisions|reviews|comparisons)\//, "analysis"]
]

/** What a file of a vault is: a note, an agent's file, or nothing that we read. */
export const vaultKind = (path: string): Kind | undefined => {
  const folded = path.toLowerCase()
  if (!/\.(?:md|markdown)$/.test(folded) || /(?:^|\/)logseq\//.test(folded)) return undefined
  if (agentFile.test(folded)) return { group: "agentfiles", type: "concept" }
  const daily = /(?:^|\/)\d{4}[-_]\d{2}[-_]\d{2}(?![0-9])[^/]*$/.test(folded)
  const [, byFolder] = folders.find(([pattern]) => pattern.test(folded)) ?? []
  return { group: "vault", type: daily ? "source" : (byFolder ?? "concept") }
}

/** The type that a note's own frontmatter gives it, where it is one of ours. */
export const noteType = (declared: string): PageType | undefined =>
  pageTypes.find((type) => type === declared.trim().toLowerCase())
