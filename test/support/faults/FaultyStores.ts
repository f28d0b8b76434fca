import { Effect, Layer } from "effect"
import { FileFailure } from "../../../src/services/files/FileFailure.ts"
import { PageStore } from "../../../src/services/page/PageStore.ts"
import { SyncState } from "../../../src/services/sync/SyncState.ts"
import type { FaultPlan } from "./FaultPlan.ts"
import { FileFault } from "./FaultyFileSystem.ts"
import type { Life } from "./Life.ts"

interface Surroundings {
  readonly plan: FaultPlan<FileFault>
  readonly life: Life
}

/**
 * The stores below, whose changes pass, fail or kill as the plan says: those that do not go through the file system's
 * service (a batch of pages, the database of the bases) too. The calls are `page.write`, `page.remove` and `state.apply`.
 */
export const layer = ({
  life,
  plan
}: Surroundings): Layer.Layer<PageStore | SyncState, never, PageStore | SyncState> => {
  const call = <A, E, R>(operation: string, target: string, pass: Effect.Effect<A, E, R>) =>
    life.guard(
      Effect.suspend((): Effect.Effect<A, E | FileFailure, R> => {
        const fault = plan.next({ operation, target })
        if (fault === undefined) return pass
        const refuse = (errno: string) => new FileFailure({ path: target, operation, reason: errno })
        return FileFault.$match(fault, {
          Fail: ({ errno }): Effect.Effect<A, E | FileFailure, R> => refuse(errno),
          Tear: ({ errno }) => refuse(errno),
          Delay: ({ by }) => Effect.zipRight(Effect.sleep(by), pass),
          Crash: () => life.crash
        })
      })
    )
  return Layer.merge(
    Layer.effect(
      PageStore,
      Effect.map(PageStore, (below) => ({
        ...below,
        write: (path, text) => call("page.write", path, below.write(path, text)),
        remove: (path) => call("page.remove", path, below.remove(path))
      }))
    ),
    Layer.effect(
      SyncState,
      Effect.map(SyncState, (below) => ({ ...below, apply: (change) => call("state.apply", "", below.apply(change)) }))
    )
  )
}
