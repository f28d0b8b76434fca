import type { SqlClient, SqlError } from "@effect/sql"
import { Array as Arr, Effect, Option, Order, Schema } from "effect"
import { blobId, commitId } from "../../../model/page/GitObject.ts"
import { sha256 } from "../../../model/text/Hash.ts"
import { type HeldPage, landing } from "../../../model/sync/Landing.ts"
import { identityOf, PagePath } from "../../../model/page/PagePath.ts"
import { Sha } from "../../../model/page/Sha.ts"
import type { RepoId } from "../../sync/SyncApi.ts"
import {
  type LandedPage,
  PushIdReused,
  type PushCommand,
  type PushedFile,
  PushResult,
  type RefusedPage,
  type StoredPage,
  StoreUnavailable
} from "../ServerStore.ts"
import type { reading } from "./reading.ts"
import { batchSize, first, unavailable } from "./support.ts"
import { updateTrees } from "./trees.ts"

/** A page's row before a push. */
interface HeldRow extends HeldPage {
  readonly identity: string
}

/** A file that lands, with what the page was before. */
interface LandingFile {
  readonly file: PushedFile
  readonly before: Option.Option<HeldRow>
  readonly blob: Option.Option<Sha>
}

/**
 * A push, as one transaction.
 *
 * @param lock Holds the repository's row until the end of the transaction, where the engine does not already hold the
 * whole database (PostgreSQL: `SELECT 1 FROM repos WHERE id = ... FOR UPDATE`).
 */
