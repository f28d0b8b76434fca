import { Args, Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { remoteGet } from "../../effects/sync/remote.ts"
import { createRepo } from "../../effects/sync/repo.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"

const config = {
  id: Args.text({ name: "ID" }).pipe(Args.withDescription("1 to 64 letters, digits, '-' and '_'"))
}

export const repoCreate = cliCommand(
  "repo create",
  "Creates a repository on the server; you own it.",
  config,
  Command.make("create", config, ({ id }) =>
    reply(
      false,
      Effect.gen(function* () {
        const { repo } = yield* withProgress("asking the server")(createRepo(id))
        const current = (yield* remoteGet()).repo
        const notes = Option.contains(current, repo)
          ? []
          : [`To sync this project with it: ctx remote set-repo ${repo}`]
        return { text: `Created ${repo}`, notes } satisfies Answer
      })
    ).pipe(Effect.provide(projectLayer))
  )
)
