/** Driver over `node:fs` for batches: a write of some fifty microseconds, and flushing that waits for many files at a time. */
import { closeSync, fchmodSync, fsync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { Effect } from "effect"
import { errnoOf } from "./Errno.ts"
import { FileFailure } from "./FileFailure.ts"

/**
 * Replaces `target` through `temporary`, which lies in the same folder, without flushing. False: the system refused, and
 * nothing was changed.
 */
export const replaceNow = (target: string, temporary: string, bytes: Uint8Array, mode: number | undefined): boolean => {
  try {
    fill(temporary, bytes, mode)
    renameSync(temporary, target)
    return true
  } catch {
    rmSync(temporary, { force: true })
    return false
  }
}

const fill = (path: string, bytes: Uint8Array, mode: number | undefined): void => {
  const file = openSync(path, "wx")
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
    if (mode !== undefined) fchmodSync(file, mode)
  } finally {
    closeSync(file)
  }
}

/** Brings files to the disk itself. One that is gone by now needs none of it. */
export const flushAll = (paths: Iterable<string>): Effect.Effect<void, FileFailure> =>
  Effect.forEach(paths, flushOne, { concurrency: 16, discard: true })

const flushOne = (path: string): Effect.Effect<void, FileFailure> =>
  Effect.async((resume) => {
    const end = (error: unknown) =>
      resume(
        error === null || errnoOf(error) === "ENOENT"
          ? Effect.void
          : new FileFailure({ path, operation: "flush", reason: errnoOf(error) })
      )
    try {
      // Windows flushes only what is open for writing.
      const file = openSync(path, process.platform === "win32" ? "r+" : "r")
      fsync(file, (error) => {
        closeSync(file)
        end(error)
      })
    } catch (error) {
      end(error)
    }
  })