export const pushing = (
  sql: SqlClient.SqlClient,
  read: ReturnType<typeof reading>["inside"],
  lock: (repo: RepoId) => Effect.Effect<unknown, SqlError.SqlError>
) => {
  const storedAnswer = Effect.fnUntraced(function* (command: PushCommand, pushId: string) {
    const stored = first(
      yield* sql<{ readonly digest: string; readonly answer: string }>`
        SELECT digest, answer FROM pushes WHERE repo_id = ${command.repo} AND push_id = ${pushId}`
    )
    if (Option.isNone(stored)) return Option.none<PushResult>()
    if (stored.value.digest !== digestOf(command)) return yield* new PushIdReused({ pushId })
    const { head, pages } = yield* decodeAnswer(stored.value.answer)
    return Option.some(PushResult.Landed({ head: Option.some(head), pages }))
  })

  const heldPages = Effect.fnUntraced(function* (repo: RepoId, identities: ReadonlyArray<string>) {
    const held = new Map<string, HeldRow>()
    for (const chunk of Arr.chunksOf(identities, batchSize)) {
      const rows = yield* sql<Omit<HeldRow, "hash"> & { readonly hash: string | null }>`
        SELECT identity, path, sha, hash FROM pages WHERE repo_id = ${repo} AND ${sql.in("identity", chunk)}`
      for (const row of rows) held.set(row.identity, { ...row, hash: Option.fromNullable(row.hash) })
    }
    return held
  })

  const refused = Effect.fnUntraced(function* (repo: RepoId, offered: PushedFile, held: Option.Option<HeldRow>) {
    const current = Option.isNone(held)
      ? []
      : yield* sql<StoredPage>`
      SELECT p.path, p.sha, b.content FROM pages p JOIN bodies b ON b.repo_id = p.repo_id AND b.hash = p.hash
      WHERE p.repo_id = ${repo} AND p.identity = ${held.value.identity}`
    const seq = Option.isNone(offered.parent) ? Option.none<number>() : yield* read.seqOf(repo, offered.parent.value)
    const ancestor = Option.isNone(seq) ? Option.none() : yield* read.versionUpTo(repo, offered.path, seq.value)
    return {
      offered,
      current: first(current),
      ancestor: Option.flatMap(ancestor, ({ version }) => version.content)
    } satisfies RefusedPage
  })

  const store = Effect.fnUntraced(function* (repo: RepoId, seq: number, sha: Sha, files: ReadonlyArray<LandingFile>) {
    for (const chunk of Arr.chunksOf(files, batchSize)) {
      const bodies = chunk.flatMap(({ file: { content, hash } }) =>
        Option.isNone(hash) ? [] : [{ repo_id: repo, hash: hash.value, content }]
      )
      if (bodies.length > 0) yield* sql`INSERT INTO bodies ${sql.insert(bodies)} ON CONFLICT (repo_id, hash) DO NOTHING`
      const row = ({ file: { hash, path } }: LandingFile) => ({
        repo_id: repo,
        identity: identityOf(path),
        path,
        seq,
        sha,
        hash: Option.getOrNull(hash)
      })
      const parent = ({ before }: LandingFile) => Option.getOrNull(Option.map(before, (held) => held.sha))
      const versions = chunk.map((one) => Object.assign(row(one), { parent: parent(one) }))
      const pages = chunk.map((one) => Object.assign(row(one), { blob: Option.getOrNull(one.blob) }))
      yield* sql`INSERT INTO versions ${sql.insert(versions)}`
      yield* sql`
        INSERT INTO pages ${sql.insert(pages)}
        ON CONFLICT (repo_id, identity) DO UPDATE SET
          path = excluded.path, seq = excluded.seq, sha = excluded.sha, hash = excluded.hash, blob = excluded.blob`
    }
  })

  const commit = Effect.fnUntraced(function* (command: PushCommand, files: ReadonlyArray<LandingFile>) {
    const { author, message, repo, seconds } = command
    const head = yield* read.headOf(repo)
    const tree = yield* updateTrees(
      sql,
      repo,
      files.map(({ blob, file: { path } }) => ({ path, blob }))
    )
    const sha = commitId({ tree, parent: head.sha, author, seconds, message })
    const seq = head.seq + 1
    yield* sql`INSERT INTO commits ${sql.insert({
      repo_id: repo,
      seq,
      sha,
      parent: Option.getOrNull(head.sha),
      tree,
      author: author.name,
      email: author.email,
      seconds,
      message
    })}`
    yield* store(repo, seq, sha, files)
    yield* sql`UPDATE repos SET head_seq = ${seq} WHERE id = ${repo}`
    return sha
  })

  const remember = (command: PushCommand, head: Sha, pages: ReadonlyArray<LandedPage>) =>
    Option.isNone(command.pushId)
      ? Effect.void
      : sql`INSERT INTO pushes ${sql.insert({
          repo_id: command.repo,
          push_id: command.pushId.value,
          digest: digestOf(command),
          answer: encodeAnswer({ head, pages })
        })}`

  return {
    push: (command: PushCommand) =>
      sql
        .withTransaction(
          Effect.gen(function* () {
            const { files, repo } = command
            yield* lock(repo)
            const stored = Option.isNone(command.pushId)
              ? Option.none<PushResult>()
              : yield* storedAnswer(command, command.pushId.value)
            if (Option.isSome(stored)) return stored.value

            const held = yield* heldPages(
              repo,
              files.map(({ path }) => identityOf(path))
            )
            const judged = files.map((file) => {
              const before = Option.fromNullable(held.get(identityOf(file.path)))
              return { file, before, verdict: landing(before, file) }
            })
            const conflicting = judged.filter(({ verdict }) => verdict._tag === "Conflicts")
            if (conflicting.length > 0) {
              const conflicts = yield* Effect.forEach(conflicting, ({ before, file }) => refused(repo, file, before))
              return PushResult.Refused({ head: (yield* read.headOf(repo)).sha, conflicts })
            }
            const landed = judged.flatMap(({ before, file, verdict }): ReadonlyArray<LandingFile> =>
              verdict._tag === "Lands"
                ? [{ file, before, blob: Option.map(file.hash, () => blobId(file.content)) }]
                : []
            )
            const sha = landed.length === 0 ? Option.none<Sha>() : Option.some(yield* commit(command, landed))
            const pages = judged.flatMap(({ file: { path }, verdict }) =>
              Option.toArray(
                Option.map(verdict._tag === "Unchanged" ? verdict.sha : sha, (own) => ({ path, sha: own }))
              )
            )
            if (Option.isNone(sha)) return PushResult.Landed({ head: (yield* read.headOf(repo)).sha, pages })
            yield* remember(command, sha.value, pages)
            return PushResult.Landed({ head: sha, pages })
          })
        )
        .pipe(unavailable)
  }
}

/** A stored answer. */
const Answer = Schema.parseJson(
  Schema.Struct({ head: Sha, pages: Schema.Array(Schema.Struct({ path: PagePath, sha: Sha })) })
)
const encodeAnswer = Schema.encodeSync(Answer)
const decodeAnswer = (text: string) =>
  Effect.mapError(
    Schema.decode(Answer)(text),
    ({ message }) => new StoreUnavailable({ reason: `a stored answer is unreadable: ${message}` })
  )

const byPath = Order.mapInput(Order.string, ({ path }: PushedFile) => path)

/** What must be the same for two pushes to be one. */
const digestOf = ({ files }: PushCommand): string =>
  sha256(
    JSON.stringify(
      Arr.sort(files, byPath).map(({ hash, parent, path }) => [path, Option.getOrNull(hash), Option.getOrNull(parent)])
    )
  )
