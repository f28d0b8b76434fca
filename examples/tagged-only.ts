/**
 * A push for a machine: `Merge.layer` left out, so that a conflict is the plain `Rejected` and nobody is asked to merge;
 * `Credentials` replaced by a token from the environment; and in front a policy of the team's own.
 *
 *     TEAM_SERVER=<url> TEAM_TOKEN=<token> node tagged-only.ts <project folder>
 */
import { FetchHttpClient } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import {
  Credentials,
  localStore,
  PageReads,
  ProjectConfigLive,
  ProjectDiscovery,
  Push,
  push,
  PushOutcome,
  SyncClientLive
} from "ctx-mcp"
import { Config, Console, Effect, Layer, Option } from "effect"

/** No page goes out without a tag. */
const TaggedOnly = Layer.effect(
  Push,
  Effect.map(Push, (below) => ({
    run: (request) => {
      const untagged = request.batch.filter(({ tags }) => tags.length === 0)
      return untagged.length === 0
        ? below.run(request)
        : Effect.succeed(
            PushOutcome.Refused({ findings: untagged.map(({ path }) => ({ path, line: 1, rule: "team/tagged-only" })) })
          )
    }
  }))
)

/** The token never touches the disk. */
const TeamCredentials = Layer.effect(
  Credentials,
  Effect.gen(function* () {
    const serverUrl = yield* Config.string("TEAM_SERVER")
    const bearer = yield* Config.redacted("TEAM_TOKEN")
    return {
      read: Effect.succeed(Option.some({ bearer, serverUrl, kind: "team token" })),
      write: () => Effect.void
    }
  })
)

const world = (root: string) =>
  SyncClientLive.layer.pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provideMerge(Layer.mergeAll(ProjectConfigLive.layer, TeamCredentials, PageReads.layer)),
    Layer.provideMerge(localStore),
    Layer.provideMerge(ProjectDiscovery.layer({ cwd: root })),
    Layer.provideMerge(NodeContext.layer)
  )

const program = Effect.gen(function* () {
  const { outcome } = yield* push({}, { message: "pushed by a machine" })
  yield* Console.log(
    PushOutcome.$match(outcome, {
      Pushed: ({ pages }) => `pushed ${pages.length} page(s)`,
      NothingToPush: ({ reason }) => `nothing to push (${reason})`,
      Rejected: ({ conflicts }) => `rejected: ${conflicts.map(({ page }) => page.path).join(", ")}`,
      Refused: ({ findings }) => `refused: ${findings.map(({ path, rule }) => `${path} (${rule})`).join(", ")}`,
      MergeRequired: () => "no layer of this pipeline merges",
      PushPaused: () => "no layer of this pipeline pauses"
    })
  )
})

const [folder = "."] = process.argv.slice(2)
const pipeline = TaggedOnly.pipe(Layer.provide(Push.layer))
NodeRuntime.runMain(program.pipe(Effect.provide(Layer.provideMerge(pipeline, world(folder)))))
