import { FileSystem, Path } from "@effect/platform"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Manifest, type ManifestKind } from "../../model/sync/Manifest.ts"
import { writeAtomically } from "../files/AtomicFile.ts"
import { fileFailure } from "../files/Errno.ts"
import { CorruptFile, FileFailure, type LeavesStore } from "../files/FileFailure.ts"
import { namesIfThere } from "../files/Files.ts"
import { readJsonFile } from "../files/JsonFile.ts"
import { Project } from "../project/Project.ts"
import { type LockTimeout, ProjectLock } from "../project/ProjectLock.ts"
import { fileAt } from "../page/StoreFile.ts"
import { leadsOut } from "../project/StoreFolder.ts"
import { locate, Place } from "../project/StorePathDriver.ts"
import { holdCloneLock } from "./CloneLock.ts"

/** Below `.contexo/`: what is staged, and the only two folders from which anything is ever deleted. */
export const manifestName = "migrate.json"
export const clonesFolder = ".migrate-cache"
export const slicesCache = ".generate-cache"

/** Something was staged before, and nobody said that it is done. */
export class AlreadyStaged extends Schema.TaggedError<AlreadyStaged>()("AlreadyStaged", {
  kind: Schema.Literal("migrate", "generate"),
  count: Schema.Int,
  source: Schema.String
}) {
  override get message() {
    const tool = `ctx_${this.kind}`
    return `${this.count} item(s) of ${this.source} are staged and not imported yet. Have your agent finish them (${tool}), or drop them: 'ctx ${this.kind} --done' or ${tool}(done=true).`
  }
}

type Trouble = FileFailure | CorruptFile | LeavesStore

/**
 * What was picked to become pages, in `.contexo/migrate.json`, for both migrate and generate: one of them at a time.
 * Source: reference.md section 9.
 */
export class Staging extends Context.Tag("ctx-mcp/Staging")<
  Staging,
  {
    readonly staged: Effect.Effect<Option.Option<Manifest>, Trouble>
    /** Refuses where something is staged. */
    readonly stage: (manifest: Manifest) => Effect.Effect<void, Trouble | LockTimeout | AlreadyStaged>
    /** Drops what is staged of this kind, and gives it back; the other kind's stays. */
    readonly finish: (kind: ManifestKind) => Effect.Effect<Option.Option<Manifest>, Trouble | LockTimeout>
    /** Deletes clones that nothing staged refers to; how many. */
    readonly sweepClones: Effect.Effect<number, Trouble | LockTimeout>
    /** Deletes a folder of a cache with all that it holds; nothing else can be named. */
    readonly removeCache: (cache: typeof slicesCache) => Effect.Effect<void, FileFailure>
  }
>() {
  static readonly layer = Layer.effect(
    Staging,
    Effect.gen(function* () {
      const { contexo } = yield* Project
      const lock = yield* ProjectLock
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const file = `${contexo}/${manifestName}`

      const staged = Effect.gen(function* () {
        yield* fileAt(contexo, manifestName)
        const read = yield* readJsonFile(file, Manifest)
        if (Option.isNone(read)) return Option.none<Manifest>()
        const wrong = whatIsWrong(read.value.known, (folder) => path.join(contexo, folder), path)
        return Option.isNone(wrong)
          ? Option.some(read.value.known)
          : yield* new CorruptFile({ path: file, reason: wrong.value })
      }).pipe(Effect.provide(platform))

      const remove = (relative: string) =>
        Place.$match(locate(contexo, relative), {
          Absent: () => Effect.void,
          Outside: ({ target }) =>
            new FileFailure({ path: `${contexo}/${relative}`, operation: "delete", reason: leadsOut(target) }),
          Refused: ({ reason }) => new FileFailure({ path: `${contexo}/${relative}`, operation: "delete", reason }),
          File: ({ path: found }) => Effect.mapError(fs.remove(found), fileFailure(found, "delete")),
          Folder: ({ path: found }) =>
            Effect.mapError(fs.remove(found, { recursive: true }), fileFailure(found, "delete"))
        })

      const sweepClones = Effect.gen(function* () {
        const keep = new Set(Option.match(yield* staged, { onNone: () => [], onSome: ({ clones }) => clones }))
        const folder = locate(contexo, clonesFolder)
        if (folder._tag !== "Folder") return 0
        const unused = (yield* namesIfThere(folder.path)).filter((name) => !keep.has(name))
        yield* Effect.forEach(unused, (name) => {
          const found = `${folder.path}/${name}`
          // Of a symbolic link the link goes, not what it leads to.
          return Effect.mapError(fs.remove(found, { recursive: true }), fileFailure(found, "delete"))
        })
        return unused.length
      }).pipe(Effect.provide(platform))

      return {
        staged,
        stage: (manifest) =>
          Effect.gen(function* () {
            const before = yield* staged
            if (Option.isSome(before)) {
              const { items, kind, source } = before.value
              return yield* new AlreadyStaged({ kind, count: items.length, source })
            }
            yield* writeAtomically(file, `${JSON.stringify(manifest, null, 2)}\n`)
          }).pipe(lock.run, Effect.provide(platform)),
        finish: (kind) =>
          Effect.gen(function* () {
            const before = Option.filter(yield* staged, (manifest) => manifest.kind === kind)
            if (Option.isSome(before)) yield* remove(manifestName)
            return before
          }).pipe(lock.run),
        sweepClones: holdCloneLock(contexo, 0).pipe(
          Effect.zipRight(lock.run(sweepClones)),
          Effect.scoped,
          // A clone is being made, or read.
          Effect.catchTag("CloneInUse", () => Effect.succeed(0)),
          Effect.provide(platform)
        ),
        removeCache: remove
      }
    })
  )
}

/** A manifest is a file that anybody could have written: no item may lie outside of its source or the caches. */
const whatIsWrong = (
  { clones, items, source }: Manifest,
  inStore: (folder: string) => string,
  path: Path.Path
): Option.Option<string> => {
  if (!path.isAbsolute(source)) return Option.some("its source is no absolute path")
  const roots = [source, inStore(clonesFolder), inStore(slicesCache)]
  const isInside = (file: string) =>
    path.isAbsolute(file) &&
    roots.some((root) => {
      const inner = path.relative(root, file)
      return inner !== "" && !inner.startsWith("..") && !path.isAbsolute(inner)
    })
  const outside = items.find((item) => !isInside(item.abs_path))
  if (outside !== undefined) return Option.some(`item ${outside.n} lies outside of its source`)
  const clone = clones.find((name) => !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name))
  return clone === undefined ? Option.none() : Option.some("a clone's name is no plain name")
}
