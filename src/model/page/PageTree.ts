import { Option } from "effect"
import { treeId, type TreeEntry } from "./GitObject.ts"
import type { PagePath } from "./PagePath.ts"
import type { Sha } from "./Sha.ts"

/** The folder part of a page's path, such as `wiki/concepts`. */
export const folderPathOf = (path: PagePath): string => path.slice(0, path.lastIndexOf("/"))

/** The tree of one page folder; None where it has no page, because git knows no empty folders. */
export const folderTree = (blobs: ReadonlyMap<PagePath, Sha>): Option.Option<Sha> =>
  blobs.size === 0
    ? Option.none()
    : Option.some(
        treeId(
          Array.from(blobs, ([path, id]): TreeEntry => ({
            name: path.slice(path.lastIndexOf("/") + 1),
            kind: "file",
            id
          }))
        )
      )

/** The tree of a whole repository, from the trees of its page folders by path (two levels deep). */
export const rootTree = (folders: ReadonlyMap<string, Sha>): Sha => {
  const tops = new Map<string, Array<TreeEntry>>()
  for (const [path, id] of folders) {
    const [top = "", name = ""] = path.split("/")
    const entries = tops.get(top) ?? []
    entries.push({ name, kind: "folder", id })
    tops.set(top, entries)
  }
  return treeId(Array.from(tops, ([name, entries]): TreeEntry => ({ name, kind: "folder", id: treeId(entries) })))
}
