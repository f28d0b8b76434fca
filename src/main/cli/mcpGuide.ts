import { Command } from "@effect/cli"
import { Effect } from "effect"
import { guideText } from "../render/guide.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { reply } from "./frame/Reply.ts"

export const mcpGuide = cliCommand(
  "mcp guide",
  "Shows what goes into the settings of each agent, for those who wire it up by hand.",
  {},
  Command.make("guide", {}, () => reply(false, Effect.succeed({ text: guideText })))
)
