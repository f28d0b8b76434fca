import { type FileSystem, Path } from "@effect/platform"
import { Effect, FiberRef } from "effect"
import { flush, sweep, temporaryNames, writeAtomically } from "../files/AtomicFile.ts"
import { flushAll, replaceNow } from "../files/BatchWriteDriver.ts"
import type { FileFailure } from "../files/FileFailure.ts"

/** Writes, each flushed at once, or all together at the end of a batch. */
export interface PageBatch {
  /** Creates or replaces. `mode`: of the file that is replaced. */
  readonly write: (target: string, text: string, mode: number | undefined) => Effect.Effect<void, FileFailure>
  /** Names in a folder changed. */
  readonly changed: (folder: string) => Effect.Effect<void, FileFailure>
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | FileFailure, R>
}

/** A fiber that outlives the batch it was forked in finds it over, and flushes by itself. */
interface Pending {
  over: boolean
  readonly nextName: () => string
  readonly files: Set<string>
  readonly folders: Set<string>
}

const encoder = new TextEncoder()

export const make = Effect.gen(function* () {
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const path = yield* Path.Path
  const ref = yield* FiberRef.make<Pending | undefined>(undefined)
  const current = Effect.map(FiberRef.get(ref), (pending) => (pending?.over === false ? pending : undefined))

  const flushFolder = (folder: string) => Effect.provide(flush(folder), platform)
  const tidy = (folder: string) => Effect.provide(Effect.zipRight(flush(folder), sweep(folder)), platform)

  const writeLater = (pending: Pending, target: string, text: string, mode: number | undefined) =>
    Effect.suspend(() => {
      const folder = path.dirname(target)
      pending.files.add(target)
      pending.folders.add(folder)
      const temporary = path.join(folder, pending.nextName())
      if (replaceNow(target, temporary, encoder.encode(text), mode)) return Effect.void
      // The careful way waits for whoever has the file open, and names what is wrong.
      return Effect.provide(writeAtomically(target, text, { sync: false }), platform)
    })

  const write: PageBatch["write"] = (target, text, mode) =>
    Effect.flatMap(current, (pending) =>
      pending === undefined
        ? Effect.provide(writeAtomically(target, text), platform)
        : writeLater(pending, target, text, mode)
    )

  const changed: PageBatch["changed"] = (folder) =>
    Effect.flatMap(current, (pending) =>
      pending === undefined ? flushFolder(folder) : Effect.sync(() => pending.folders.add(folder))
    )

  const run: PageBatch["run"] = (effect) =>
    Effect.flatMap(Effect.zip(current, temporaryNames), ([outer, nextName]) => {
      if (outer !== undefined) return effect
      const pending: Pending = { over: false, nextName, files: new Set(), folders: new Set() }
      return Effect.locally(effect, ref, pending).pipe(
        Effect.ensuring(Effect.sync(() => Object.assign(pending, { over: true }))),
        Effect.tap(() => flushAll(pending.files)),
        Effect.tap(() => Effect.forEach(pending.folders, tidy, { discard: true }))
      )
    })
  return { write, changed, run } satisfies PageBatch
})
