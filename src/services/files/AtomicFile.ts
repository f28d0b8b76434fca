import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Clock, Duration, Effect, Option, Random, Schedule } from "effect"
import { errnoOf, fileFailure } from "./Errno.ts"
import { processId } from "../runtime/ProcessIdDriver.ts"

export interface WriteOptions {
  /** Permission bits to enforce, such as 0o600, whatever the umask. Without it a replaced file keeps its own. */
  readonly mode?: number
  /** False leaves out both fsyncs: the caller vouches for nothing before it has called `flush` on file and folder. */
  readonly sync?: boolean
}

/**
 * Creates or replaces a file: temporary file in the same folder, fsync, rename, fsync of the folder. Whoever reads sees
 * the old or the new content, and so does whoever looks after a crash at any instruction.
 *
 * When to use: for every file that must not be half written. Hold the project lock when the content depends on what
 * was read.
 *
 * Gotchas: the folder must exist; a symbolic link at `target` is replaced, not followed; not interruptible, since half
 * a write helps nobody.
 *
 * Errors: `FileFailure` with the errno as its reason. The old content is then untouched, the temporary file is removed.
 *
 * @example
 * yield* writeAtomically(path.join(contexo, "credentials.json"), text, { mode: 0o600 })
 *
 * Source: design.md rule 1; public case A36.
 */
export const writeAtomically = Effect.fn("writeAtomically")(function* (
  target: string,
  content: Uint8Array | string,
  options: WriteOptions = {}
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.dirname(target)
  const temporary = path.join(folder, (yield* temporaryNames)())
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  const mode = options.mode ?? (yield* modeOf(target))

  yield* fill(temporary, bytes, mode, options.sync !== false).pipe(
    Effect.mapError(fileFailure(target, "write")),
    Effect.zipRight(
      fs.rename(temporary, target).pipe(whileOpenElsewhere, Effect.mapError(fileFailure(target, "replace")))
    ),
    Effect.tapError(() => Effect.ignore(fs.remove(temporary)))
  )
  if (options.sync !== false) yield* flush(folder)
  yield* sweep(folder)
}, Effect.uninterruptible)

/**
 * Brings a file's content, or the names that a folder holds, to the disk itself. Does nothing where the platform cannot:
 * Windows opens no folder.
 */
export const flush = Effect.fn("flush")(function* (target: string) {
  const fs = yield* FileSystem.FileSystem
  // Windows flushes only what is open for writing; a folder never is.
  const open = Effect.orElse(fs.open(target, { flag: "r+" }), () => fs.open(target, { flag: "r" }))
  yield* Effect.scoped(Effect.flatMap(open, (file) => file.sync)).pipe(
    Effect.catchIf(
      (error) => cannotFlush.has(errnoOf(error)),
      () => Effect.void
    ),
    Effect.mapError(fileFailure(target, "flush"))
  )
})

const cannotFlush: ReadonlySet<string> = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL", "EBADF", "ENOTSUP", "ENOSYS"])

const fill = Effect.fnUntraced(function* (path: string, bytes: Uint8Array, mode: number | undefined, sync: boolean) {
  const fs = yield* FileSystem.FileSystem
  // `wx`: whatever stands there, a link included, is not ours to write through.
  const file = yield* fs.open(path, { flag: "wx", ...(mode === undefined ? {} : { mode }) })
  // The platform takes a write of no bytes for a failed one.
  if (bytes.length > 0) yield* file.writeAll(bytes)
  if (mode !== undefined) yield* fs.chmod(path, mode)
  if (sync) yield* file.sync
}, Effect.scoped)

const modeOf = (target: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.option(fs.stat(target))).pipe(
    Effect.map((info) => Option.getOrUndefined(Option.map(info, ({ mode }) => mode & 0o777)))
  )

/** On Windows a file that somebody has open cannot be replaced; scanners and editors let go within moments. */
const whileOpenElsewhere = <A, R>(rename: Effect.Effect<A, PlatformError, R>): Effect.Effect<A, PlatformError, R> =>
  Effect.retry(rename, {
    while: (error) => ["EPERM", "EBUSY", "EACCES"].includes(errnoOf(error)),
    schedule: Schedule.exponential("5 millis").pipe(Schedule.jittered, Schedule.intersect(Schedule.recurs(8)))
  })

const hex = (n: number): string => n.toString(16).padStart(8, "0")

/** Names that no other write has, and no listing shows. */
export const temporaryNames = Effect.map(Random.nextIntBetween(0, 2 ** 32), (series) => {
  let count = 0
  return () => `.ctx-${processId}-${hex(series)}${hex(count++)}.tmp`
})

export const isTemporary = (name: string): boolean => /^\.ctx-\d+-[0-9a-f]{16}\.tmp$/.test(name)

/** When each folder was last swept by this process, in milliseconds: listing a large folder on each write would cost. */
const swept = new Map<string, number>()
const sweepEvery = Duration.toMillis("1 hour")
const abandonedAfter = Duration.toMillis("1 hour")

/** Removes what a killed process left behind. A write lasts milliseconds, so an old temporary file has no writer. */
export const sweep = Effect.fnUntraced(function* (folder: string) {
  const now = yield* Clock.currentTimeMillis
  const last = swept.get(folder)
  if (last !== undefined && Math.abs(now - last) < sweepEvery) return
  swept.set(folder, now)
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const name of (yield* fs.readDirectory(folder)).filter(isTemporary)) {
    const leftover = path.join(folder, name)
    const { mtime } = yield* fs.stat(leftover)
    if (Option.exists(mtime, (date) => now - date.getTime() > abandonedAfter)) yield* fs.remove(leftover)
  }
}, Effect.ignore)
