import type { PagePath } from "../../src/model/page/PagePath.ts"
import type { Clone } from "./Clone.ts"
import type { History } from "./History.ts"
import { markersIn, without } from "./texts.ts"

/** What a push of a clone was told has landed. */
interface Acknowledged {
  readonly clone: string
  readonly path: PagePath
  readonly sha: string
}

/** What must not get lost, clone by clone and page by page. */
export interface Ledger {
  /** A user's own hand changed a page: these markers are on disk now, those it took away knowingly. */
  readonly wrote: (clone: string, path: PagePath, added: Iterable<string>, dropped: Iterable<string>) => void
  /** A user decided that these markers of the server's version are not to stand. */
  readonly dropped: (clone: string, path: PagePath, markers: Iterable<string>) => void
  readonly acknowledged: (
    clone: string,
    pages: ReadonlyArray<{ readonly path: PagePath; readonly sha: string }>
  ) => void
  /** What is wrong now. Call it after each step. */
  readonly check: (
    history: History,
    clones: ReadonlyArray<{ readonly clone: Clone; readonly pages: ReadonlyMap<PagePath, string> }>
  ) => ReadonlyArray<string>
}

export const makeLedger = (): Ledger => {
  const owed = new Map<string, Set<string>>()
  const given = new Map<string, Set<string>>()
  const acknowledged: Array<Acknowledged> = []
  let checkedVersions = 0
  let checkedAnswers = 0

  const setOf = (sets: Map<string, Set<string>>, clone: string, path: string): Set<string> => {
    const key = `${clone} ${path}`
    const set = sets.get(key) ?? new Set()
    sets.set(key, set)
    return set
  }
  const dropped: Ledger["dropped"] = (clone, path, markers) => {
    for (const marker of markers) setOf(given, clone, path).add(marker)
  }

  /** Each acknowledged page is in the log exactly once, under the commit that the answer named. */
  const checkAnswers = (history: History) => {
    const fresh = acknowledged.slice(checkedAnswers)
    checkedAnswers = acknowledged.length
    return fresh.flatMap(({ clone, path, sha }) => {
      const found = history.versions.filter((version) => version.path === path && version.sha === sha)
      return found.length === 1
        ? []
        : [`${clone} was told that ${path} landed as ${sha}: ${found.length} such versions`]
    })
  }

  /** A version drops only what its author knew and took away. */
  const checkVersions = (history: History) => {
    const fresh = history.versions.slice(checkedVersions)
    checkedVersions = history.versions.length
    return fresh.flatMap(({ content, message, parent, path, sha }) => {
      const author = message.split(":")[0] ?? ""
      const before = history.versions.find((version) => version.path === path && version.sha === parent)
      if (content === null || before === undefined) return []
      const lost = without(markersIn(before.content ?? ""), markersIn(content))
      return without(lost, setOf(given, author, path)).map(
        (marker) => `${author} overwrote ${marker} of ${path} in ${sha} without having decided so`
      )
    })
  }

  return {
    wrote: (clone, path, added, taken) => {
      const mine = setOf(owed, clone, path)
      for (const marker of taken) mine.delete(marker)
      for (const marker of added) mine.add(marker)
      dropped(clone, path, taken)
    },
    dropped,
    acknowledged: (clone, pages) => {
      for (const { path, sha } of pages) acknowledged.push({ clone, path, sha })
    },
    check: (history, clones) => [
      ...history.follow(),
      ...checkAnswers(history),
      ...checkVersions(history),
      ...clones.flatMap(({ clone, pages }) =>
        [...owed].flatMap(([key, markers]) => {
          if (!key.startsWith(`${clone.name} `)) return []
          const path = key.slice(clone.name.length + 1)
          const safe = history.held(path)
          for (const marker of markers) if (safe.has(marker)) markers.delete(marker)
          const here = markersIn([...pages].find(([one]) => one === path)?.[1])
          return without(markers, here).map((marker) => `${clone.name} lost ${marker}, its own edit of ${path}`)
        })
      )
    ]
  }
}
