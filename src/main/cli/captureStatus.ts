import { Command } from "@effect/cli"
import { Clock, Effect } from "effect"
import { pendingSessions } from "../../effects/capture/sessionBuffers.ts"
import { captureStatusJson, captureStatusText } from "../render/capture.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption } from "./frame/options.ts"
import { projectLayer } from "./frame/project.ts"
import { reply } from "./frame/Reply.ts"

const config = { json: jsonOption }

export const captureStatus = cliCommand(
  "capture status",
  "Lists the sessions that were captured and not distilled yet, newest first.",
  config,
  Command.make("status", config, ({ json }) =>
    reply(
      json,
      Effect.gen(function* () {
        const buffers = yield* pendingSessions()
        const now = yield* Clock.currentTimeMillis
        return { text: captureStatusText(buffers, now), json: captureStatusJson(buffers) }
      })
    ).pipe(Effect.provide(projectLayer))
  )
)
