import { Args, Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { readSession } from "../../effects/capture/captureSession.ts"
import { captureShowText } from "../render/capture.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption } from "./frame/options.ts"
import { projectLayer } from "./frame/project.ts"
import { reply } from "./frame/Reply.ts"

const config = {
  session: Args.text({ name: "SESSION" }).pipe(
    Args.withDescription("as 'ctx capture status' names it; default: the newest within 24 hours"),
    Args.optional
  ),
  json: jsonOption
}

export const captureShow = cliCommand(
  "capture show",
  "Shows what was captured of a session and not distilled yet.",
  config,
  Command.make("show", config, ({ json, session }) =>
    reply(
      json,
      Effect.map(readSession(Option.getOrUndefined(session)), (found) => ({
        text: captureShowText(found.turns),
        json: found
      }))
    ).pipe(Effect.provide(projectLayer))
  )
)
