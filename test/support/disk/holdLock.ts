/** A child process of the tests: `holdLock.ts ROOT` takes the project lock, says `held`, and keeps it until it is killed. */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { ProjectLock } from "../../../src/services/project/ProjectLock.ts"
import * as ProjectLockLive from "../../../src/services/project/ProjectLockLive.ts"
import { projectAt } from "./project.ts"

const [root = ""] = process.argv.slice(2)
const hold = Effect.zipRight(
  Effect.sync(() => process.stdout.write("held\n")),
  Effect.forever(Effect.sleep("1 second"))
)

NodeRuntime.runMain(
  Effect.flatMap(ProjectLock, (lock) => lock.run(hold)).pipe(
    Effect.provide(Layer.provideMerge(ProjectLockLive.layer, Layer.merge(NodeContext.layer, projectAt(root))))
  )
)
