import { Args, Command } from "@effect/cli"
import { Path } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { subscribe, subscribed, unsubscribe } from "../../../effects/paging/subscription.ts"
import { forAgentLine } from "../../../model/text/Sanitise.ts"
import { PagingDatabase } from "../../../services/paging/PagingDatabase.ts"
import { PagingPlace } from "../../../services/paging/PagingPlace.ts"
import { Registry } from "../../../services/paging/Registry.ts"
import { cliCommand, RootOption } from "../frame/CliCommand.ts"
import { jsonOption } from "../frame/options.ts"
import { type Answer, reply } from "../frame/Reply.ts"

const config = {
  folder: Args.text({ name: "PROJECT_DIR" }).pipe(Args.withDescription("default: the project here"), Args.optional),
  json: jsonOption
}

/** The project that an argument names, with its registry. */
export const projectLayer = (folder: Option.Option<string>) =>
  Layer.mergeAll(PagingDatabase.layer, Registry.layer).pipe(
    Layer.provideMerge(
      Layer.unwrapEffect(
        Effect.gen(function* () {
          const path = yield* Path.Path
          const root = yield* RootOption
          const named = Option.orElse(folder, () => root)
          return PagingPlace.layer(path.resolve(Option.getOrElse(named, () => ".")))
        })
      )
    )
  )

export const subscribeCommand = cliCommand(
  "paging subscribe",
  "Subscribes the project to capture: hooks record its conversations from now on.",
  config,
  Command.make("subscribe", config, ({ folder, json }) =>
    reply(
      json,
      Effect.map(subscribe(), (done) => ({ text: `subscribed ${forAgentLine(done.root)}`, json: done }))
    ).pipe(Effect.provide(projectLayer(folder)))
  )
)

export const unsubscribeCommand = cliCommand(
  "paging unsubscribe",
  "Ends the project's capture. Its database is kept.",
  config,
  Command.make("unsubscribe", config, ({ folder, json }) =>
    reply(
      json,
      Effect.map(unsubscribe(), (done) => ({
        text: done.was
          ? `unsubscribed ${forAgentLine(done.root)}; its database is kept`
          : `${forAgentLine(done.root)} was not subscribed`,
        json: done
      }))
    ).pipe(Effect.provide(projectLayer(folder)))
  )
)

export const subscribedCommand = cliCommand(
  "paging subscribed",
  "Whether the project is subscribed: exit 0 if it is, else 1.",
  config,
  Command.make("subscribed", config, ({ folder, json }) =>
    reply(
      json,
      Effect.map(subscribed(), (state): Answer => ({
        text: state.subscribed
          ? `subscribed ${forAgentLine(state.root)}`
          : `${forAgentLine(state.root)} is not subscribed`,
        json: state,
        exit: state.subscribed ? 0 : 1
      }))
    ).pipe(Effect.provide(projectLayer(folder)))
  )
)
