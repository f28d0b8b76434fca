import type { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { CommitInfo, RepoId, RepoSummary, TokenInfo, User } from "../../sync/SyncApi.ts"
import { EmailTaken, type NewToken, type Role, type Standing } from "../ServerStore.ts"
import { first, isoMillis, isoSeconds, unavailable } from "./support.ts"

/** Users, tokens, repositories and members. The statements are the same for every SQL engine. */
export const accounts = (sql: SqlClient.SqlClient) => {
  const insertToken = (userId: string, { createdAt, hash, id, label }: NewToken) =>
    sql`INSERT INTO tokens ${sql.insert({ id, user_id: userId, hash, label, created_at: createdAt })}`

  const emailFree = ({ email, id }: User) =>
    Effect.filterOrFail(
      sql`SELECT 1 FROM users WHERE email = ${email} AND id <> ${id}`,
      (rows) => rows.length === 0,
      () => new EmailTaken({ email })
    )

  const noteUse = (hash: string, now: number, lastUsedAt: number | null) =>
    lastUsedAt !== null && now - lastUsedAt < 60_000 && now >= lastUsedAt
      ? Effect.void
      : sql`UPDATE tokens SET last_used_at = ${now} WHERE hash = ${hash}`

  return {
    addFirstUser: (user: User, token: NewToken) =>
      sql
        .withTransaction(
          Effect.gen(function* () {
            if ((yield* sql`SELECT 1 FROM users LIMIT 1`).length > 0) return false
            yield* sql`INSERT INTO users ${sql.insert(user)}`
            yield* insertToken(user.id, token)
            return true
          })
        )
        .pipe(unavailable),

    addUser: (user: User) =>
      sql
        .withTransaction(Effect.zipRight(emailFree(user), sql`INSERT INTO users ${sql.insert(user)}`))
        .pipe(Effect.asVoid, unavailable),

    updateUser: (user: User) =>
      sql
        .withTransaction(
          Effect.zipRight(
            emailFree(user),
            sql`UPDATE users SET name = ${user.name}, email = ${user.email} WHERE id = ${user.id}`
          )
        )
        .pipe(Effect.asVoid, unavailable),

    userOfToken: (hash: string, now: number) =>
      Effect.gen(function* () {
        const found = first(
          yield* sql<User & { readonly last_used_at: number | null }>`
            SELECT u.id, u.email, u.name, t.last_used_at FROM tokens t JOIN users u ON u.id = t.user_id
            WHERE t.hash = ${hash}`
        )
        if (Option.isSome(found)) yield* noteUse(hash, now, found.value.last_used_at)
        return Option.map(found, ({ email, id, name }): User => ({ id, email, name }))
      }).pipe(unavailable),

    addToken: (userId: string, token: NewToken) =>
      Effect.as(
        insertToken(userId, token),
        tokenInfo({ ...token, created_at: token.createdAt, last_used_at: null })
      ).pipe(unavailable),

    tokens: (userId: string) =>
      Effect.map(
        sql<TokenRow>`
          SELECT id, label, created_at, last_used_at FROM tokens WHERE user_id = ${userId} ORDER BY created_at, id`,
        (rows) => rows.map(tokenInfo)
      ).pipe(unavailable),

    removeToken: (userId: string, tokenId: string) =>
      Effect.map(
        sql`DELETE FROM tokens WHERE user_id = ${userId} AND id = ${tokenId} RETURNING id`,
        (rows) => rows.length > 0
      ).pipe(unavailable),

    createRepo: (repo: RepoId, ownerId: string, now: number) =>
      sql
        .withTransaction(
          Effect.gen(function* () {
            const made = yield* sql`
          INSERT INTO repos ${sql.insert({ id: repo, head_seq: 0, created_at: now })}
          ON CONFLICT (id) DO NOTHING RETURNING id`
            if (made.length === 0) return false
            yield* sql`INSERT INTO members ${sql.insert({ repo_id: repo, user_id: ownerId, role: "owner", added_at: now })}`
            return true
          })
        )
        .pipe(unavailable),

    standingOf: (repo: RepoId, userId: string) =>
      Effect.map(
        sql<{ readonly role: Role | null }>`
          SELECT m.role FROM repos r LEFT JOIN members m ON m.repo_id = r.id AND m.user_id = ${userId}
          WHERE r.id = ${repo}`,
        ([row]): Standing => (row === undefined ? "no-such-repo" : (row.role ?? "stranger"))
      ).pipe(unavailable),

    addMember: (repo: RepoId, userId: string, role: Role, now: number) =>
      sql`INSERT INTO members ${sql.insert({ repo_id: repo, user_id: userId, role, added_at: now })}
          ON CONFLICT (repo_id, user_id) DO UPDATE SET role = excluded.role`.pipe(Effect.asVoid, unavailable),

    reposOf: (userId: string) =>
      Effect.map(
        sql<RepoRow>`
          SELECT r.id, m.role, c.sha, c.author, c.email, c.seconds, c.message,
            (SELECT COUNT(*) FROM pages p WHERE p.repo_id = r.id AND p.hash IS NOT NULL) AS page_count
          FROM members m JOIN repos r ON r.id = m.repo_id
          LEFT JOIN commits c ON c.repo_id = r.id AND c.seq = r.head_seq
          WHERE m.user_id = ${userId} ORDER BY r.id`,
        (rows) => rows.map(repoSummary)
      ).pipe(unavailable)
  }
}

interface TokenRow {
  readonly id: string
  readonly label: string
  readonly created_at: number
  readonly last_used_at: number | null
}

const tokenInfo = ({ created_at, id, label, last_used_at }: TokenRow): TokenInfo => ({
  id,
  label,
  created_at: isoMillis(created_at),
  last_used_at: last_used_at === null ? null : isoMillis(last_used_at)
})

export interface CommitRow {
  readonly sha: CommitInfo["sha"]
  readonly author: string
  readonly email: string
  readonly seconds: number
  readonly message: string
}

type RepoRow = { readonly id: string; readonly role: Role; readonly page_count: number } & (
  | CommitRow
  | { readonly [Key in keyof CommitRow]: null }
)

export const commitInfo = ({ author, email, message, seconds, sha }: CommitRow): CommitInfo => ({
  sha,
  author,
  email,
  time: isoSeconds(seconds),
  message
})

const repoSummary = (row: RepoRow): RepoSummary => ({
  id: row.id,
  page_count: row.page_count,
  last_commit: row.sha === null ? null : commitInfo(row),
  role: row.role
})
