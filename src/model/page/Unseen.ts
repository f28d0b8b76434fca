import type { PagePath } from "./PagePath.ts"

/** A commit, as a feed tells it. Paths are as the server wrote them. */
export interface CommitPages {
  readonly sha: string
  readonly paths: ReadonlyArray<string>
  readonly deleted: ReadonlyArray<string>
}

/**
 * Which commits brought something that is not known here. What was pushed from here is known, and so is what was merged on the
 * way to that: of a page, everything up to the version that is recorded.
 *
 * @param commits All that came after some point, oldest first.
 * @param recorded The sha of the last version of each page that is known here.
 */
export const unseenIn = <A extends CommitPages>(
  commits: ReadonlyArray<A>,
  recorded: ReadonlyMap<PagePath, string>
): ReadonlyArray<A> => {
  const position = new Map(commits.map(({ sha }, index) => [sha, index]))
  // A page that is not here is known as it was last deleted: nothing is missing.
  const known = new Map<string, number>(
    commits.flatMap(({ deleted }, index) => deleted.map((path) => [path, index] as const))
  )
  for (const [path, sha] of recorded) known.set(path, position.get(sha) ?? -1)
  return commits.filter(({ deleted, paths }, index) =>
    [...paths, ...deleted].some((path) => (known.get(path) ?? -1) < index)
  )
}
