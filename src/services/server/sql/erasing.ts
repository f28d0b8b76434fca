import type { SqlClient, SqlError } from "@effect/sql"
import { Effect, Option } from "effect"
import { blobId } from "../../../model/page/GitObject.ts"
import { identityOf, type PagePath } from "../../../model/page/PagePath.ts"
import { compareCodePoints } from "../../../model/text/Text.ts"
import type { RepoId } from "../../sync/SyncApi.ts"
import type { EraseCommand, Erased, StoreUnavailable } from "../ServerStore.ts"
import { first, unavailable } from "./support.ts"

/**
 * Takes a page's texts out of the database, for good. The versions stay; `erased` says of each text whose it was, when it
 * went and why, and what git called it, so that the history can still be checked.
 *
 * A text stays where a page lives that says it word for word. Versions of the past do not keep one: a page and the page that
 * it was renamed to would keep each other's for ever.
 *
 * @param lock as in `pushing`
 * @param scrub Makes the engine forget what its files still hold of deleted rows.
 */
export const erasing = (
  sql: SqlClient.SqlClient,
  lock: (repo: RepoId) => Effect.Effect<unknown, SqlError.SqlError>,
  scrub: Effect.Effect<unknown, SqlError.SqlError | StoreUnavailable>
) => {
  /** Pages that live and say a text of this page. */
  const sayingTheSame = (repo: RepoId, identity: string) =>
    sql<{ readonly hash: string; readonly identity: string; readonly path: PagePath }>`
      SELECT p.hash, p.identity, p.path FROM versions o
      JOIN pages p ON p.repo_id = o.repo_id AND p.identity = o.identity AND p.seq = o.seq
      WHERE o.repo_id = ${repo}
        AND o.hash IN (SELECT v.hash FROM versions v WHERE v.repo_id = ${repo} AND v.identity = ${identity})
      ORDER BY p.path`

  /** Pages that went in the commit in which this one came: a rename. */
  const before = (repo: RepoId, identity: string) =>
    sql<{ readonly identity: string; readonly path: PagePath; readonly held: number }>`
      SELECT old.identity, old.path, (
        SELECT COUNT(*) FROM versions v JOIN bodies b ON b.repo_id = v.repo_id AND b.hash = v.hash
        WHERE v.repo_id = old.repo_id AND v.identity = old.identity AND v.seq < old.seq
      ) AS held
      FROM versions came
      JOIN versions old ON old.repo_id = came.repo_id AND old.seq = came.seq AND old.hash IS NULL
      WHERE came.repo_id = ${repo} AND came.identity = ${identity} AND came.hash IS NOT NULL
        AND COALESCE((
          SELECT CASE WHEN last.hash IS NULL THEN 0 ELSE 1 END FROM versions last
          WHERE last.repo_id = came.repo_id AND last.identity = came.identity AND last.seq < came.seq
          ORDER BY last.seq DESC LIMIT 1
        ), 0) = 0
      ORDER BY old.path`

  /** All names that a page had, and whose texts are held. */
  const formerNames = Effect.fnUntraced(function* (repo: RepoId, identity: string) {
    const seen = new Set([identity])
    const names = new Set<PagePath>()
    for (const one of seen) {
      for (const { held, identity, path } of yield* before(repo, one)) {
        seen.add(identity)
        if (held > 0) names.add(path)
      }
    }
    return [...names].toSorted(compareCodePoints)
  })

  const held = (repo: RepoId, identity: string) =>
    sql<{ readonly hash: string; readonly versions: number }>`
      SELECT v.hash, COUNT(*) AS versions FROM versions v
      JOIN bodies b ON b.repo_id = v.repo_id AND b.hash = v.hash
      WHERE v.repo_id = ${repo} AND v.identity = ${identity} GROUP BY v.hash`

  const gone = (repo: RepoId, identity: string) =>
    Effect.map(
      sql<{ readonly n: number }>`
        SELECT COUNT(*) AS n FROM versions v LEFT JOIN bodies b ON b.repo_id = v.repo_id AND b.hash = v.hash
        WHERE v.repo_id = ${repo} AND v.identity = ${identity} AND v.hash IS NOT NULL AND b.hash IS NULL`,
      ([row]) => row?.n ?? 0
    )

  const contentOf = (repo: RepoId, hash: string) =>
    Effect.map(
      sql<{ readonly content: Uint8Array }>`SELECT content FROM bodies WHERE repo_id = ${repo} AND hash = ${hash}`,
      first
    )

  const eraseOne = Effect.fnUntraced(function* (command: EraseCommand, hash: string, versions: number) {
    const { by, now, path, reason, repo } = command
    const body = yield* contentOf(repo, hash)
    if (Option.isNone(body)) return
    yield* sql`INSERT INTO erased ${sql.insert({
      repo_id: repo,
      hash,
      path,
      blob: blobId(body.value.content),
      versions,
      by_user: by,
      reason,
      erased_at: now
    })} ON CONFLICT (repo_id, hash) DO NOTHING`
    yield* sql`DELETE FROM bodies WHERE repo_id = ${repo} AND hash = ${hash}`
  })

  return {
    erase: (command: EraseCommand) =>
      sql
        .withTransaction(
          Effect.gen(function* () {
            const { path, repo } = command
            const identity = identityOf(path)
            yield* lock(repo)
            const living = yield* sayingTheSame(repo, identity)
            const stays = new Set(living.map(({ hash }) => hash))
            // One text is in memory at a time.
            for (const { hash, versions } of yield* held(repo, identity)) {
              if (!stays.has(hash)) yield* eraseOne(command, hash, versions)
            }
            const others = living.filter((page) => page.identity !== identity).map((page) => page.path)
            return {
              versions: yield* gone(repo, identity),
              stillIn: [...new Set(others)],
              formerly: yield* formerNames(repo, identity)
            } satisfies Erased
          })
        )
        .pipe(Effect.zipLeft(scrub), unavailable)
  }
}
