import { Effect, Option } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import { type PageText, pageTerms } from "../../model/search/PageTerms.ts"
import type { Ranking } from "../../model/search/Rank.ts"
import type { SqliteDatabase, SqliteFailure } from "../sqlite/SqliteDriver.ts"
import { addPages, blockSize, type NewPage, readState, removePages, type State, writeState } from "./SearchTables.ts"

/** The pages that an index shall hold. */
export interface Target {
  /** The hash of each page's bytes. */
  readonly pages: ReadonlyMap<PagePath, string>
  /** The same for the same pages, and for no others. */
  readonly digest: string
  /** The page as it is now; undefined where it is gone. */
  readonly load: (path: PagePath) => Effect.Effect<{ readonly hash: string; readonly text: PageText } | undefined>
}

/** What must go and what must come for an index to hold other pages. */
interface Plan {
  /** Of the index that it is for. */
  readonly serial: number
  readonly stale: ReadonlyArray<number>
  readonly missing: ReadonlyArray<PagePath>
}

/** So many of the words that an index is known to have are kept in mind. */
const mostWords = 200_000

/**
 * Brings an index to the pages that it shall hold. Only what changed is read. Several processes may do so at once: each
 * step is a transaction that finds the index as it was planned for, or plans anew.
 */
export const follow = Effect.fn("PageSearch.follow")(function* (
  db: SqliteDatabase,
  target: Target,
  fields: Ranking["fields"]
) {
  let known: Plan | undefined
  const words = new Set<string>()
  for (;;) {
    const state = yield* readState(db)
    if (state.digest === target.digest) return
    if (known?.serial !== state.serial) words.clear()
    const plan: Plan = known?.serial === state.serial ? known : yield* planFor(db, state, target)
    // A block's worth at most, and no more than fit into the last one.
    const paths = plan.missing.slice(0, blockSize - (state.next % blockSize))
    const pages: Array<NewPage> = []
    for (const path of paths) {
      const now = yield* target.load(path)
      if (now !== undefined) pages.push({ path, hash: now.hash, terms: pageTerms(now.text) })
      if (pages.length % 50 === 0) yield* Effect.yieldNow()
    }
    const last = paths.length === plan.missing.length
    const added = yield* transaction(
      db,
      Effect.gen(function* () {
        const before = yield* readState(db)
        if (before.serial !== state.serial) return Option.none()
        yield* removePages(db, plan.stale)
        const terms = yield* addPages(db, before.next, pages, fields, words)
        yield* writeState(db, {
          serial: before.serial + 1,
          next: before.next + pages.length,
          digest: last ? target.digest : ""
        })
        return Option.some(terms)
      })
    )
    // Only now they are there: what a transaction did may have been undone.
    for (const term of Option.getOrElse(added, () => [])) if (words.size < mostWords) words.add(term)
    known = Option.isSome(added)
      ? { serial: state.serial + 1, stale: [], missing: plan.missing.slice(paths.length) }
      : undefined
  }
})

const planFor = Effect.fnUntraced(function* (db: SqliteDatabase, { serial }: State, { pages }: Target) {
  const held = new Set<string>()
  const hashes: ReadonlyMap<string, string> = pages
  const stale: Array<number> = []
  for (const { hash, id, path } of yield* db.all("SELECT id, path, hash FROM page")) {
    if (hashes.get(String(path)) === hash) held.add(String(path))
    else stale.push(Number(id))
  }
  return { serial, stale, missing: [...pages.keys()].filter((path) => !held.has(path)) } satisfies Plan
})

/** Runs a step that other processes see whole or not at all. */
export const transaction = <A, E>(db: SqliteDatabase, step: Effect.Effect<A, E>): Effect.Effect<A, E | SqliteFailure> =>
  Effect.uninterruptible(
    Effect.zipRight(
      db.exec("BEGIN IMMEDIATE"),
      Effect.zipLeft(step, db.exec("COMMIT")).pipe(Effect.tapError(() => Effect.ignore(db.exec("ROLLBACK"))))
    )
  )
