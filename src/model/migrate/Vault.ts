import { pageTypes, type PageType } from "../page/PageType.ts"
import { type Kind, kindOf } from "./Knowledge.ts"

/** Whose notes they are. */
export type VaultKind = "obsidian" | "logseq" | "notion"

/** Folders that hold notes, each with what keeps them; `""` is the source itself. */
export type Vaults = ReadonlyMap<string, VaultKind>

/** A file of a vault that no page can be made of, and why. */
export interface LeftInVault {
  readonly left: string
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

/** Names as Notion exports them: a title, and 32 hex digits. */
const fromNotion = /(?:^|\/)[^/]+ [0-9a-f]{32}(?:_all)?\.(?:md|csv)$/

/**
 * The vaults in a tree: an Obsidian vault has a folder `.obsidian`, a Logseq graph `logseq/config.edn`, and an export of
 * Notion files whose names end with their id.
 *
 * @param paths From the source's root, with `/`.
 */
export const vaultsIn = (paths: Iterable<string>): Vaults => {
  const vaults = new Map<string, VaultKind>()
  const notion = new Set<string>()
  for (const path of paths) {
    const [, obsidian] = /^((?:.*\/)?)\.obsidian\//.exec(path) ?? []
    if (obsidian !== undefined) vaults.set(obsidian.slice(0, -1), "obsidian")
    const [, logseq] = /^((?:.*\/)?)logseq\/config\.edn$/.exec(path) ?? []
    if (logseq !== undefined) vaults.set(logseq.slice(0, -1), "logseq")
    if (fromNotion.test(path)) notion.add(parentOf(path))
  }
  // Notion puts a page's children into a folder beside it. A large export has several parts.
  for (const folder of notion) {
    const above = foldersAbove(folder).some((one) => notion.has(one))
    if (!above && !vaults.has(folder)) vaults.set(folder, "notion")
  }
  return vaults
}

/** The folders that a folder lies in, the nearest first; not itself. */
const foldersAbove = (folder: string): ReadonlyArray<string> =>
  folder === "" ? [] : [parentOf(folder), ...foldersAbove(parentOf(folder))]

/** The vault that a file lies in, the innermost one, and the file's path from there. */
export const vaultOf = (
  vaults: Vaults,
  path: string
): { readonly kind: VaultKind; readonly inner: string } | undefined => {
  if (vaults.size === 0) return undefined
  for (const folder of foldersAbove(path)) {
    const kind = vaults.get(folder)
    if (kind !== undefined) return { kind, inner: folder === "" ? path : path.slice(folder.length + 1) }
  }
  return undefined
}

const agentFile = /(?:^|\/)(?:claude|agents|gemini)\.md$/

const folders: ReadonlyArray<readonly [RegExp, PageType]> = [
  [/(?:^|\/)(?:journals?|daily(?:[ _-]?notes)?|diary|meetings?|logs?|sources?)\//, "source"],
  [/(?:^|\/)(?:entities|people|persons|companies|organi[sz]ations|projects|tools|products)\//, "entity"],
  [/(?:^|\/)(?:analyses|analysis|research|decisions|reviews|comparisons)\//, "analysis"]
]

/** What a file of a vault is: a note, an agent's file, nothing that can be read, or (undefined) no business of the vault's. */
export const vaultKind = (
  kind: VaultKind,
  inner: string,
  has: (inner: string) => boolean
): Kind | LeftInVault | undefined => {
  const folded = inner.toLowerCase()
  if (agentFile.test(folded)) return { group: "agentfiles", type: "concept" }
  const left = reasonToLeave(folded)
  if (left !== undefined) return { left }
  switch (kind) {
    case "obsidian":
      return note.test(folded) ? noteKind(folded) : undefined
    case "logseq":
      if (/^(?:pages|journals)\//.test(folded))
        return /\.(?:md|markdown|org)$/.test(folded) ? noteKind(folded) : undefined
      // Its settings, and older versions of pages.
      return folded.startsWith("logseq/") ? undefined : kindOf(inner)
    case "notion":
      if (!fromNotion.test(inner)) return kindOf(inner)
      return inner.endsWith(".csv") && has(inner.replace(/\.csv$/, "_all.csv"))
        ? { left: "a view of a table that is listed" }
        : noteKind(folded.replace(/ ?[0-9a-f]{32}(?=[/._])/g, ""))
  }
}

const note = /\.(?:md|markdown)$/

const noteKind = (folded: string): Kind => {
  const daily = /(?:^|\/)\d{4}[-_]\d{2}[-_]\d{2}(?![0-9])[^/]*$/.test(folded)
  const [, byFolder] = folders.find(([pattern]) => pattern.test(folded)) ?? []
  return { group: "vault", type: daily ? "source" : (byFolder ?? "concept") }
}

const attachment =
  /\.(?:png|jpe?g|gif|webp|svg|bmp|heic|tiff?|pdf|mp3|m4a|wav|ogg|flac|mp4|mov|webm|mkv|docx?|xlsx?|pptx?|odt|zip|epub)$/

const reasonToLeave = (folded: string): string | undefined => {
  if (attachment.test(folded)) return "an attachment, not text"
  if (/\.excalidraw(?:\.md)?$|(?:^|\/)whiteboards\/[^/]*\.edn$|(?:^|\/)draws\//.test(folded))
    return "a drawing, not text"
  return /\.(?:canvas|base)$/.test(folded) ? "an arrangement of notes, not text" : undefined
}

/** The type that a note's own frontmatter gives it, where it is one of ours. */
export const noteType = (declared: string): PageType | undefined =>
  pageTypes.find((type) => type === declared.trim().toLowerCase())
