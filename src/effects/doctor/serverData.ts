import { Path } from "@effect/platform"
import { Effect, Option } from "effect"
import { open } from "../../services/sqlite/SqliteDriver.ts"
import { statIfThere } from "../../services/files/Files.ts"
import { currentUid } from "../../services/runtime/UserDriver.ts"
import { checkData } from "../server/check.ts"
import { type Finding, isHealthy, ok, problem } from "./Finding.ts"
import { runtimeFindings } from "./runtime.ts"

/**
 * Looks at the data folder of a server, running or not. With `readData`, everything in its database is read and hashed anew.
 *
 * @param folder Absolute path, as `ctx serve --data` was given it.
 *
 * Errors: none; what cannot be looked at is a finding.
 */
export const doctorServerData = Effect.fn("doctor.serverData")(function* (folder: string, readData: boolean) {
  const database = (yield* Path.Path).join(folder, "server.db")
  const runs = yield* runtimeFindings
  const access = yield* accessFindings(folder, database)
  const found = isHealthy(access) ? yield* contentFindings(database, readData) : []
  const findings = [...runs, ...access, ...found]
  return { findings, ok: isHealthy(findings) }
})

/** Whether there is a database, and whether others may read it. Windows has no modes of this kind. */
const accessFindings = Effect.fnUntraced(
  function* (folder: string, database: string) {
    const hasModes = Option.isSome(yield* currentUid)
    const there = yield* Effect.forEach([folder, database], (path) =>
      Effect.map(statIfThere(path), (info) => ({ path, info }))
    )
    return there.flatMap(({ info, path }): ReadonlyArray<Finding> => {
      if (Option.isNone(info))
        return [problem("server-data", "not there", { path, fix: "name the folder that 'ctx serve --data' was given" })]
      const mode = info.value.mode & 0o777
      return hasModes && path === database && (mode & 0o077) !== 0
        ? [
            problem("server-data", `others on this machine may read it (mode 0${mode.toString(8)})`, {
              path,
              fix: `chmod 600 ${path}`
            })
          ]
        : []
    })
  },
  Effect.catchAll(({ message, path }) => Effect.succeed([problem("server-data", message, { path })]))
)

const contentFindings = (database: string, readData: boolean) =>
  (readData ? read(database) : glance(database)).pipe(
    Effect.catchAll(({ message }) => Effect.succeed([problem("server-data", message, { path: database })]))
  )

const read = (path: string) =>
  Effect.map(checkData(path), ({ commits, faults, repositories, versions }): ReadonlyArray<Finding> => [
    ...faults.map((fault) =>
      problem("server-data", fault, { path, fix: "restore it from a backup; clones keep what they have" })
    ),
    ok(
      "server-data",
      `${repositories} repositories, ${commits} commit(s) and ${versions} version(s) read, ${faults.length} fault(s)`
    )
  ])

const glance = (path: string) =>
  Effect.gen(function* () {
    const db = yield* open({ path, readOnly: true })
    const lines = (yield* db.all("PRAGMA quick_check(1)")).map((row) => String(row["quick_check"]))
    return lines.map((line) =>
      line === "ok"
        ? ok("server-data", "the database is sound (--read-data reads all of it)")
        : problem("server-data", line, { path })
    )
  }).pipe(Effect.scoped)
