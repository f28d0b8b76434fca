/** A child process of the tests: `increment.ts FILE COUNT` adds one COUNT times, each in a read-then-write transaction. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { layer } from "../../../src/services/sqlite/SqliteClient.ts"

const [path = "", count = "0"] = process.argv.slice(2)

const addOne = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const [row] = yield* sql<{ n: number }>`SELECT n FROM counter`
      yield* sql`UPDATE counter SET n = ${(row?.n ?? 0) + 1}`
    })
  )
)

NodeRuntime.runMain(Effect.provide(Effect.repeatN(addOne, Number(count) - 1), layer({ path })))
