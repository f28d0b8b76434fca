import { Array as Arr, Effect, Layer, Option } from "effect"
import { MergeRequired } from "../../directives/MergeRequired.ts"
import { sha256 } from "../../model/text/Hash.ts"
import { mergePages } from "../../model/merge/Merge.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import { removeUnsafeKeepingBom } from "../../model/text/Sanitise.ts"
import { changeLines, diffPages } from "../../model/merge/SectionDiff.ts"
import { PageReads } from "../../services/page/PageReads.ts"
import { PageStore } from "../../services/page/PageStore.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import { type AwaitingMerge, type Snapshot, SyncState } from "../../services/sync/SyncState.ts"
import { type BatchPage, type Conflict, Push, PushOutcome, type PushRequest } from "./Push.ts"

/** A busy page moves again and again; after this many rounds the person or agent decides. */
const maxRounds = 5

/**
 * Turns the server's rejection into a merge.
 *
 * - Where at least one side changed nothing but stamps, or `autoMerge` is given and no region was changed on both sides,
 *   the merge is written and pushed at once.
 * - Otherwise every such page is marked as awaiting its merge, the recorded sha and the base move to the server's version,
 *   and the directive is the answer.
 * - While a mark stands (the page's bytes are still those that were rejected), a push answers the directive again and
 *   sends nothing. `acceptMine`, a write, or a pull that takes the server's side ends it.
 *
 * Source: agent-directives.md, MERGE_REQUIRED; design.md section 5.
 */
export const layer = Layer.effect(
  Push,
  Effect.gen(function* () {
    const below = yield* Push
    const state = yield* SyncState
    const store = yield* PageStore
    const lock = yield* ProjectLock
    const reads = yield* PageReads

    /** The batch's pages whose mark stands. Marks that no longer do are settled on the way. */
    const standing = Effect.fnUntraced(function* ({ batch, options }: PushRequest) {
      const marks = yield* state.awaiting
      const marked = batch.flatMap((page) => {
        const mark = marks.get(page.path)
        return mark === undefined ? [] : [{ page, mark }]
      })
      const stands = marked.filter(
        ({ page, mark }) => options.acceptMine !== true && mark.mineHash === sha256(page.text)
      )
      const settled = marked.filter((one) => !stands.includes(one)).map(({ page }) => page.path)
      if (settled.length > 0 && stands.length === 0) yield* state.apply({ settle: settled })
      return stands.map(({ page, mark }): Conflict => ({ page, ancestor: mark.ancestor, current: mark.server }))
    })

    const required = Effect.fnUntraced(function* (conflicts: Arr.NonEmptyReadonlyArray<Conflict>) {
      const directive = new MergeRequired({ files: Arr.map(conflicts, directiveFile) })
      // The agent is about to see these texts whole: its merged page overwrites nothing that it did not read.
      const shown = new Set(directive.shown().map(({ path }) => path))
      yield* Effect.forEach(
        conflicts.filter(({ page }) => shown.has(page.path)),
        ({ page }) => reads.saw(page.path, page.text)
      )
      return PushOutcome.MergeRequired({ conflicts, directive })
    })

    /** Writes a merge, unless the file has changed since the push read it. A page that goes out as it is needs no write. */
    const adopt = Effect.fnUntraced(function* (conflict: Conflict, text: string) {
      const { page, current } = conflict
      if (text !== page.text) {
        const local = yield* store.read(page.path)
        if (!Option.contains(local, page.text)) return Option.none<BatchPage>()
        yield* store.write(page.path, text)
      }
      yield* Option.match(current, {
        onNone: () => Effect.void,
        onSome: (base) => state.apply({ known: [{ path: page.path, base }], settle: [page.path] })
      })
      return Option.some<BatchPage>({ ...page, text, parent: Option.map(current, (base) => base.sha) })
    })

    const resolve = Effect.fnUntraced(function* (
      conflicts: ReadonlyArray<Conflict>,
      sent: Snapshot["sent"],
      autoMerge: boolean
    ) {
      const resolved: Array<BatchPage> = []
      const open: Array<Conflict> = []
      for (const conflict of conflicts) {
        const text = isOurs(conflict, sent) ? Option.some(conflict.page.text) : automatic(conflict, autoMerge)
        const page = Option.isSome(text) ? yield* adopt(conflict, text.value) : Option.none<BatchPage>()
        if (Option.isSome(page)) resolved.push(page.value)
        else open.push(conflict)
      }
      return { resolved, open }
    })

    const markAndBump = (conflicts: ReadonlyArray<Conflict>) => {
      const withServer = conflicts.flatMap(({ page, current }) =>
        Option.isSome(current) ? [{ path: page.path, base: current.value }] : []
      )
      const deleted = conflicts.filter(({ current }) => Option.isNone(current)).map(({ page }) => page.path)
      return state.apply({
        known: withServer,
        forget: deleted,
        await: conflicts.map(({ page, ancestor, current }) => ({
          path: page.path,
          mark: { ancestor, server: current, mineHash: sha256(page.text) } satisfies AwaitingMerge
        }))
      })
    }

    return {
      run: Effect.fn("Push.merge")(function* (request: PushRequest) {
        const waiting = yield* standing(request)
        if (Arr.isNonEmptyReadonlyArray(waiting)) return yield* required(waiting)

        let batch = request.batch
        const merged = new Set<PagePath>()
        for (let round = 1; ; round++) {
          // What earlier pushes sent, and whose answers never came: read before this one notes its own.
          const { sent } = yield* state.snapshot
          const outcome = yield* below.run({ ...request, batch })
          if (outcome._tag === "Pushed") {
            if (merged.size > 0) yield* store.regenerateIndexes
            return { ...outcome, merged: [...merged] }
          }
          if (outcome._tag !== "Rejected") return outcome
          const { conflicts } = outcome
          if (!Arr.isNonEmptyReadonlyArray(conflicts)) return outcome

          const { resolved, open } = yield* lock.run(
            resolve(round < maxRounds ? conflicts : [], sent, request.options.autoMerge === true)
          )
          const undecided = round < maxRounds ? open : conflicts
          if (Arr.isNonEmptyReadonlyArray(undecided)) {
            yield* markAndBump(undecided)
            return yield* required(undecided)
          }
          for (const page of resolved) merged.add(page.path)
          const landed = new Set(outcome.landed.map(({ path }) => path))
          const byPath = new Map(resolved.map((page) => [page.path, page]))
          batch = batch.filter(({ path }) => !landed.has(path)).map((page) => byPath.get(page.path) ?? page)
        }
      })
    }
  })
)

