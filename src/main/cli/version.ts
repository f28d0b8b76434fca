import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { buildLine, version as number } from "../Build.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { reply } from "./frame/Reply.ts"
import { jsonOption } from "./frame/options.ts"

const config = {
  short: Options.boolean("short").pipe(Options.withDescription("the number alone")),
  json: jsonOption
}

export const version = cliCommand(
  "version",
  "Shows which ctx this is.",
  config,
  Command.make("version", config, ({ json, short }) =>
    reply(json, Effect.succeed({ text: short ? number : buildLine, json: { version: number, build: buildLine } }))
  )
)
