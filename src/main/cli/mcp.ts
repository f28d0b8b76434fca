import { Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { cliCommand, RootOption } from "./frame/CliCommand.ts"

/** Here for its help and for bad usage: a plain `ctx mcp` never comes this way (`src/main/ctx.ts`). */
export const mcp = cliCommand(
  "mcp",
  "Serves this project to one MCP client over stdin and stdout, as ctx-mcp does. Sleeps until there is a project.",
  {},
  Command.make("mcp", {}, () =>
    Effect.gen(function* () {
      const root = Option.getOrUndefined(yield* RootOption)
      const { main } = yield* Effect.promise(() => import("../mcp/stdio.ts"))
      main(root)
      return yield* Effect.never
    })
  )
)