/** Whether the local file stands on top of the server's version already: a push of our own, whose answer was lost. */
const isOurs = ({ current, page }: Conflict, sent: Snapshot["sent"]): boolean =>
  Option.exists(current, ({ text }) => sent.get(page.path)?.has(sha256(text)) ?? false)

/** The text that may be pushed without asking, if there is one. */
const automatic = (conflict: Conflict, autoMerge: boolean): Option.Option<string> => {
  if (Option.isNone(conflict.current)) return Option.none()
  const { page } = conflict
  const merge = mergePages(
    Option.map(conflict.ancestor, (base) => removeUnsafeKeepingBom(base.text)),
    removeUnsafeKeepingBom(page.text),
    removeUnsafeKeepingBom(conflict.current.value.text)
  )
  return merge._tag === "Clean" && (merge.stampsOnly || autoMerge) ? Option.some(merge.text) : Option.none()
}

const directiveFile = ({ page, ancestor, current }: Conflict) => {
  const ancestorText = textOf(ancestor)
  const mineText = removeUnsafeKeepingBom(page.text)
  const serverText = textOf(current)
  const merge = mergePages(
    Option.map(ancestor, () => ancestorText),
    mineText,
    serverText
  )
  return {
    path: page.path,
    ancestor: Option.map(ancestor, (base) => base.sha),
    server: Option.map(current, (base) => base.sha),
    mineChanges: changeLines(diffPages(ancestorText, mineText)),
    serverChanges: changeLines(diffPages(ancestorText, serverText)),
    regions: Option.isNone(current) ? ["page"] : merge._tag === "Conflict" ? merge.regions : [],
    ancestorText,
    mineText,
    serverText
  }
}

const textOf = (base: Conflict["ancestor"]): string =>
  Option.match(base, { onNone: () => "", onSome: ({ text }) => removeUnsafeKeepingBom(text) })
