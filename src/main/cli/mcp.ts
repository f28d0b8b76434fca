import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { defaultAddress } from "../mcp/http/address.ts"
import { cliCommand, RootOption } from "./frame/CliCommand.ts"
import { hostOption, portOption } from "./frame/options.ts"

const config = {
  http: Options.boolean("http").pipe(
    Options.withDescription("serve several clients over Streamable HTTP at http://HOST:PORT/mcp instead")
  ),
  port: portOption(defaultAddress.port),
  host: hostOption(defaultAddress.host)
}

/** A plain `ctx mcp` never comes this way (`src/main/ctx.ts`). */
export const mcp = cliCommand(
  "mcp",
  "Serves this project to one MCP client over stdin and stdout, as ctx-mcp does. Sleeps until there is a project.",
  config,
  Command.make("mcp", config, ({ http, ...address }) =>
    Effect.gen(function* () {
      const root = Option.getOrUndefined(yield* RootOption)
      if (http) (yield* Effect.promise(() => import("../mcp/http/main.ts"))).main(address, root)
      else (yield* Effect.promise(() => import("../mcp/stdio.ts"))).main(root)
      return yield* Effect.never
    })
  )
)
