import type { SqlClient, SqlError } from "@effect/sql"
import { Effect, Option } from "effect"
import { blobId } from "../../../model/GitObject.ts"
import { identityOf } from "../../../model/PagePath.ts"
import type { RepoId } from "../../SyncApi.ts"
import type { EraseCommand } from "../ServerStore.ts"
import { unavailable } from "./support.ts"

interface Body {
  readonly hash: string
  readonly content: Uint8Array
}

/**
 * Takes a page's texts out of the database, for good. The versions stay; `erased` says of each text whose it was, when it
 * went and why, and what git called it, so that the history can still be checked.
 *
 * A text that another page has or had, word for word, stays that page's.
 *
 * @param lock as in `pushing`
 * @param scrub Makes the engine forget what its files still hold of deleted rows.
 */
export const erasing = (
  sql: SqlClient.SqlClient,
  lock: (repo: RepoId) => Effect.Effect<unknown, SqlError.SqlError>,
  scrub: Effect.Effect<unknown, SqlError.SqlError>
) => {
  const bodiesOf = (repo: RepoId, identity: string, keepCurrent: boolean) => sql<Body>`
    SELECT b.hash, b.content FROM bodies b
    WHERE b.repo_id = ${repo}
      AND b.hash IN (SELECT v.hash FROM versions v WHERE v.repo_id = ${repo} AND v.identity = ${identity})
      AND NOT EXISTS (
        SELECT 1 FROM versions o WHERE o.repo_id = b.repo_id AND o.hash = b.hash AND o.identity <> ${identity}
      )
      AND NOT (${keepCurrent ? 1 : 0} = 1 AND b.hash = COALESCE(
        (SELECT p.hash FROM pages p WHERE p.repo_id = ${repo} AND p.identity = ${identity}), ''
      ))`

  return {
    erase: ({ by, keepCurrent, now, path, reason, repo }: EraseCommand) =>
      sql
        .withTransaction(
          Effect.gen(function* () {
            yield* lock(repo)
            const identity = identityOf(path)
            const bodies = yield* bodiesOf(repo, identity, keepCurrent)
            for (const { content, hash } of bodies) {
              const versions = yield* sql<{ readonly n: number }>`
                SELECT COUNT(*) AS n FROM versions
                WHERE repo_id = ${repo} AND identity = ${identity} AND hash = ${hash}`
              yield* sql`INSERT INTO erased ${sql.insert({
                repo_id: repo,
                hash,
                path,
                blob: blobId(content),
                versions: Option.match(Option.fromNullable(versions[0]), { onNone: () => 0, onSome: ({ n }) => n }),
                by_user: by,
                reason,
                erased_at: now
              })} ON CONFLICT (repo_id, hash) DO NOTHING`
              yield* sql`DELETE FROM bodies WHERE repo_id = ${repo} AND hash = ${hash}`
            }
            const gone = yield* sql<{ readonly n: number }>`
              SELECT COUNT(*) AS n FROM versions v JOIN erased e ON e.repo_id = v.repo_id AND e.hash = v.hash
              LEFT JOIN bodies b ON b.repo_id = v.repo_id AND b.hash = v.hash
              WHERE v.repo_id = ${repo} AND v.identity = ${identity} AND b.hash IS NULL`
            return gone[0]?.n ?? 0
          })
        )
        .pipe(Effect.zipLeft(scrub), unavailable)
  }
}
