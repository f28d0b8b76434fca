import type { PagePath } from "../page/PagePath.ts"
import { identityOf } from "../page/PagePath.ts"

/** What a look at the server found out that is not known here. */
export interface News {
  /** Identities of the pages that moved there; `all`: too many to name, or nobody can say which. */
  readonly pages: ReadonlySet<string> | "all"
  /** Whether pages came or went. */
  readonly comeOrGone: boolean
}

/** A commit, as far as it matters here. */
interface Commit {
  readonly sha: string
  /** Pages that it wrote. */
  readonly paths: ReadonlyArray<PagePath>
  readonly deleted: ReadonlyArray<PagePath>
}

/**
 * What commits, oldest first, say that is not known here. A page is known as the server has it where its recorded sha is
 * that of the last commit which wrote it, and a deletion is known where nothing is recorded: our own pushes are no news.
 *
 * @param recorded The sha that this clone last saw of each page.
 */
export const newsOf = (commits: ReadonlyArray<Commit>, recorded: ReadonlyMap<PagePath, string>): News => {
  const last = new Map<PagePath, string | undefined>()
  for (const { deleted, paths, sha } of commits) {
    for (const path of paths) last.set(path, sha)
    for (const path of deleted) last.set(path, undefined)
  }
  const moved = [...last].filter(([path, sha]) => recorded.get(path) !== sha)
  return {
    pages: new Set(moved.map(([path]) => identityOf(path))),
    comeOrGone: moved.some(([path, sha]) => sha === undefined || !recorded.has(path))
  }
}

/** Something is different, and nobody can say what. */
export const everything: News = { pages: "all", comeOrGone: true }

/** Whether there is anything to tell. */
export const isNews = ({ pages }: News): boolean => pages === "all" || pages.size > 0
