import { Args, Command } from "@effect/cli"
import { Effect } from "effect"
import { remoteSet as setServer } from "../../effects/sync/remote.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"
import { shareIf, shareOption } from "./share.ts"

const config = {
  url: Args.text({ name: "URL" }).pipe(
    Args.withDescription("where the server answers, such as https://ctx.example.com")
  ),
  share: shareOption
}

export const remoteSet = cliCommand(
  "remote set",
  "Sets the server's URL. A token of another server is not sent to it.",
  config,
  Command.make("set", config, ({ share, url }) =>
    reply(
      false,
      Effect.gen(function* () {
        const { notes, serverUrl } = yield* setServer(url)
        const shared = yield* shareIf(share)
        return { text: [`Server: ${serverUrl}`, ...shared].join("\n"), notes } satisfies Answer
      })
    ).pipe(Effect.provide(projectLayer))
  )
)
