import { FileSystem, Path } from "@effect/platform"
import { Effect, Either, Option } from "effect"
import { carryOut } from "../../services/agents/FilePlan.ts"
import { readTextIfThere } from "../../services/files/Files.ts"
import { PageStore } from "../../services/page/PageStore.ts"
import { Project } from "../../services/project/Project.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import { checkTrust } from "../../services/project/ProjectTrust.ts"
import { SyncState } from "../../services/sync/SyncState.ts"
import { leftovers, readableByOthers } from "./files.ts"
import { exposure, ignorePlan } from "./git.ts"

/** What a repair came to, in one sentence. */
export interface Repaired {
  readonly done: boolean
  readonly message: string
}

/**
 * Puts right what can be without anybody's decision: the mode of the token's file, the `.gitignore` line, leftover
 * temporary files, a corrupt `bases.db`, the page cache, and the indexes. No page, setting or record is touched.
 *
 * Run `doctor` afterwards, over services of its own: what this one remembers of the pages is gone from under it.
 *
 * Errors: none; a repair that fails is in the answer, with the reason.
 */
export const repair = Effect.fn("doctor.repair")(function* () {
  const { root } = yield* Project
  if (Either.isLeft(yield* Effect.either(checkTrust(root)))) return []
  const results = yield* Effect.all([
    told(privateToken),
    told(ignored),
    told(sweep),
    told(soundBases),
    told(freshCache),
    told(freshIndexes)
  ])
  return results.flat()
})

const told = <E extends { readonly message: string }, R>(
  step: Effect.Effect<ReadonlyArray<string>, E, R>
): Effect.Effect<ReadonlyArray<Repaired>, never, R> =>
  Effect.match(step, {
    onFailure: ({ message }) => [{ done: false, message }],
    onSuccess: (messages) => messages.map((message) => ({ done: true, message }))
  })

const privateToken = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { file, mode } = yield* readableByOthers
  if (Option.isNone(mode)) return []
  yield* fs.chmod(file, 0o600)
  return ["credentials.json is readable by you alone now (0600)"]
})

const ignored = Effect.gen(function* () {
  const { contexo, root } = yield* Project
  const lock = yield* ProjectLock
  if ((yield* exposure) !== "not-ignored") return []
  yield* lock.run(Effect.flatMap(ignorePlan(root), (plan) => carryOut(contexo, "ignore", plan)))
  return [".gitignore names .contexo/ now"]
})

const sweep = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const lock = yield* ProjectLock
  // Nobody who keeps the rules writes while we hold the lock.
  const removed = yield* lock.run(
    Effect.tap(leftovers, (found) => Effect.forEach(found, ({ file }) => fs.remove(file), { discard: true }))
  )
  return removed.length === 0 ? [] : [`removed ${removed.length} temporary file(s)`]
})

const soundBases = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = (yield* Path.Path).join((yield* Project).contexo, ".sync")
  const aside = Effect.orElseSucceed(
    Effect.map(fs.readDirectory(folder), (names) => names.filter((name) => name.startsWith("bases.db.corrupt-"))),
    (): Array<string> => []
  )
  const before = (yield* aside).length
  yield* (yield* SyncState).snapshot
  return (yield* aside).length > before ? ["moved a corrupt .sync/bases.db aside and began it anew"] : []
})

const freshCache = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { contexo } = yield* Project
  const database = path.join(contexo, ".cache", "catalog.db")
  yield* Effect.forEach(["", "-journal"], (end) => fs.remove(`${database}${end}`, { force: true }), { discard: true })
  const { entries } = yield* (yield* PageStore).catalog
  return [`read ${entries.size} page(s) anew`]
})

const freshIndexes = Effect.gen(function* () {
  const path = yield* Path.Path
  const { contexo } = yield* Project
  const read = Effect.forEach(["index.md", "tags.md"], (name) =>
    Effect.orElseSucceed(readTextIfThere(path.join(contexo, name)), () => Option.none<string>())
  )
  const before = yield* read
  yield* (yield* PageStore).regenerateIndexes
  const after = yield* read
  const same = before.every((text, index) => Option.getOrNull(text) === Option.getOrNull(after[index] ?? Option.none()))
  return same ? [] : ["wrote index.md and tags.md anew"]
})
