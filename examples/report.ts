/**
 * What a project knows and has not shared yet, for a nightly job. No server is needed: where none answers, the drift check
 * degrades to no notice, and the status says why.
 *
 *     node report.ts <project folder>
 */
import { FetchHttpClient } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import {
  CredentialsLive,
  Drift,
  localStatus,
  localStore,
  PageReads,
  PageStore,
  PendingBuffers,
  ProjectConfigLive,
  ProjectDiscovery,
  readPageFramed,
  serverStatus,
  SyncClientLive
} from "ctx-mcp"
import { Console, Effect, Layer } from "effect"

const world = (root: string) =>
  Drift.layer.pipe(
    Layer.provideMerge(SyncClientLive.layer.pipe(Layer.provide(FetchHttpClient.layer))),
    Layer.provideMerge(
      Layer.mergeAll(ProjectConfigLive.layer, CredentialsLive.layer, PageReads.layer, PendingBuffers.layer)
    ),
    Layer.provideMerge(localStore),
    Layer.provideMerge(ProjectDiscovery.layer({ cwd: root })),
    Layer.provideMerge(NodeContext.layer)
  )

const program = Effect.gen(function* () {
  const { localPages, neverPushed } = yield* localStatus()
  yield* Console.log(`${localPages} page(s), ${neverPushed.length} never pushed`)
  const server = yield* serverStatus()
  yield* Console.log(server._tag === "Known" ? `${server.drifted.length} drifted` : `drift unknown: ${server.reason}`)

  const { entries } = yield* (yield* PageStore).catalog
  for (const path of entries.keys()) {
    const { text } = yield* readPageFramed(path)
    yield* Console.log(`${path}: ${text.startsWith("<DRIFT_NOTICE>") ? "moved on the server" : "as the server has it"}`)
  }
})

const [folder = "."] = process.argv.slice(2)
NodeRuntime.runMain(program.pipe(Effect.provide(world(folder))))
