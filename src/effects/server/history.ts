import { Clock, Effect, Option } from "effect"
import { compactDiff } from "../../model/merge/CompactDiff.ts"
import { diffPages, type SectionDiff } from "../../model/merge/SectionDiff.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import { breathe } from "../../services/files/BreatheDriver.ts"
import { type Revision, ServerStore } from "../../services/server/ServerStore.ts"
import type { EvolutionEntry, HistoryCommit, RepoId } from "../../services/sync/SyncApi.ts"
import { authorise } from "./authorise.ts"
import { blamed, introductions } from "./blame.ts"
import { InvalidRequest, NotFound } from "./errors.ts"
import { requirePagePath } from "./pagePath.ts"
import { textOf } from "./pages.ts"

export interface HistoryQuery {
  readonly limit?: number | undefined
  /** `next_cursor` of the answer before. */
  readonly cursor?: string | undefined
}

/**
 * The commits that touched a page, newest first; none where it never was there.
 *
 * @param query `limit`: 50 unless given, 500 at most
 */
export const history = Effect.fn("server.history")(function* (repo: string, path: string, query: HistoryQuery) {
  const id = yield* authorise(repo, "read")
  const at = yield* requirePagePath(path)
  const { more, shown } = yield* revisionsOf(id, at, yield* cursorOf(query.cursor), Math.min(query.limit ?? 50, 500))
  return {
    commits: shown.map(({ deleted, purged, seq: _seq, ...commit }): HistoryCommit => ({
      ...commit,
      ...(deleted ? { deleted } : {}),
      ...(purged ? { purged } : {})
    })),
    ...next(shown, more)
  }
})

export interface EvolutionQuery extends HistoryQuery {
  /** `true`: say of each section which commit introduced it. */
  readonly blame?: string | undefined
  /** `false`: without the sections' texts. */
  readonly lines?: string | undefined
}

/** An answer stops growing here, in characters of its JSON. */
const budget = 4 * 1024 * 1024
/** And here, in milliseconds. */
const patience = 10_000

/**
 * What each commit changed in a page, newest first, the first one against nothing. Two versions are in memory at a time. An
 * answer that would be too long, or take too long, ends early, and has its cursor.
 *
 * @param query `limit`: 20 unless given, 1,000 at most
 *
 * Errors: `NotFound` where the page never was there, and those of `authorise`. Source: reference.md 2.7 and section 8.
 */
export const evolution = Effect.fn("server.evolution")(function* (repo: string, path: string, query: EvolutionQuery) {
  const id = yield* authorise(repo, "read")
  const at = yield* requirePagePath(path)
  const limit = Math.min(query.limit ?? 20, 1_000)
  const cursor = yield* cursorOf(query.cursor)
  const { more, shown } = yield* revisionsOf(id, at, cursor, limit)
  if (shown.length === 0 && Option.isNone(cursor)) return yield* new NotFound({ what: `page ${at}` })
  const found = query.blame === "true" ? yield* introductions(id, at) : new Map<string, never>()
  const text = (revision: Revision | undefined) =>
    revision === undefined ? Effect.succeed("") : versionText(id, at, revision)

  const until = (yield* Clock.currentTimeMillis) + patience
  const entries: Array<EvolutionEntry> = []
  let size = 0
  let newer = yield* text(shown[0])
  for (const [index, revision] of shown.entries()) {
    const late = entries.length > 0 && (yield* Clock.currentTimeMillis) > until
    if (late) return { path: at, entries, ...next(shown.slice(0, index), revision) }
    yield* breathe
    const before = shown[index + 1] ?? (index === shown.length - 1 ? more : undefined)
    const older = yield* text(before)
    const diff: SectionDiff = {
      from_sha: before?.sha ?? "",
      to_sha: revision.sha,
      ...diffPages(older, newer),
      ...purgedSides(before, revision)
    }
    newer = older
    const { deleted: _deleted, purged: _purged, seq: _seq, ...commit } = revision
    const entry = { commit, diff: blamed(query.lines === "false" ? compactDiff(diff, false) : diff, found) }
    size += JSON.stringify(entry).length
    if (size > budget && entries.length > 0) return { path: at, entries, ...next(shown.slice(0, index), revision) }
    entries.push(entry)
  }
  return { path: at, entries, ...next(shown, more) }
})

/** As many versions as asked for, and the one after them. */
const revisionsOf = Effect.fnUntraced(function* (
  repo: RepoId,
  path: PagePath,
  before: Option.Option<number>,
  limit: number
) {
  const revisions = yield* (yield* ServerStore).revisions(repo, path, before, limit + 1)
  return { shown: revisions.slice(0, limit), more: revisions[limit] }
})

const versionText = (repo: RepoId, path: PagePath, { seq }: Revision) =>
  Effect.flatMap(ServerStore, (store) =>
    Effect.flatMap(store.contentAt(repo, path, seq), Option.match({ onNone: () => Effect.succeed(""), onSome: textOf }))
  )

const purgedSides = (from: Revision | undefined, to: Revision) => {
  const purged = [...(from?.purged === true ? ["from" as const] : []), ...(to.purged ? ["to" as const] : [])]
  return purged.length === 0 ? {} : { purged }
}

/** The number of the oldest commit that was shown. */
const next = (shown: ReadonlyArray<Revision>, more: Revision | undefined) => {
  const last = shown.at(-1)
  return more === undefined || last === undefined ? {} : { next_cursor: String(last.seq) }
}

const cursorOf = (cursor: string | undefined): Effect.Effect<Option.Option<number>, InvalidRequest> => {
  if (cursor === undefined || cursor === "") return Effect.succeedNone
  return /^\d{1,15}$/.test(cursor)
    ? Effect.succeedSome(Number(cursor))
    : new InvalidRequest({ reason: "cursor is none of this server's; begin without one" })
}
