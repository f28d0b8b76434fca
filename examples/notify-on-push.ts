/**
 * A push pipeline of one's own: the product's layers, and one more that tells a channel what went out.
 *
 *     node notify-on-push.ts <project folder>
 */
import { FetchHttpClient } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import {
  CredentialsLive,
  localStore,
  Merge,
  PageReads,
  ProjectConfigLive,
  ProjectDiscovery,
  Push,
  push,
  PushOutcome,
  SyncClientLive
} from "ctx-mcp"
import { Console, Effect, Layer } from "effect"

/** Wraps the `Push` below it: what it answers goes through unchanged, and what landed is announced. */
const Announce = Layer.effect(
  Push,
  Effect.map(Push, (below) => ({
    run: (request) =>
      Effect.tap(below.run(request), (outcome) =>
        outcome._tag === "Pushed"
          ? Console.log(`announce: ${outcome.pages.map(({ path }) => path).join(", ")}`)
          : Effect.void
      )
  }))
)

/** Outermost first. Leave `Merge.layer` out, and a conflict is the plain `Rejected`. */
const pipeline = Announce.pipe(Layer.provide(Merge.layer), Layer.provide(Push.layer))

/** What the operations need from the world: this project's files, its config, its server. */
const world = (root: string) =>
  SyncClientLive.layer.pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provideMerge(Layer.mergeAll(ProjectConfigLive.layer, CredentialsLive.layer, PageReads.layer)),
    Layer.provideMerge(localStore),
    Layer.provideMerge(ProjectDiscovery.layer({ cwd: root })),
    Layer.provideMerge(NodeContext.layer)
  )

const program = Effect.gen(function* () {
  const { outcome } = yield* push({}, { message: "pushed by a program" })
  yield* Console.log(
    PushOutcome.$match(outcome, {
      Pushed: ({ head, pages }) => `pushed ${pages.length} page(s), head ${head}`,
      NothingToPush: ({ reason }) => `nothing to push (${reason})`,
      MergeRequired: ({ directive }) => directive.render(),
      PushPaused: ({ directive }) => directive.render(),
      Rejected: ({ conflicts }) => `rejected: ${conflicts.length} conflict(s)`,
      Refused: ({ findings }) => `refused: ${findings.length} finding(s)`
    })
  )
})

const [folder = "."] = process.argv.slice(2)
NodeRuntime.runMain(program.pipe(Effect.provide(Layer.provideMerge(pipeline, world(folder)))))
