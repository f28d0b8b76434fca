import type { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { identityOf, type PagePath } from "../../../model/page/PagePath.ts"
import { folderPathOf, folderTree, rootTree } from "../../../model/page/PageTree.ts"
import type { Sha } from "../../../model/page/Sha.ts"
import type { RepoId } from "../../sync/SyncApi.ts"

/** A page that a push changes; no blob: it is deleted. */
export interface TreeChange {
  readonly path: PagePath
  readonly blob: Option.Option<Sha>
}

/** The tree of a repository after some changes. Only the folders that changed are computed anew; call before the pages' rows change. */
export const updateTrees = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  repo: RepoId,
  changes: ReadonlyArray<TreeChange>
) {
  const stored = yield* sql<{ readonly path: string; readonly tree: Sha }>`
    SELECT path, tree FROM folders WHERE repo_id = ${repo}`
  const folders = new Map(stored.map(({ path, tree }) => [path, tree]))
  for (const [path, changed] of Map.groupBy(changes, (change) => folderPathOf(change.path))) {
    const tree = folderTree(yield* blobsAfter(sql, repo, path, changed))
    if (Option.isNone(tree)) {
      folders.delete(path)
      yield* sql`DELETE FROM folders WHERE repo_id = ${repo} AND path = ${path}`
    } else {
      folders.set(path, tree.value)
      yield* sql`INSERT INTO folders ${sql.insert({ repo_id: repo, path, tree: tree.value })}
        ON CONFLICT (repo_id, path) DO UPDATE SET tree = excluded.tree`
    }
  }
  return rootTree(folders)
})

const blobsAfter = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  repo: RepoId,
  folder: string,
  changes: ReadonlyArray<TreeChange>
) {
  // Identities are compared by bytes; '0' follows '/'.
  const rows = yield* sql<{ readonly path: PagePath; readonly blob: Sha }>`
    SELECT path, blob FROM pages
    WHERE repo_id = ${repo} AND identity >= ${`${folder}/`} AND identity < ${`${folder}0`} AND hash IS NOT NULL`
  const touched = new Set(changes.map(({ path }) => identityOf(path)))
  const blobs = new Map(
    rows.flatMap(({ blob, path }) => (touched.has(identityOf(path)) ? [] : [[path, blob] as const]))
  )
  for (const { blob, path } of changes) if (Option.isSome(blob)) blobs.set(path, blob.value)
  return blobs
})
