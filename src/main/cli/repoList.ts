import { Command } from "@effect/cli"
import { Effect } from "effect"
import { listRepos } from "../../effects/sync/repo.ts"
import { repoRows } from "../render/repos.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { reply } from "./frame/Reply.ts"

const config = { json: jsonOption }

export const repoList = cliCommand(
  "repo list",
  "Lists the repositories that your token may see.",
  config,
  Command.make("list", config, ({ json }) =>
    reply(
      json,
      listRepos().pipe(
        withProgress("asking the server"),
        Effect.map((repos) => ({
          text: repos.length === 0 ? "No repositories yet (run 'ctx repo create <id>')" : repoRows(repos).join("\n"),
          json: { repos }
        }))
      )
    ).pipe(Effect.provide(projectLayer))
  )
)
