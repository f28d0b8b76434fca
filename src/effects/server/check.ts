import { Effect, Option } from "effect"
import { blobId, commitId } from "../../model/page/GitObject.ts"
import { sha256 } from "../../model/text/Hash.ts"
import { type PagePath, parsePagePath } from "../../model/page/PagePath.ts"
import { folderPathOf, folderTree, rootTree } from "../../model/page/PageTree.ts"
import { Sha } from "../../model/page/Sha.ts"
import { open, type SqliteDatabase, type SqliteRow, type SqliteValue } from "../../services/sqlite/SqliteDriver.ts"

/** What a server's database turned out to hold. */
export interface DataReport {
  readonly repositories: number
  readonly commits: number
  readonly versions: number
  /** One sentence each, with the repository; empty where everything fits. */
  readonly faults: ReadonlyArray<string>
}

/**
 * Reads a server's database from end to end, beside a running server if there is one: SQLite's own check, then every stored
 * text against its hash, and every tree and commit id computed anew as git computes them. The page table must say what
 * the last version of each page does.
 *
 * @param database Absolute path of `server.db`. It is only read.
 *
 * Errors: `SqliteFailure` where it is no readable database.
 * Source: design.md section 10; server.md section 1 (restic's `check --read-data`, git's fsck).
 */
export const checkData = Effect.fn("server.checkData")(function* (database: string) {
  const db = yield* open({ path: database, readOnly: true })
  // One snapshot from here on. Nobody is held up by it.
  yield* db.exec("BEGIN")
  const integrity = (yield* db.all("PRAGMA integrity_check(20)")).map((row) => text(row["integrity_check"]))
  const unsound = integrity.filter((line) => line !== "ok").map((line) => `the database: ${line}`)
  const repos = (yield* db.all("SELECT id, head_seq FROM repos ORDER BY id")).map((row) => ({
    id: text(row["id"]),
    head: Number(row["head_seq"])
  }))
  const bodies = yield* checkBodies(db)
  const histories = yield* Effect.forEach(repos, ({ head, id }) => checkHistory(db, id, head))
  return {
    repositories: repos.length,
    commits: histories.reduce((sum, { commits }) => sum + commits, 0),
    versions: histories.reduce((sum, { versions }) => sum + versions, 0),
    faults: [...unsound, ...bodies, ...histories.flatMap(({ faults }) => faults)]
  } satisfies DataReport
}, Effect.scoped)

/** Every stored text against the hash under which it is found. */
const checkBodies = Effect.fnUntraced(function* (db: SqliteDatabase) {
  const faults: Array<string> = []
  for (const row of yield* db.all("SELECT repo_id, hash FROM bodies ORDER BY repo_id, hash")) {
    const key = [text(row["repo_id"]), text(row["hash"])]
    const [body] = yield* db.all("SELECT content FROM bodies WHERE repo_id = ? AND hash = ?", key)
    if (sha256(bytes(body?.["content"])) !== key[1])
      faults.push(`${key[0]}: a stored text does not fit its hash ${key[1]}`)
  }
  return faults
})

