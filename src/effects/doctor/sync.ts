import { Path } from "@effect/platform"
import { Effect, Either, Option } from "effect"
import { namesIfThere, statIfThere } from "../../services/files/Files.ts"
import type { Catalog } from "../../services/page/PageStore.ts"
import { Project } from "../../services/project/Project.ts"
import { open } from "../../services/sqlite/SqliteDriver.ts"
import { type Snapshot, SyncState } from "../../services/sync/SyncState.ts"
import { failureOf, type Finding, note, ok, problem, warning } from "./Finding.ts"

const basesPath = ".sync/bases.db"

/** What this clone knows of the server, as far as it can be read, and what is odd about it. */
export const syncFindings = (catalog: Option.Option<Catalog>) =>
  Effect.gen(function* () {
    const state = yield* SyncState
    const recorded = yield* Effect.either(state.recorded)
    const bases = yield* basesFindings
    const broken = [...failureOf("state", recorded, ".sync/state.json"), ...bases]
    // A snapshot would begin corrupt bases anew; to look is not to repair.
    if (broken.length > 0) return { snapshot: Option.none<Snapshot>(), findings: broken }
    const snapshot = yield* Effect.either(state.snapshot)
    if (Either.isLeft(snapshot)) {
      return { snapshot: Option.none<Snapshot>(), findings: failureOf("bases", snapshot, basesPath) }
    }
    const sound = ok(
      "state",
      `${snapshot.right.recorded.size} page(s) known to the server, ${snapshot.right.bases.size} base(s)`
    )
    const pages = Option.match(catalog, {
      onNone: () => [],
      onSome: (there) => recordFindings(there, snapshot.right)
    })
    return { snapshot: Option.some(snapshot.right), findings: [sound, ...(yield* setAside), ...pages] }
  })

/** Whether `bases.db` is a sound database. None there is as good: then nothing was pushed or pulled by this program yet. */
const basesFindings = Effect.gen(function* () {
  const path = (yield* Path.Path).join((yield* Project).contexo, basesPath)
  const info = yield* statIfThere(path)
  if (!Option.exists(info, ({ size }) => size > 0n)) return []
  const db = yield* open({ path, journal: "rollback" })
  const [row] = yield* db.all("PRAGMA integrity_check(1)")
  const verdict = row?.["integrity_check"]
  return verdict === "ok" ? [] : [unsound(String(verdict))]
}).pipe(
  Effect.scoped,
  Effect.catchAll((failure) =>
    Effect.succeed([
      failure._tag === "SqliteFailure" && failure.code === "corrupt"
        ? unsound(failure.reason)
        : problem("bases", failure.message, { path: basesPath })
    ])
  )
)

const unsound = (reason: string): Finding =>
  problem("bases", `not a sound database (${reason})`, {
    path: basesPath,
    fix: "'ctx doctor --fix' moves it aside, and so does the next command that needs it; then 'ctx pull' compares with the server"
  })

const setAside = Effect.gen(function* () {
  const folder = (yield* Path.Path).join((yield* Project).contexo, ".sync")
  const names = yield* Effect.orElseSucceed(namesIfThere(folder), () => [])
  return names
    .filter((name) => /^bases\.db\.corrupt-\d+$/.test(name))
    .map((name) =>
      note("bases", "was corrupt, and is kept aside", {
        path: `.sync/${name}`,
        fix: "remove it once 'ctx pull' keeps nothing back"
      })
    )
})

/** The record of the server's shas against the files. */
const recordFindings = (
  { entries, problems }: Catalog,
  { awaiting, bases, recorded }: Snapshot
): ReadonlyArray<Finding> => {
  const unlisted = new Set(problems.map(({ path }) => path))
  const waiting = [...awaiting].filter(([path, mark]) => entries.get(path)?.hash === mark.mineHash)
  const merges = waiting.map(([path]) =>
    warning("awaiting-merge", "changed here and on the server, and not merged yet", {
      path,
      fix: "'ctx push' shows both versions; write one that keeps both, and push again"
    })
  )
  const records = [...recorded].flatMap(([path, sha]) => {
    const entry = entries.get(path)
    if (entry === undefined) {
      return unlisted.has(path)
        ? []
        : [
            warning("gone-here", "the file is gone here, and the server may still have the page", {
              path,
              fix: "'ctx pull --full' brings it back; no push deletes it on the server"
            })
          ]
    }
    return bases.get(path)?.sha === sha
      ? []
      : [
          note(
            "unknown-base",
            "what this copy was based on is not known (another program pulled it, or a file was lost)",
            {
              path,
              fix: "'ctx pull' compares it with the server"
            }
          )
        ]
  })
  return [...merges, ...records]
}
