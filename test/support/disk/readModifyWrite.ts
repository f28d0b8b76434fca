/**
 * A child process of the tests: `readModifyWrite.ts ROOT NAME COUNT` does COUNT parallel read-modify-writes, each under the
 * lock: it adds a line to a page that all share, writes a page of its own, and records both.
 */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer, Option } from "effect"
import { localStore } from "../../../src/services/LocalStore.ts"
import { PageStore } from "../../../src/services/page/PageStore.ts"
import { ProjectLock } from "../../../src/services/project/ProjectLock.ts"
import { SyncState } from "../../../src/services/sync/SyncState.ts"
import { projectAt } from "./project.ts"
import { page, sha, text } from "./store.ts"

const [root = "", name = "", count = "0"] = process.argv.slice(2)
const shared = page("wiki/concepts/shared.md")

const once = Effect.fnUntraced(function* (n: number) {
  const store = yield* PageStore
  const state = yield* SyncState
  const lock = yield* ProjectLock
  const own = page(`wiki/entities/${name}-${n}.md`)
  yield* lock.run(
    Effect.gen(function* () {
      const before = Option.getOrElse(yield* store.read(shared), () => text("Shared."))
      const after = `${before}${name}-${n}\n`
      yield* store.write(shared, after)
      yield* store.write(own, text(`Own page ${name}-${n}.`))
      yield* state.apply({
        known: [
          { path: shared, base: { sha: sha("a"), text: after } },
          { path: own, base: { sha: sha("b"), text: text(`Own page ${name}-${n}.`) } }
        ]
      })
      yield* store.regenerateIndexes
    })
  )
})

NodeRuntime.runMain(
  Effect.forEach(
    Array.from({ length: Number(count) }, (_, n) => n),
    once,
    { concurrency: "unbounded", discard: true }
  ).pipe(Effect.provide(Layer.provideMerge(localStore, Layer.merge(NodeContext.layer, projectAt(root)))))
)
