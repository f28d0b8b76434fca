import { Effect } from "effect"
import { checkpointsSafely, versionOf } from "../../services/sqlite/journal.ts"
import { open } from "../../services/sqlite/SqliteDriver.ts"
import { type Runtime, runtime } from "../../services/runtime/RuntimeDriver.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"

const oldest = { node: "22.13.0", deno: "2.2.0" }

/** Whether a runtime is new enough. */
export const runtimeFinding = ({ deno, node }: Runtime): Finding => {
  const [name, version, least] =
    deno === undefined ? (["Node", node, oldest.node] as const) : (["Deno", deno, oldest.deno] as const)
  return isBefore(version, least)
    ? problem("runtime", `${name} ${version} is too old`, { fix: `install ${name} ${least} or newer` })
    : ok("runtime", `${name} ${version}`)
}

/** Whether several processes may checkpoint one write-ahead log with this engine. Older ones work, more slowly. */
export const sqliteFinding = (version: string): Finding =>
  checkpointsSafely(versionOf(version))
    ? ok("sqlite", `SQLite ${version}`)
    : warning(
        "sqlite",
        `SQLite ${version} can lose part of a write-ahead log that several processes share; new databases do without one here`,
        { fix: "install a runtime with SQLite 3.51.3 or newer (Node 24 has it)" }
      )

/** Findings about what this program runs on. */
export const runtimeFindings: Effect.Effect<ReadonlyArray<Finding>> = Effect.gen(function* () {
  const sqlite = yield* open({ path: ":memory:", readOnly: true }).pipe(
    Effect.map(({ version }) => sqliteFinding(version)),
    Effect.catchAll(({ reason }) =>
      Effect.succeed(problem("sqlite", `this runtime's SQLite does not start (${reason})`))
    ),
    Effect.scoped
  )
  return [runtimeFinding(yield* runtime), sqlite]
})

const isBefore = (version: string, least: string): boolean => {
  const [one, other] = [versionOf(version), versionOf(least)]
  const differs = one.findIndex((part, index) => part !== other[index])
  return differs !== -1 && (one[differs] ?? 0) < (other[differs] ?? 0)
}
