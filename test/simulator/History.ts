import { DatabaseSync } from "node:sqlite"
import { Schema } from "effect"
import { markersIn } from "./texts.ts"

/** One version of a page in the server's log. */
export interface Version {
  readonly seq: number
  readonly path: string
  readonly sha: string
  readonly parent: string | null
  /** Null: the page was deleted. */
  readonly content: string | null
  /** Of the commit. The simulator puts the client's name in it. */
  readonly message: string
}

const Row = Schema.Struct({
  seq: Schema.Number,
  path: Schema.String,
  sha: Schema.String,
  parent: Schema.NullOr(Schema.String),
  content: Schema.NullOr(Schema.Uint8ArrayFromSelf),
  message: Schema.String
})
const decodeRows = Schema.decodeUnknownSync(Schema.Array(Row))

const query = `
  SELECT v.seq, v.path, v.sha, v.parent, b.content, c.message
  FROM versions v
  JOIN commits c ON c.repo_id = v.repo_id AND c.seq = v.seq
  LEFT JOIN bodies b ON b.repo_id = v.repo_id AND b.hash = v.hash
  WHERE v.seq > ? ORDER BY v.seq, v.path`

/** The server's log as its database holds it, read without the server. */
export interface History {
  /** All versions, oldest first. */
  readonly versions: ReadonlyArray<Version>
  /** Markers that any version of a page ever held. */
  readonly held: (path: string) => ReadonlySet<string>
  readonly heads: ReadonlyMap<string, Version>
  /** Reads what is new, and says what is wrong with it by itself. */
  readonly follow: () => ReadonlyArray<string>
  /** Commits, and push ids that landed: as many of each. */
  readonly counts: () => { readonly commits: number; readonly pushes: number }
  readonly close: () => void
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

export const historyOf = (database: string): History => {
  const db = new DatabaseSync(database, { readOnly: true })
  const versions: Array<Version> = []
  const held = new Map<string, Set<string>>()
  const heads = new Map<string, Version>()

  const take = (version: Version): ReadonlyArray<string> => {
    const before = heads.get(version.path)
    const wrong: Array<string> = []
    if ((before?.sha ?? null) !== version.parent) {
      wrong.push(`${version.path}: version ${version.sha} has the parent ${version.parent}, not ${before?.sha}`)
    }
    if (before?.content === version.content)
      wrong.push(`${version.path}: version ${version.sha} repeats the one before`)
    versions.push(version)
    heads.set(version.path, version)
    const markers = held.get(version.path) ?? new Set()
    for (const marker of markersIn(version.content ?? "")) markers.add(marker)
    held.set(version.path, markers)
    return wrong
  }
  const count = (table: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"])

  return {
    versions,
    heads,
    held: (path) => held.get(path) ?? new Set(),
    follow: () =>
      decodeRows(db.prepare(query).all(versions.at(-1)?.seq ?? 0)).flatMap((row) =>
        take({ ...row, content: row.content === null ? null : decoder.decode(row.content) })
      ),
    counts: () => ({ commits: count("commits"), pushes: count("pushes") }),
    close: () => db.close()
  }
}
