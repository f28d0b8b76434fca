import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { servingText } from "../render/serving.ts"
import { defaultAddress, start } from "../server/serve.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { hostOption, portOption } from "./frame/options.ts"
import { Reply } from "./frame/Reply.ts"
import { Stdio } from "./frame/Stdio.ts"

const config = {
  data: Options.text("data").pipe(
    Options.withPseudoName("DIR"),
    Options.withDescription("where its database lives (default: $XDG_DATA_HOME/ctx-mcp, else ~/.local/share/ctx-mcp)"),
    Options.optional
  ),
  port: portOption(defaultAddress.port),
  host: hostOption(defaultAddress.host),
  json: Options.boolean("json").pipe(Options.withDescription("when ready, one JSON line: url, data, owner_token"))
}

export const serve = cliCommand(
  "serve",
  "Runs a sync server until it is stopped. The very first start prints the owner's token, once.",
  config,
  Command.make("serve", config, (options) =>
    Effect.gen(function* () {
      const stdio = yield* Stdio
      const { data, ownerToken, url } = yield* start(options)
      const ready = { url, data, owner_token: Option.getOrNull(ownerToken) }
      yield* (yield* Reply).runsUntilStopped
      yield* stdio.out(`${options.json ? JSON.stringify(ready) : servingText(ready)}\n`)
      return yield* Effect.never
    }).pipe(Effect.scoped)
  )
)
