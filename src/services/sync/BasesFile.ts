import { FileSystem, Path } from "@effect/platform"
import { Effect, Option } from "effect"
import * as BasesTables from "./BasesTables.ts"
import { fileFailure } from "../files/Errno.ts"
import { lazyDatabase } from "../project/LazyDatabase.ts"
import { FileFailure } from "../files/FileFailure.ts"
import { ProjectLock } from "../project/ProjectLock.ts"
import type { SqliteDatabase, SqliteFailure } from "../sqlite/SqliteDriver.ts"
import { databaseFailure, ensureFolder, leadsOut } from "../project/StoreFolder.ts"
import { identityOf, locate } from "../project/StorePathDriver.ts"

const name = ".sync/bases.db"

/**
 * `bases.db`, opened when it is first needed. A corrupt one is moved aside to `bases.db.corrupt-<n>` and begun anew with
 * the marks that can still be read: every base is unknown then, and the server is asked instead.
 *
 * Not WAL: a project that is not writable must still be readable.
 */
export const make = Effect.fnUntraced(function* (contexo: string) {
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const fs = yield* FileSystem.FileSystem
  const lock = yield* ProjectLock
  const path = (yield* Path.Path).join(contexo, name)
  const turn = yield* Effect.makeSemaphore(1)
  const database = yield* lazyDatabase({ path, journal: "rollback" }, BasesTables.upToDate)

  const use = <A>(what: (db: SqliteDatabase) => Effect.Effect<A, SqliteFailure>) =>
    turn.withPermits(1)(Effect.flatMap(database.current, what))

  /** Under the lock, and only when it is still corrupt by then: another process may have begun it anew. */
  const recover = Effect.gen(function* () {
    const verdict = yield* Effect.either(use((db) => db.all("PRAGMA quick_check(1)")))
    if (verdict._tag === "Right" && verdict.right[0]?.["quick_check"] === "ok") return
    const rescued = yield* Effect.option(use(BasesTables.readMarks))
    yield* turn.withPermits(1)(database.close)
    const aside = yield* freeName(path)
    yield* fs.rename(path, aside).pipe(Effect.mapError(fileFailure(path, "move aside")))
    yield* Effect.ignore(fs.rename(`${path}-journal`, `${aside}-journal`))
    yield* Effect.logWarning(`${path} was corrupt. It is now ${aside}; pages are compared with the server's again.`)
    const marks = Option.getOrElse(rescued, () => new Map())
    const kept = { await: [...marks].map(([page, mark]) => ({ path: page, mark })) }
    yield* use((db) => BasesTables.write(db, kept, new Map())).pipe(Effect.mapError(databaseFailure("write")))
  }).pipe(lock.run)

  /** Answers from the file; `otherwise` where there is none, or only a corrupt one that cannot be moved. */
  const read = <A>(what: (db: SqliteDatabase) => Effect.Effect<A, SqliteFailure>, otherwise: A) =>
    Effect.suspend(() => {
      const place = locate(contexo, name)
      if (place._tag === "Absent" || (place._tag === "File" && place.stats.size === 0)) return Effect.succeed(otherwise)
      if (place._tag === "Outside") return new FileFailure({ path, operation: "read", reason: leadsOut(place.target) })
      const anew = Effect.zipRight(recover, use(what)).pipe(
        Effect.catchTag("FileFailure", ({ message }) => Effect.as(Effect.logWarning(message), otherwise))
      )
      return Effect.catchIf(use(what), isCorrupt, () => anew).pipe(
        Effect.catchTag("SqliteFailure", databaseFailure("read"))
      )
    })

  const write = (what: (db: SqliteDatabase) => Effect.Effect<unknown, SqliteFailure>) => {
    const attempt = use(what)
    return Effect.zipRight(
      Effect.provide(ensureFolder(contexo, ".sync"), platform),
      Effect.catchIf(attempt, isCorrupt, () => Effect.zipRight(recover, attempt))
    ).pipe(Effect.catchTag("SqliteFailure", databaseFailure("write")))
  }
  return { read, write }
})

const isCorrupt = ({ code }: SqliteFailure): boolean => code === "corrupt"

const freeName = (path: string, n = 1): Effect.Effect<string> =>
  Effect.suspend(() =>
    identityOf(`${path}.corrupt-${n}`) === undefined ? Effect.succeed(`${path}.corrupt-${n}`) : freeName(path, n + 1)
  )
