import { SqlClient } from "@effect/sql"
import { Clock, Effect, Schema } from "effect"

/** The database was written by a newer program than this one. */
export class NewerDatabase extends Schema.TaggedError<NewerDatabase>()("NewerDatabase", {
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message() {
    return `the database is at version ${this.found}, this program knows versions up to ${this.known}. Nothing was changed; run a newer ctx-mcp.`
  }
}

/** One step forward. Steps are only ever added; there is no way back. */
export interface Migration {
  readonly name: string
  readonly statements: ReadonlyArray<string>
}

/** Brings a database to the newest version, each step in a transaction of its own. Step n is the n-th of the list. */
export const migrate = Effect.fn("migrate")(function* (migrations: ReadonlyArray<Migration>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(
    "CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)"
  )
  const done = Effect.map(
    sql<{ readonly id: number | null }>`SELECT MAX(id) AS id FROM migrations`,
    (rows) => rows[0]?.id ?? 0
  )
  const found = yield* done
  if (found > migrations.length) return yield* new NewerDatabase({ found, known: migrations.length })
  for (const [index, { name, statements }] of migrations.entries()) {
    const id = index + 1
    if (id <= found) continue
    yield* sql.withTransaction(
      Effect.gen(function* () {
        // Another process may have done it meanwhile.
        if ((yield* done) >= id) return
        yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
        yield* sql`INSERT INTO migrations ${sql.insert({ id, name, applied_at: yield* Clock.currentTimeMillis })}`
      })
    )
  }
})
