import { SqlClient } from "@effect/sql"
import { Effect, Layer, Schedule } from "effect"
import * as Sqlite from "../sqlite/SqliteClient.ts"
import type { SqliteFailure } from "../sqlite/SqliteDriver.ts"
import { ServerStore, StoreUnavailable } from "./ServerStore.ts"
import { accounts } from "./sql/accounts.ts"
import { erasing } from "./sql/erasing.ts"
import { migrate, type NewerDatabase } from "./sql/migrations.ts"
import { pushing } from "./sql/pushing.ts"
import { reading } from "./sql/reading.ts"
import { schema } from "./sql/schema.ts"
import { unavailable } from "./sql/support.ts"

/**
 * The server's store in one SQLite file, which is created (mode 0600) or brought to the newest version. What was
 * acknowledged survives a power failure.
 *
 * @param path Absolute path of the database file, in a folder that exists.
 */
export const layer = (path: string): Layer.Layer<ServerStore, SqliteFailure | StoreUnavailable | NewerDatabase> =>
  Layer.effect(
    ServerStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* unavailable(migrate(schema))
      // Deleted rows are overwritten, so that what was purged is nowhere in the file.
      yield* unavailable(sql.unsafe("PRAGMA secure_delete = ON"))
      const read = reading(sql)
      // BEGIN IMMEDIATE already holds the whole database.
      const lock = () => Effect.void
      return { ...accounts(sql), ...read.store, ...pushing(sql, read.inside, lock), ...erasing(sql, lock, scrub(sql)) }
    })
  ).pipe(Layer.provide(Sqlite.layer({ path })))

/** Empties the log that goes before the file. While another process reads, it cannot be emptied. */
const scrub = (sql: SqlClient.SqlClient) =>
  sql.unsafe<{ readonly busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)").pipe(
    Effect.filterOrFail(
      ([row]) => row?.busy === 0,
      () =>
        new StoreUnavailable({
          reason: "another program reads the database, whose log may still hold what was purged; purge again after it"
        })
    ),
    Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 20 })
  )
