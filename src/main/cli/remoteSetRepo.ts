import { Args, Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { remoteSetRepo as setRepo } from "../../effects/sync/remote.ts"
import { listRepos } from "../../effects/sync/repo.ts"
import { repoRows } from "../render/repos.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"
import { Stdio } from "./frame/Stdio.ts"
import { UsageError } from "./frame/UsageError.ts"
import { shareIf, shareOption } from "./share.ts"

const config = {
  id: Args.text({ name: "ID" }).pipe(
    Args.withDescription("the repository; at a terminal, without it, you choose from the server's"),
    Args.optional
  ),
  share: shareOption
}

export const remoteSetRepo = cliCommand(
  "remote set-repo",
  "Sets the repository that this project syncs with.",
  config,
  Command.make("set-repo", config, ({ id, share }) =>
    reply(
      false,
      Effect.gen(function* () {
        const { repo } = yield* setRepo(Option.isSome(id) ? id.value : yield* choose)
        const shared = yield* shareIf(share)
        return { text: [`Repo: ${repo}`, ...shared].join("\n") } satisfies Answer
      })
    ).pipe(Effect.provide(projectLayer))
  )
)

/** Shows the server's repositories to a person, who answers with a number or an id. */
const choose = Effect.gen(function* () {
  const stdio = yield* Stdio
  if (!stdio.stdinIsTty || !stdio.stderrIsTty) {
    return yield* new UsageError({
      command: "ctx remote set-repo",
      reason: "set-repo requires a <repo_id> when stdin is not a terminal"
    })
  }
  const repos = yield* listRepos()
  const rows = repoRows(repos).map((row, index) => `${String(index + 1).padStart(3)}  ${row}\n`)
  yield* stdio.err(rows.join(""))
  const answer = (yield* stdio.ask("Repository: ")).trim()
  return repos[Number(answer) - 1]?.id ?? answer
})
