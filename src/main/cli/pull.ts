import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { pull as pullPages } from "../../effects/sync/pull.ts"
import { pullJson, pullText } from "../render/pull.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { reply } from "./frame/Reply.ts"

const config = {
  full: Options.boolean("full").pipe(
    Options.withDescription("look at every page of the server, and bring back files that are gone here")
  ),
  json: jsonOption
}

export const pull = cliCommand(
  "pull",
  "Fetches the team's changes. A page that was edited here is merged where the edits do not touch, else kept and named.",
  config,
  Command.make("pull", config, ({ full, json }) =>
    reply(
      json,
      pullPages({ full }).pipe(
        withProgress("pulling"),
        Effect.map((outcome) => ({ text: pullText(outcome), json: pullJson(outcome) }))
      )
    ).pipe(Effect.provide(projectLayer))
  )
)
