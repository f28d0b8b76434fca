import { existsSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Either, Option, Schema } from "effect"
import { sha256 } from "../../src/model/text/Hash.ts"
import { parsePage } from "../../src/model/page/Page.ts"
import { PagePath } from "../../src/model/page/PagePath.ts"
import { removeUnsafeKeepingBom } from "../../src/model/text/Sanitise.ts"
import { Sha } from "../../src/model/page/Sha.ts"
import { type Clone, pagesOn, readText } from "./Clone.ts"
import type { History } from "./History.ts"

const StateJson = Schema.parseJson(
  Schema.Struct({
    last_pull_sha: Schema.optional(Sha),
    page_shas: Schema.optional(Schema.Record({ key: Schema.String, value: Sha }))
  })
)
const decodeState = Schema.decodeEither(StateJson)
const BaseRow = Schema.Struct({ path: Schema.String, sha: Schema.String, text: Schema.Uint8ArrayFromSelf })
const MarkRow = Schema.Struct({
  path: PagePath,
  mine_hash: Schema.String,
  server_sha: Schema.NullOr(Schema.String),
  server_text: Schema.NullOr(Schema.Uint8ArrayFromSelf)
})
const decodeMarks = Schema.decodeUnknownSync(Schema.Array(MarkRow))
const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
const decodeBases = Schema.decodeUnknownSync(Schema.Array(BaseRow))

/** What no step and no misfortune may leave behind in a clone's own files. Its record may only go forth. */
export const localFaults = (clone: Clone, history: History, newest: Map<string, number>): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  for (const [path, text] of pagesOn(clone)) {
    const parsed = parsePage(path, text)
    if (Either.isLeft(parsed)) wrong.push(`${clone.name}: ${path} is torn: ${parsed.left.reason}`)
  }
  const state = stateOf(clone)
  if (Either.isLeft(state)) return [...wrong, `${clone.name}: state.json is broken: ${state.left.message}`]
  const shas = state.right.page_shas ?? {}
  for (const [path, sha] of Object.entries(shas)) {
    const seq = history.versions.find((one) => one.path === path && one.sha === sha)?.seq
    const key = `${clone.name} ${path}`
    if (seq === undefined) wrong.push(`${clone.name}: ${path} is recorded as ${sha}, which never was`)
    else if (seq < (newest.get(key) ?? 0)) wrong.push(`${clone.name}: the record of ${path} went back to ${sha}`)
    newest.set(key, Math.max(seq ?? 0, newest.get(key) ?? 0))
  }
  for (const { path, sha, text } of basesOf(clone)) {
    if (shas[path] !== sha) continue
    const version = history.versions.find((one) => one.path === path && one.sha === sha)
    if (version?.content === undefined || clean(version.content) !== clean(decode(text))) {
      wrong.push(`${clone.name}: the base of ${path} is not what the server has under ${sha}`)
    }
  }
  return wrong
}

export const clean = (text: string | null): string | null => (text === null ? null : removeUnsafeKeepingBom(text))

const stateOf = ({ contexo }: Clone) => {
  const file = join(contexo, ".sync", "state.json")
  return decodeState(existsSync(file) ? readText(file) : "{}")
}

const rowsOf = ({ contexo }: Clone, table: string, query: string): ReadonlyArray<unknown> => {
  const file = join(contexo, ".sync", "bases.db")
  if (!existsSync(file)) return []
  const db = new DatabaseSync(file)
  try {
    const has = db.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").all(table).length > 0
    return has ? db.prepare(query).all() : []
  } finally {
    db.close()
  }
}

const basesOf = (clone: Clone) =>
  decodeBases(rowsOf(clone, "base_text", "SELECT path, sha, text FROM base JOIN base_text USING (path)"))

/**
 * Pages that await their user's merge, with the server's text that a directive shows; None: deleted there. A mark that the
 * state does not vouch for was left by a process that died before it could show anything.
 */
export const awaiting = (clone: Clone): ReadonlyMap<PagePath, Option.Option<string>> => {
  const rows = decodeMarks(rowsOf(clone, "mark", "SELECT * FROM mark ORDER BY path"))
  if (rows.length === 0) return new Map()
  const pages = pagesOn(clone)
  const shas = Either.getOrUndefined(stateOf(clone))?.page_shas ?? {}
  return new Map(
    rows.flatMap(({ mine_hash, path, server_sha, server_text }) => {
      const mine = pages.get(path)
      const shown = (shas[path] ?? null) === server_sha
      return mine !== undefined && shown && sha256(mine) === mine_hash
        ? [[path, Option.map(Option.fromNullable(server_text), decode)]]
        : []
    })
  )
}

/** The pages that an index lists. */
export const indexed = ({ contexo }: Clone): ReadonlyArray<string> => {
  const file = join(contexo, "index.md")
  const text = existsSync(file) ? readText(file) : ""
  return [...text.matchAll(/^- \[[^\]]*\]\(([^)]*)\)/gm)].map(([, path]) => path ?? "").toSorted()
}