/** Plays a repository's history from its first commit, and compares every id on the way. */
const checkHistory = Effect.fnUntraced(function* (db: SqliteDatabase, repo: string, head: number) {
  const faults: Array<string> = []
  const fault = (what: string) => faults.push(`${repo}: ${what}`)
  const folders = new Map<string, Map<PagePath, Sha>>()
  const trees = new Map<string, Sha>()
  const tips = new Map<string, Tip>()
  let parent = Option.none<Sha>()
  let versions = 0

  const commits = yield* db.all("SELECT * FROM commits WHERE repo_id = ? ORDER BY seq", [repo])
  if (commits.length !== head) fault(`the head is commit ${head}, and there are ${commits.length}`)
  for (const [index, commit] of commits.entries()) {
    const seq = Number(commit["seq"])
    const sha = text(commit["sha"])
    if (seq !== index + 1) fault(`commit ${index + 1} is missing`)
    const rows = yield* db.all(
      `SELECT v.*, b.content, e.blob AS erased FROM versions v
       LEFT JOIN bodies b ON b.repo_id = v.repo_id AND b.hash = v.hash
       LEFT JOIN erased e ON e.repo_id = v.repo_id AND e.hash = v.hash
       WHERE v.repo_id = ? AND v.seq = ? ORDER BY v.identity`,
      [repo, seq]
    )
    versions += rows.length
    const touched = new Set<string>()
    for (const row of rows) {
      const parsed = parsePagePath(text(row["path"]))
      if (Option.isNone(parsed)) {
        fault(`commit ${seq} names a path that is no page's: ${text(row["path"])}`)
        continue
      }
      const path = parsed.value
      const identity = text(row["identity"])
      const before = tips.get(identity)
      if (text(row["sha"]) !== sha) fault(`${path} in commit ${seq} names another commit`)
      if (orNull(row["parent"]) !== (before?.sha ?? null))
        fault(`${path} in commit ${seq} does not follow its last version`)
      const purged = row["content"] === null ? orNull(row["erased"]) : null
      if (row["hash"] !== null && row["content"] === null && purged === null)
        fault(`${path} in commit ${seq} has no text`)
      if (before !== undefined) folders.get(folderPathOf(before.path))?.delete(before.path)
      const blob =
        row["content"] === null ? (purged === null ? undefined : Sha.make(purged)) : blobId(bytes(row["content"]))
      const folder = folders.get(folderPathOf(path)) ?? new Map<PagePath, Sha>()
      folders.set(folderPathOf(path), folder)
      if (blob !== undefined) folder.set(path, blob)
      touched.add(folderPathOf(path))
      tips.set(identity, { path, sha, seq, hash: orNull(row["hash"]), blob: blob ?? null })
    }
    for (const folder of touched) {
      Option.match(folderTree(folders.get(folder) ?? new Map()), {
        onNone: () => trees.delete(folder),
        onSome: (tree) => trees.set(folder, tree)
      })
    }
    const tree = rootTree(trees)
    if (tree !== text(commit["tree"])) fault(`the pages of commit ${seq} do not make its tree`)
    if (orNull(commit["parent"]) !== Option.getOrNull(parent)) fault(`commit ${seq} does not follow the one before it`)
    if (idOf(commit, tree, parent) !== sha) fault(`commit ${seq} does not have the id that git would give it`)
    parent = Option.some(Sha.make(sha))
  }
  faults.push(...(yield* checkTables(db, repo, tips, trees)).map((what) => `${repo}: ${what}`))
  return { commits: commits.length, versions, faults }
})

/** The last version of a page. */
interface Tip {
  readonly path: PagePath
  readonly sha: string
  readonly seq: number
  readonly hash: string | null
  readonly blob: string | null
}

/** The tables that hold the present against what history led to. */
const checkTables = Effect.fnUntraced(function* (
  db: SqliteDatabase,
  repo: string,
  tips: ReadonlyMap<string, Tip>,
  trees: ReadonlyMap<string, Sha>
) {
  const pages = yield* db.all("SELECT * FROM pages WHERE repo_id = ?", [repo])
  const folders = yield* db.all("SELECT path, tree FROM folders WHERE repo_id = ?", [repo])
  const stale = pages.filter((row) => {
    const tip = tips.get(text(row["identity"]))
    return (
      tip === undefined ||
      tip.path !== row["path"] ||
      tip.sha !== row["sha"] ||
      tip.seq !== Number(row["seq"]) ||
      tip.hash !== row["hash"] ||
      tip.blob !== row["blob"]
    )
  })
  const foldersDiffer =
    folders.length !== trees.size || folders.some((row) => trees.get(text(row["path"])) !== row["tree"])
  return [
    ...stale.map((row) => `${text(row["path"])} is not listed as its last version`),
    ...(pages.length === tips.size ? [] : [`${tips.size} page(s) in its history, ${pages.length} listed`]),
    ...(foldersDiffer ? ["the stored folder trees are not those of its pages"] : [])
  ]
})

const idOf = (commit: SqliteRow, tree: Sha, parent: Option.Option<Sha>): Sha =>
  commitId({
    tree,
    parent,
    author: { name: text(commit["author"]), email: text(commit["email"]) },
    seconds: Number(commit["seconds"]),
    message: text(commit["message"])
  })

const text = (value: SqliteValue | undefined): string => (typeof value === "string" ? value : String(value ?? ""))
const orNull = (value: SqliteValue | undefined): string | null => (typeof value === "string" ? value : null)
const bytes = (value: SqliteValue | undefined): Uint8Array => (value instanceof Uint8Array ? value : new Uint8Array())
