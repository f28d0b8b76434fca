import { Effect, Option, Predicate, Schema } from "effect"
import { type PagePath, parsePagePath } from "../../model/page/PagePath.ts"
import { Sha } from "../../model/page/Sha.ts"
import { writeAtomically } from "../files/AtomicFile.ts"
import type { Move } from "./BasesTables.ts"
import { CorruptFile } from "../files/FileFailure.ts"
import { type JsonObject, readJsonFile } from "../files/JsonFile.ts"
import type { Snapshot, StateChange } from "./SyncState.ts"

const StateJson = Schema.Struct({ last_pull_sha: Schema.optional(Schema.String) })

/** What the file holds, and what of it concerns pages. */
export interface StateFile extends Pick<Snapshot, "lastPull" | "recorded"> {
  readonly object: JsonObject
  /** All entries, those under foreign paths too: they are kept, and not shown. */
  readonly shas: Readonly<Record<string, unknown>>
}

/**
 * Reads `.contexo/.sync/state.json` of reference 1.4. None there: nothing was ever pushed or pulled.
 *
 * Errors: `CorruptFile` for anything that is not the reference's shape. It is never reset.
 */
export const readState = Effect.fn("StateFile.read")(function* (path: string) {
  const file = yield* readJsonFile(path, StateJson)
  if (Option.isNone(file)) return nothing
  const { known, object } = file.value
  const corrupt = (reason: string) => new CorruptFile({ path, reason })
  // By hand, for the speed of ten thousand. The public client writes `null` for an empty map.
  const shas = object["page_shas"] ?? {}
  if (!Predicate.isReadonlyRecord(shas)) return yield* corrupt(`"page_shas" holds another kind of value than it should`)
  const recorded = new Map<PagePath, Sha>()
  for (const [name, sha] of Object.entries(shas)) {
    if (typeof sha !== "string") return yield* corrupt(`the sha of ${JSON.stringify(name)} is no text`)
    const page = parsePagePath(name)
    // An empty sha is as good as none.
    if (Option.isNone(page) || sha === "") continue
    if (!isSha(sha)) return yield* corrupt(`the sha of ${page.value} is no commit id`)
    recorded.set(page.value, sha)
  }
  const lastPull = known.last_pull_sha ?? ""
  if (lastPull !== "" && !isSha(lastPull)) return yield* corrupt("last_pull_sha is no commit id")
  return { object, shas, recorded, lastPull: Option.liftPredicate(lastPull, isSha) } satisfies StateFile
})

/** The moves of records that still stand where they started. */
export const whereStill = (
  recorded: StateFile["recorded"],
  moves: ReadonlyMap<PagePath, Move>
): ReadonlyArray<readonly [PagePath, Sha]> =>
  [...moves].flatMap(([path, { from, to }]) => ((recorded.get(path) ?? "") === from ? [[path, to] as const] : []))

/**
 * Applies what of a change belongs here, on top of what was read. Unknown keys stay; the paths are sorted.
 *
 * @param unfollowed Moves of an earlier change that never arrived here.
 */
export const writeState = Effect.fn("StateFile.write")(function* (
  path: string,
  before: StateFile,
  change: StateChange,
  unfollowed: ReadonlyMap<PagePath, Move>
) {
  const shas = new Map([...Object.entries(before.shas), ...whereStill(before.recorded, unfollowed)])
  for (const { base, path } of change.known ?? []) shas.set(path, base.sha)
  for (const path of change.forget ?? []) shas.delete(path)
  const after = {
    ...before.object,
    ...(change.lastPull === undefined ? {} : { last_pull_sha: change.lastPull }),
    page_shas: Object.fromEntries([...shas].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }
  const text = JSON.stringify(after, null, 2)
  if (text !== JSON.stringify(before.object, null, 2)) yield* writeAtomically(path, text)
})

/** Whether a change concerns this file at all. */
export const isRecorded = ({ forget = [], known = [], lastPull }: StateChange): boolean =>
  lastPull !== undefined || known.length > 0 || forget.length > 0

const nothing: StateFile = { object: {}, shas: {}, recorded: new Map(), lastPull: Option.none() }

const isSha = Schema.is(Sha)
