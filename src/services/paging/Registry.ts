import { FileSystem, Path } from "@effect/platform"
import { Context, Duration, Effect, Layer, Option, Predicate, Schema } from "effect"
import { writeAtomically } from "../files/AtomicFile.ts"
import { fileFailure } from "../files/Errno.ts"
import type { CorruptFile, FileFailure } from "../files/FileFailure.ts"
import * as FileLock from "../project/FileLock.ts"
import { type JsonObject, readJsonFile } from "../files/JsonFile.ts"
import { databaseFailure } from "../project/StoreFolder.ts"
import { PagingPlace } from "./PagingPlace.ts"
import { registryPath, scriptsIn } from "./RegistryDriver.ts"

type Trouble = FileFailure | CorruptFile

/**
 * Which projects are subscribed to capture: one file for all of a user's projects, and the only thing that hooks check.
 * Entries and keys of others are kept.
 *
 * Source: context-paging.md, "Store" and "Harness wiring".
 */
export class Registry extends Context.Tag("ctx-mcp/PagingRegistry")<
  Registry,
  {
    readonly path: string
    readonly isSubscribed: (root: string) => Effect.Effect<boolean, Trouble>
    readonly subscribe: (root: string, database: string) => Effect.Effect<void, Trouble>
    /** Whether it was subscribed. */
    readonly unsubscribe: (root: string) => Effect.Effect<boolean, Trouble>
  }
>() {
  static readonly layer = Layer.effect(
    Registry,
    Effect.gen(function* () {
      const { variables } = yield* PagingPlace
      const fs = yield* FileSystem.FileSystem
      const { dirname } = yield* Path.Path
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const file = registryPath(variables)
      const folder = dirname(file)

      const read = Effect.map(
        readJsonFile(file, Schema.Struct({})),
        Option.match({ onNone: (): JsonObject => ({}), onSome: ({ object }) => object })
      ).pipe(Effect.provide(platform))

      /** Changes the file under a lock of its own: several projects may be set up at once. */
      const change = (edit: (before: JsonObject) => JsonObject | undefined) =>
        Effect.scoped(
          Effect.gen(function* () {
            yield* Effect.mapError(
              fs.makeDirectory(folder, { recursive: true, mode: 0o700 }),
              fileFailure(folder, "create")
            )
            const lock = yield* FileLock.make(folder, "projects.db", Duration.seconds(30))
            return yield* Effect.acquireUseRelease(
              Effect.mapError(lock.acquire, (failure) =>
                failure._tag === "SqliteFailure" ? databaseFailure("lock")(failure) : failure
              ),
              () =>
                Effect.gen(function* () {
                  const after = edit(yield* read)
                  if (after !== undefined) yield* writeAtomically(file, `${JSON.stringify(after, null, 2)}\n`)
                  return after !== undefined
                }),
              () => lock.release
            )
          })
        ).pipe(Effect.provide(platform))

      return {
        path: file,
        isSubscribed: (root) => Effect.map(read, (entries) => Predicate.isRecord(entries[root])),
        subscribe: (root, database) =>
          Effect.asVoid(
            change((before) => {
              const known = before[root]
              const entry = { ...(Predicate.isRecord(known) ? known : {}), db: database, scripts: scriptsIn(root) }
              return { ...before, [root]: entry }
            })
          ),
        unsubscribe: (root) =>
          change((before) =>
            root in before ? Object.fromEntries(Object.entries(before).filter(([name]) => name !== root)) : undefined
          )
      }
    })
  )
}
