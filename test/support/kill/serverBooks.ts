import { DatabaseSync } from "node:sqlite"

export interface Stored {
  readonly path: string
  readonly sha: string
  readonly text: string
}

/** What a server's database says about itself, and about the pages of one repository. */
export interface ServerBooks {
  /** Living pages by path. */
  readonly head: ReadonlyMap<string, Stored>
  /** How many versions of pages there are. */
  readonly versions: number
  /** Contents that landed more than once: as each text of these tests is new, a push that was carried out twice. */
  readonly twice: ReadonlyArray<string>
  /** Which of the versions asked for are not there, or not whole. */
  readonly missing: ReadonlyArray<string>
  /** What is wrong with the database and its history; empty where nothing is. */
  readonly faults: ReadonlyArray<string>
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const text = (value: unknown): string => (value instanceof Uint8Array ? decoder.decode(value) : String(value))

/**
 * Reads the database of a server, running or killed, beside it.
 *
 * @param acknowledged Versions that must be there.
 * @param deep Check every page of the file too.
 */
export const readBooks = (database: string, acknowledged: Iterable<Stored>, deep: boolean): ServerBooks => {
  const db = new DatabaseSync(database, { readOnly: true, timeout: 10_000 })
  const all = (sql: string, ...params: ReadonlyArray<string>) => db.prepare(sql).all(...params)
  try {
    db.exec("BEGIN")
    const integrity = deep ? all("PRAGMA integrity_check").map((row) => text(row["integrity_check"])) : ["ok"]
    const broken = all(
      `SELECT c.seq FROM commits c LEFT JOIN commits p ON p.repo_id = c.repo_id AND p.seq = c.seq - 1
       WHERE c.parent IS NOT p.sha`
    )
    const heads = all(
      `SELECT r.id, r.head_seq, (SELECT COUNT(*) FROM commits c WHERE c.repo_id = r.id) AS n,
         (SELECT MAX(seq) FROM commits c WHERE c.repo_id = r.id) AS last FROM repos r`
    ).filter((row) => row["head_seq"] !== row["n"] || (row["last"] ?? 0) !== row["n"])
    const tips = all(
      `SELECT p.path FROM pages p WHERE NOT EXISTS (SELECT 1 FROM versions v WHERE v.repo_id = p.repo_id
         AND v.identity = p.identity AND v.seq = p.seq AND v.sha = p.sha AND v.hash IS p.hash)
       OR p.seq <> (SELECT MAX(seq) FROM versions v WHERE v.repo_id = p.repo_id AND v.identity = p.identity)`
    )
    const stored = all(
      `SELECT p.path, p.sha, b.content FROM pages p JOIN bodies b ON b.repo_id = p.repo_id AND b.hash = p.hash`
    ).map((row): Stored => ({ path: text(row["path"]), sha: text(row["sha"]), text: text(row["content"]) }))
    const twice = all("SELECT path FROM versions WHERE hash IS NOT NULL GROUP BY path, hash HAVING COUNT(*) > 1")
    const version = db.prepare(
      `SELECT b.content FROM versions v JOIN bodies b ON b.repo_id = v.repo_id AND b.hash = v.hash
       WHERE v.path = ? AND v.sha = ?`
    )
    const missing = [...acknowledged].filter((one) => {
      const rows = version.all(one.path, one.sha)
      return rows.length !== 1 || text(rows[0]?.["content"]) !== one.text
    })
    return {
      head: new Map(stored.map((page) => [page.path, page])),
      versions: Number(all("SELECT COUNT(*) AS n FROM versions")[0]?.["n"]),
      twice: twice.map((row) => text(row["path"])),
      missing: missing.map(({ path, sha }) => `${path} ${sha}`),
      faults: [
        ...integrity.filter((line) => line !== "ok"),
        ...broken.map((row) => `commit ${text(row["seq"])} does not follow the one before it`),
        ...heads.map((row) => `head of ${text(row["id"])} is ${text(row["head_seq"])} of ${text(row["n"])} commits`),
        ...tips.map((row) => `${text(row["path"])} is not its last version`)
      ]
    }
  } finally {
    db.close()
  }
}
