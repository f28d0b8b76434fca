import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { init as initProject } from "../../effects/init.ts"
import { initText } from "../render/init.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { whereabouts } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"

const flag = (name: string, what: string) => Options.boolean(name).pipe(Options.withDescription(what))

const config = {
  here: flag("here", "this folder, even below a repository's top or another project"),
  noMcp: flag("no-mcp", "do not touch the agents' MCP settings"),
  noCursor: flag("no-cursor", "do not touch Cursor's"),
  noGitignore: flag("no-gitignore", "do not touch .gitignore"),
  noHooks: flag("no-hooks", "accepted for scripts; capture hooks are not installed yet")
}

export const init = cliCommand(
  "init",
  "Sets up .contexo/ for this repository and wires up the agents that are here. Run again, it changes nothing.",
  config,
  Command.make("init", config, (flags) =>
    reply(
      false,
      Effect.gen(function* () {
        const report = yield* initProject({ ...(yield* whereabouts), ...flags })
        return { text: initText(report, flags), notes: report.notes } satisfies Answer
      })
    )
  )
)
