import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { timeline } from "../../effects/history/timeline.ts"
import { logJson, logText } from "../render/log.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { reply } from "./frame/Reply.ts"

const config = {
  limit: Options.integer("limit").pipe(
    Options.withPseudoName("N"),
    Options.withDescription("how many commits (default 20)"),
    Options.withDefault(20)
  ),
  json: jsonOption
}

export const log = cliCommand(
  "log",
  "Lists the repository's latest commits, newest first.",
  config,
  Command.make("log", config, ({ json, limit }) =>
    reply(
      json,
      timeline(limit).pipe(
        withProgress("asking the server"),
        Effect.map((commits) => ({ text: logText(commits), json: logJson(commits) }))
      )
    ).pipe(Effect.provide(projectLayer))
  )
)
