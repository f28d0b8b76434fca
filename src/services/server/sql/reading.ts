import type { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { identityOf, type PagePath } from "../../../model/page/PagePath.ts"
import type { Sha } from "../../../model/page/Sha.ts"
import type { PageInfo, RepoId } from "../../sync/SyncApi.ts"
import type { Changes, Feed, FeedCommit, LandedPage, Revision, StoredPage, VersionAt } from "../ServerStore.ts"
import { commitInfo, type CommitRow } from "./accounts.ts"
import { first, unavailable } from "./support.ts"

/** How many pages the commits of one feed answer may touch, where there is more than one of them. */
const maxFeedPages = 5_000

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
      sql<{ readonly sha: Sha; readonly hash: string | null; readonly content: Uint8Array | null }>`
        SELECT v.sha, v.hash, b.content FROM versions v LEFT JOIN bodies b ON b.repo_id = v.repo_id AND b.hash = v.hash
        WHERE v.repo_id = ${repo} AND v.identity = ${identityOf(path)} AND v.path = ${path} AND v.seq <= ${seq}
        ORDER BY v.seq DESC LIMIT 2`,
      ([version, before]): Option.Option<VersionAt> =>
        version === undefined
          ? Option.none()
          : Option.some({
              version: {
                sha: version.sha,
                content: Option.fromNullable(version.content),
                purged: version.hash !== null && version.content === null
              },
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

  /** All pages that do not live any more: who pushed and never pulled has pages, and no commit to ask from. */
  const buried = (repo: RepoId) =>
    sql<LandedPage>`SELECT path, sha FROM pages WHERE repo_id = ${repo} AND hash IS NULL ORDER BY path`

  const changesAfter = (repo: RepoId, head: Head, seq: number) =>
    Effect.gen(function* () {
      const pages = yield* sql<StoredPage>`
        SELECT p.path, p.sha, b.content FROM pages p JOIN bodies b ON b.repo_id = p.repo_id AND b.hash = p.hash
        WHERE p.repo_id = ${repo} AND p.seq > ${seq} ORDER BY p.path`
      return {
        head: head.sha,
        pages,
        deleted: yield* seq === 0 ? buried(repo) : deletedAfter(repo, seq)
      } satisfies Changes
    })

  /** Numbers of the commits after `seq`, as many as one answer holds. */
  const nextCommits = (repo: RepoId, seq: number, limit: number) =>
    Effect.map(
      sql<{ readonly seq: number; readonly pages: number }>`
        SELECT c.seq, (SELECT COUNT(*) FROM versions v WHERE v.repo_id = c.repo_id AND v.seq = c.seq) AS pages
        FROM commits c WHERE c.repo_id = ${repo} AND c.seq > ${seq} ORDER BY c.seq LIMIT ${limit}`,
      (rows) => {
        let pages = 0
        return rows.filter((row, index) => (pages += row.pages) <= maxFeedPages || index === 0)
      }
    )

  const feedOf = Effect.fnUntraced(function* (repo: RepoId, seq: number, last: number) {
    const commits = yield* sql<CommitRow & { readonly seq: number }>`
      SELECT seq, sha, author, email, seconds, message FROM commits
      WHERE repo_id = ${repo} AND seq > ${seq} AND seq <= ${last} ORDER BY seq`
    const versions = yield* sql<{ readonly seq: number; readonly path: PagePath; readonly hash: string | null }>`
      SELECT seq, path, hash FROM versions
      WHERE repo_id = ${repo} AND seq > ${seq} AND seq <= ${last} ORDER BY seq, path`
    const bySeq = Map.groupBy(versions, (version) => version.seq)
    return commits.map((row): FeedCommit => {
      const touched = bySeq.get(row.seq) ?? []
      return {
        seq: row.seq,
        ...commitInfo(row),
        paths: touched.flatMap(({ hash, path }) => (hash === null ? [] : [path])),
        deleted: touched.flatMap(({ hash, path }) => (hash === null ? [path] : []))
      }
    })
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

    revisions: (repo: RepoId, path: PagePath, before: Option.Option<number>, limit: number) =>
      Effect.map(
        sql<CommitRow & { readonly seq: number; readonly hash: string | null; readonly held: string | null }>`
          SELECT v.seq, v.hash, b.hash AS held, c.sha, c.author, c.email, c.seconds, c.message
          FROM versions v JOIN commits c ON c.repo_id = v.repo_id AND c.seq = v.seq
          LEFT JOIN bodies b ON b.repo_id = v.repo_id AND b.hash = v.hash
          WHERE v.repo_id = ${repo} AND v.identity = ${identityOf(path)} AND v.path = ${path}
            AND v.seq < ${Option.getOrElse(before, () => Number.MAX_SAFE_INTEGER)}
          ORDER BY v.seq DESC LIMIT ${limit}`,
        (rows) =>
          rows.map((row): Revision => ({
            seq: row.seq,
            ...commitInfo(row),
            deleted: row.hash === null,
            purged: row.hash !== null && row.held === null
          }))
      ).pipe(unavailable),

    contentAt: (repo: RepoId, path: PagePath, seq: number) =>
      Effect.map(
        sql<{ readonly content: Uint8Array }>`
          SELECT b.content FROM versions v JOIN bodies b ON b.repo_id = v.repo_id AND b.hash = v.hash
          WHERE v.repo_id = ${repo} AND v.identity = ${identityOf(path)} AND v.path = ${path} AND v.seq = ${seq}`,
        (rows) => Option.map(first(rows), ({ content }) => content)
      ).pipe(unavailable),

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
        .pipe(unavailable),

    // Without a transaction: commits are only ever added, and what is read after the head is not newer than it. Who waits
    // for news asks this again and again, and must not keep pushes out.
    feed: (repo: RepoId, after: Option.Option<Sha | number>, limit: number) =>
      Effect.gen(function* () {
        const head = yield* headOf(repo)
        const answer = (commits: ReadonlyArray<FeedCommit>): Option.Option<Feed> =>
          Option.some({ head: head.sha, headSeq: head.seq, commits })
        if (Option.isNone(after)) return answer([])
        const point = typeof after.value === "number" ? Option.some(after.value) : yield* seqOf(repo, after.value)
        if (Option.isNone(point) || point.value > head.seq) return Option.none<Feed>()
        if (point.value === head.seq) return answer([])
        const last = (yield* nextCommits(repo, point.value, Math.min(limit, head.seq - point.value))).at(-1)
        return answer(last === undefined ? [] : yield* feedOf(repo, point.value, last.seq))
      }).pipe(unavailable)
  }

  return {
    store,
    /** For use inside a transaction. */
    inside: { headOf, seqOf, versionUpTo }
  }
}
