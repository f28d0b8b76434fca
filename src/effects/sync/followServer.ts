import { Effect, Option } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import type { Sha } from "../../model/page/Sha.ts"
import { Remote } from "../../model/sync/SyncPlan.ts"
import { PageStore } from "../../services/page/PageStore.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import { SyncClient } from "../../services/sync/SyncClient.ts"
import { SyncState } from "../../services/sync/SyncState.ts"
import { carryOut, type KeptPage } from "./carryOut.ts"

/** What became of the copy here of a page that was changed on the server. */
export interface Followed {
  /** `taken`: as the server has it, `merged` with edits here, `removed`, or left as it is. */
  readonly local: "taken" | "merged" | "removed" | "unchanged"
  /** Why the copy here was kept as it is. */
  readonly kept: ReadonlyArray<KeptPage>
}

/**
 * Lets the copy here of one page follow the server, as a pull of that page alone would: an edit here is merged or kept,
 * never overwritten. A file that is gone here comes back.
 *
 * @param head The repository's newest commit, where an answer named it.
 */
export const followServer = Effect.fn("followServer")(function* (path: PagePath, head: Option.Option<Sha>) {
  const state = yield* SyncState
  const store = yield* PageStore
  const lock = yield* ProjectLock
  const there = yield* (yield* SyncClient).page(path)
  // A public server answers a page that was removed with an empty text.
  const remote = Option.match(
    Option.filter(there, ({ text }) => text !== ""),
    { onNone: () => Remote.Deleted(), onSome: Remote.Present }
  )
  const server = { pages: new Map([[path, remote]]), historyReplaced: false }
  return yield* lock.run(
    Effect.gen(function* () {
      const options = { restore: true, catalog: yield* store.catalog }
      const work = yield* store.batch(carryOut(yield* state.snapshot, server, options))
      yield* state.apply({ ...work.change, ...(Option.isSome(head) ? { lastHead: head.value } : {}) })
      yield* store.regenerateIndexes
      const local =
        work.pulled.length > 0
          ? "taken"
          : work.merged.length > 0
            ? "merged"
            : work.deleted.length > 0
              ? "removed"
              : "unchanged"
      return { local, kept: work.kept } satisfies Followed
    })
  )
})
