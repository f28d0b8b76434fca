/** A child process of the tests: `countUp.ts ROOT FILE COUNT` adds one to a number in a file, COUNT times, under the lock. */
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { ProjectLock } from "../../../src/services/project/ProjectLock.ts"
import * as ProjectLockLive from "../../../src/services/project/ProjectLockLive.ts"
import { projectAt } from "./project.ts"

const [root = "", file = "", count = "0"] = process.argv.slice(2)

const addOne = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const lock = yield* ProjectLock
  yield* lock.run(
    Effect.gen(function* () {
      const before = Number(yield* fs.readFileString(file))
      yield* Effect.yieldNow()
      yield* fs.writeFileString(file, String(before + 1))
    })
  )
})

NodeRuntime.runMain(
  Effect.all(
    Array.from({ length: Number(count) }, () => addOne),
    { concurrency: "unbounded" }
  ).pipe(Effect.provide(Layer.provideMerge(ProjectLockLive.layer, Layer.merge(NodeContext.layer, projectAt(root)))))
)
