import { type FileSystem, Path } from "@effect/platform"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { TurnRecord } from "../../model/capture/TurnRecord.ts"
import { withBuffersLock } from "./BuffersLock.ts"
import { archiveTurns, pendingSessions, pendingTurns } from "./PendingDriver.ts"
import { errnoOf } from "../files/Errno.ts"
import { type CorruptFile, FileFailure } from "../files/FileFailure.ts"
import { patchJsonFile, readJsonFile } from "../files/JsonFile.ts"
import { Project } from "../project/Project.ts"
import { type LockTimeout, ProjectLock } from "../project/ProjectLock.ts"
import { ensureFolder } from "../project/StoreFolder.ts"

/** A session's buffer, which nobody distilled yet. */
export interface PendingBuffer {
  /** Name of its file, without ending: the session's id where that is a plain name. */
  readonly session: string
  /** Milliseconds since 1970 of the last write. */
  readonly modified: number
}

/** A buffer that an agent was shown, to distill it. */
export const ShownBuffer = Schema.Struct({
  session: Schema.String,
  /** The last turn that was shown. */
  turn: Schema.Int,
  /** Of the source page that was asked for. */
  slug: Schema.String,
  /** Of the source page that was written: the buffer up to that turn is distilled. */
  distilled: Schema.optionalWith(Schema.String, { exact: true })
})
export type ShownBuffer = typeof ShownBuffer.Type

/**
 * The capture buffers under `raw/sessions/_pending/`, any age, archived ones excepted, and which of them were shown: in
 * `.contexo/.sync/distill.json`, so that whoever says that a buffer was distilled means the one that was shown.
 */
export class PendingBuffers extends Context.Tag("ctx-mcp/PendingBuffers")<
  PendingBuffers,
  {
    readonly count: Effect.Effect<number, FileFailure>
    /** Newest first. */
    readonly list: Effect.Effect<ReadonlyArray<PendingBuffer>, FileFailure>
    /** The records of a session, oldest first; None where it has no buffer. */
    readonly read: (session: string) => Effect.Effect<Option.Option<ReadonlyArray<TurnRecord>>, FileFailure>
    /** Moves the records up to a turn, or all, to `_archive/`. Turns that came after stay pending. */
    readonly archive: (session: string, until?: number) => Effect.Effect<void, FileFailure>
    /** Oldest first. */
    readonly shown: Effect.Effect<ReadonlyArray<ShownBuffer>, FileFailure | CorruptFile>
    /** Notes what was shown, or that it was distilled. */
    readonly note: (shown: ShownBuffer) => Effect.Effect<void, FileFailure | CorruptFile | LockTimeout>
  }
>() {
  static readonly layer = Layer.effect(
    PendingBuffers,
    Effect.gen(function* () {
      const { contexo } = yield* Project
      const lock = yield* ProjectLock
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const path = yield* Path.Path
      const folder = path.join(contexo, "raw", "sessions", "_pending")
      const noted = path.join(contexo, ".sync", "distill.json")

      const onDisk = <A>(operation: string, work: () => A) =>
        Effect.try({
          try: work,
          catch: (error) => new FileFailure({ path: folder, operation, reason: errnoOf(error) })
        })
      const list = Effect.map(
        onDisk("list", () => pendingSessions(contexo)),
        (found) => found.toSorted((a, b) => b.modified - a.modified || (a.session < b.session ? -1 : 1))
      )
      const file = Effect.provide(readJsonFile(noted, NotedFile), platform)
      const shown = Effect.map(file, Option.match({ onNone: () => [], onSome: ({ known }) => known.shown ?? [] }))
      return {
        count: Effect.map(list, (found) => found.length),
        list,
        read: (session) =>
          Effect.map(
            onDisk("read", () => pendingTurns(contexo, session)),
            Option.fromNullable
          ),
        archive: (session, until) =>
          withBuffersLock(
            contexo,
            onDisk("archive", () => archiveTurns(contexo, session, until))
          ).pipe(Effect.provide(platform)),
        shown,
        note: (one) =>
          Effect.gen(function* () {
            const before = yield* file
            const known = yield* shown
            // Of a session, what was shown last; what was distilled is kept, to know it when it is said again.
            const others = known.filter(({ distilled, session }) => session !== one.session || distilled !== undefined)
            yield* ensureFolder(contexo, ".sync")
            yield* patchJsonFile(
              noted,
              Option.map(before, ({ object }) => object),
              { shown: [...others, one].slice(-kept) }
            )
          }).pipe(lock.run, Effect.provide(platform))
      }
    })
  )
}

/** So many are remembered. */
const kept = 50

const NotedFile = Schema.Struct({ shown: Schema.optionalWith(Schema.Array(ShownBuffer), { exact: true }) })
