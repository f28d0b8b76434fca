import type { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { identityOf, type PagePath } from "../../../model/PagePath.ts"
import type { Sha } from "../../../model/Sha.ts"
import type { PageInfo, RepoId } from "../../SyncApi.ts"
import type { Changes, LandedPage, StoredPage, VersionAt } from "../ServerStore.ts"
import { commitInfo, type CommitRow } from "./accounts.ts"
import { first, unavailable } from "./support.ts"

interface Head {
  readonly seq: number
  readonly sha: Option.Option<Sha>
}

/** Pages, commits and versions as they are. The statements are the same for every SQL engine. */
export const reading = (sql: SqlClient.SqlClient) => {
  const headOf = (repo: RepoId) =>
    Effect.map(
      sql<{ readonly head_seq: number; readonly sha: Sha | null }>`
        SELECT r.head_seq, c.sha FROM repos r LEFT JOIN commits c ON c.repo_id = r.id AND c.seq = r.head_seq
        WHERE r.id = ${repo}`,
      ([row]): Head => ({ seq: row?.head_seq ?? 0, sha: Option.fromNullable(row?.sha) })
    )

  const seqOf = (repo: RepoId, sha: Sha) =>
    Effect.map(
      sql<{ readonly seq: number }>`SELECT seq FROM commits WHERE repo_id = ${repo} AND sha = ${sha}`,
      (rows) => Option.map(first(rows), ({ seq }) => seq)
    )

  const versionUpTo = (repo: RepoId, path: PagePath, seq: number) =>
    Effect.map(
      sql<{ readonly sha: Sha; readonly content: Uint8Array | null }>`
        SELECT v.sha, b.content FROM versions v LEFT JOIN bodies b ON b.repo_id = v.repo_id AND b.hash = v.hash
        WHERE v.repo_id = ${repo} AND v.identity = ${identityOf(path)} AND v.path = ${path} AND v.seq <= ${seq}
        ORDER BY v.seq DESC LIMIT 2`,
      ([version, before]): Option.Option<VersionAt> =>
        version === undefined
          ? Option.none()
          : Option.some({
              version: { sha: version.sha, content: Option.fromNullable(version.content) },
              before: Option.fromNullable(before?.sha)
            })
    )

  /** Page names given up after a commit: deleted, or re-created since under another case. */
  const deletedAfter = (repo: RepoId, seq: number) =>
    sql<LandedPage>`
      SELECT v.path, v.sha FROM versions v
      JOIN pages p ON p.repo_id = v.repo_id AND p.identity = v.identity
      WHERE v.repo_id = ${repo} AND v.seq > ${seq} AND v.hash IS NULL
        AND v.seq = (
          SELECT MAX(w.seq) FROM versions w
          WHERE w.repo_id = v.repo_id AND w.identity = v.identity AND w.path = v.path AND w.hash IS NULL
        )
        AND (p.hash IS NULL OR p.path <> v.path)
      ORDER BY v.path`

  const changesAfter = (repo: RepoId, head: Head, seq: number) =>
    Effect.gen(function* () {
      const pages = yield* sql<StoredPage>`
        SELECT p.path, p.sha, b.content FROM pages p JOIN bodies b ON b.repo_id = p.repo_id AND b.hash = p.hash
        WHERE p.repo_id = ${repo} AND p.seq > ${seq} ORDER BY p.path`
      return { head: head.sha, pages, deleted: seq === 0 ? [] : yield* deletedAfter(repo, seq) } satisfies Changes
    })

  const store = {
    pages: (repo: RepoId) =>
      Effect.map(
        sql<CommitRow & { readonly path: PagePath }>`
          SELECT p.path, c.sha, c.author, c.email, c.seconds, c.message
          FROM pages p JOIN commits c ON c.repo_id = p.repo_id AND c.seq = p.seq
          WHERE p.repo_id = ${repo} AND p.hash IS NOT NULL ORDER BY p.path`,
        (rows) => rows.map((row): PageInfo => ({ path: row.path, ...commitInfo(row) }))
      ).pipe(unavailable),

    page: (repo: RepoId, path: PagePath) =>
      Effect.map(
        sql<StoredPage>`
          SELECT p.path, p.sha, b.content FROM pages p JOIN bodies b ON b.repo_id = p.repo_id AND b.hash = p.hash
          WHERE p.repo_id = ${repo} AND p.identity = ${identityOf(path)} AND p.path = ${path}`,
        first
      ).pipe(unavailable),

    commits: (repo: RepoId, limit: number) =>
      Effect.map(
        sql<CommitRow>`
          SELECT sha, author, email, seconds, message FROM commits WHERE repo_id = ${repo}
          ORDER BY seq DESC LIMIT ${limit}`,
        (rows) => rows.map(commitInfo)
      ).pipe(unavailable),

    findCommits: (repo: RepoId, prefix: string) =>
      // 'g' follows every hex digit.
      Effect.map(
        sql<{ readonly sha: Sha }>`
          SELECT sha FROM commits WHERE repo_id = ${repo} AND sha >= ${prefix} AND sha < ${`${prefix}g`} LIMIT 2`,
        (rows) => rows.map(({ sha }) => sha)
      ).pipe(unavailable),

    versionAt: (repo: RepoId, path: PagePath, commit: Option.Option<Sha>) =>
      sql
        .withTransaction(
          Effect.gen(function* () {
            const seq = Option.isNone(commit)
              ? Option.some((yield* headOf(repo)).seq)
              : yield* seqOf(repo, commit.value)
            return Option.isNone(seq) ? Option.none<VersionAt>() : yield* versionUpTo(repo, path, seq.value)
          })
        )
        .pipe(unavailable),

    changes: (repo: RepoId, since: Option.Option<Sha>, known: ReadonlyArray<Sha>) =>
      sql
        .withTransaction(
          Effect.gen(function* () {
            const head = yield* headOf(repo)
            const seqs = yield* Effect.forEach([...Option.toArray(since), ...known], (sha) => seqOf(repo, sha))
            if (seqs.some(Option.isNone)) return Option.none<Changes>()
            const from = Option.isNone(since) ? 0 : Option.getOrElse(Option.flatten(first(seqs)), () => 0)
            return Option.some(yield* changesAfter(repo, head, from))
          })
        )
        .pipe(unavailable)
  }

  return {
    store,
    /** For use inside a transaction. */
    inside: { headOf, seqOf, versionUpTo }
  }
}
