import { type FileSystem, Path } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import * as BasesFile from "./BasesFile.ts"
import * as BasesTables from "./BasesTables.ts"
import { sameStamp, type Stamp, stampOf } from "../page/PageScanDriver.ts"
import { Project } from "../project/Project.ts"
import { ProjectLock } from "../project/ProjectLock.ts"
import { isRecorded, readState, type StateFile, whereStill, writeState } from "./StateFile.ts"
import { ensureFolder } from "../project/StoreFolder.ts"
import { type Snapshot, type StateChange, SyncState } from "./SyncState.ts"

/** `state.json` and `bases.db` below `.contexo/.sync/`. Source: reference.md 1.4; design.md rule 2. */
const make = Effect.gen(function* () {
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const { contexo } = yield* Project
  const lock = yield* ProjectLock
  const path = (yield* Path.Path).join(contexo, ".sync", "state.json")
  const bases = yield* BasesFile.make(contexo)
  const state = Effect.provide(readState(path), platform)

  let last: { readonly stamp: Stamp | undefined; readonly file: StateFile } | undefined
  /** For one page after another: the file is read again only when it was replaced. */
  const cachedState = Effect.suspend(() => {
    const stamp = stampOf(path)
    if (last !== undefined && sameStamp(last.stamp, stamp)) return Effect.succeed(last.file)
    return Effect.tap(state, (file) => Effect.sync(() => (last = { stamp, file })))
  })

  const moves = bases.read(BasesTables.readMoves, new Map<PagePath, BasesTables.Move>())

  const snapshot = Effect.gen(function* () {
    // The bases are written first, so they are read last: whatever is written between, no base is believed too early.
    const { lastPull, recorded: written } = yield* state
    const rows = yield* bases.read(BasesTables.readAll, BasesTables.noRows)
    const recorded = followed(written, yield* moves)
    return { lastPull, recorded, ...rows, ...withoutUnshown(recorded, rows) } satisfies Snapshot
  })

  const awaiting = Effect.gen(function* () {
    // No marks, as a rule: then the record of ten thousand pages has nothing to say.
    const first = yield* bases.read(BasesTables.readMarks, BasesTables.noRows.awaiting)
    if (first.size === 0) return first
    const { recorded } = yield* state
    const marks = yield* bases.read(BasesTables.readMarks, BasesTables.noRows.awaiting)
    return withoutUnshown(followed(recorded, yield* moves), { awaiting: marks, bases: BasesTables.noRows.bases })
      .awaiting
  })

  const base = Effect.fn("SyncState.base")(function* (page: PagePath) {
    const { recorded } = yield* cachedState
    const found = yield* bases.read((db) => BasesTables.readBase(db, page), Option.none())
    if (Option.exists(found, ({ sha }) => sha === recorded.get(page))) return found
    const now = followed(recorded, yield* moves)
    return Option.filter(found, ({ sha }) => sha === now.get(page))
  })

  const apply = Effect.fn("SyncState.apply")(function* (change: StateChange) {
    const before = yield* state
    const unfollowed = yield* moves
    if (BasesTables.concerns(change)) yield* bases.write((db) => BasesTables.write(db, change, before.recorded))
    if (!isRecorded(change) && unfollowed.size === 0) return
    yield* Effect.zipRight(ensureFolder(contexo, ".sync"), writeState(path, before, change, unfollowed)).pipe(
      Effect.provide(platform)
    )
    if (unfollowed.size > 0 || (change.known ?? []).length > 0) yield* bases.write(BasesTables.settleMoves)
  }, lock.run)

  const catchUp = Effect.flatMap(moves, (unfollowed) => (unfollowed.size === 0 ? Effect.void : apply({})))

  return SyncState.of({
    recorded: Effect.map(state, ({ lastPull, recorded }) => ({ lastPull, recorded })),
    snapshot: Effect.withSpan(snapshot, "SyncState.snapshot"),
    base,
    awaiting,
    apply,
    catchUp: Effect.withSpan(catchUp, "SyncState.catchUp")
  })
})

export const layer: Layer.Layer<SyncState, never, FileSystem.FileSystem | Path.Path | Project | ProjectLock> =
  Layer.scoped(SyncState, make)

/**
 * The record with what `state.json` has not followed yet, because the process died between the two files. Only where it still
 * says what it said then: another client, or git, may have replaced it since, and what stands there now is what counts.
 */
const followed = (recorded: Snapshot["recorded"], moves: ReadonlyMap<PagePath, BasesTables.Move>) =>
  moves.size === 0 ? recorded : new Map([...recorded, ...whereStill(recorded, moves)])

/**
 * Leaves out marks that `state.json` does not vouch for, and the bases that came with them: the process died between the
 * two files, so nobody was shown the server's version, and no edit since can have been its merge.
 */
const withoutUnshown = (recorded: Snapshot["recorded"], { awaiting, bases }: Pick<Snapshot, "awaiting" | "bases">) => {
  const unshown = [...awaiting].filter(
    ([path, { server }]) => recorded.get(path) !== Option.getOrUndefined(Option.map(server, ({ sha }) => sha))
  )
  if (unshown.length === 0) return { awaiting, bases }
  const marks = new Map(awaiting)
  const known = new Map(bases)
  for (const [path, { server }] of unshown) {
    marks.delete(path)
    if (Option.exists(server, ({ sha }) => known.get(path)?.sha === sha)) known.delete(path)
  }
  return { awaiting: marks, bases: known }
}
