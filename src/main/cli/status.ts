import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { localStatus, serverStatus } from "../../effects/sync/status.ts"
import { lookAlikes } from "../../services/project/LookAlikes.ts"
import { notInitialised, statusJson, statusText } from "../render/status.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer, whereabouts } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"

const config = {
  noDrift: Options.boolean("no-drift").pipe(Options.withDescription("do not ask the server which pages moved")),
  json: jsonOption
}

export const status = cliCommand(
  "status",
  "Shows what this project is wired up to, and what is not shared yet. Never fails for want of a server.",
  config,
  Command.make("status", config, ({ json, noDrift }) =>
    reply(
      json,
      report(noDrift).pipe(
        Effect.provide(projectLayer),
        Effect.catchTag("NotInProject", () => outside)
      )
    )
  )
)

const report = (noDrift: boolean) =>
  Effect.gen(function* () {
    const local = yield* localStatus()
    const wired = Option.isSome(local.server) && Option.isSome(local.repo) && Option.isSome(local.authKind)
    const server =
      wired && !noDrift ? Option.some(yield* withProgress("asking the server")(serverStatus())) : Option.none()
    const elsewhere = local.localPages === 0 ? yield* lookAlikes(local.root) : []
    return { text: statusText(local, server, elsewhere), json: statusJson(local, server) } satisfies Answer
  })

/** Outside a project there is still something to say, and it is no failure. */
const outside = Effect.gen(function* () {
  const { cwd, root } = yield* whereabouts
  const elsewhere = yield* lookAlikes(root ?? cwd)
  return {
    text: notInitialised.text,
    json: notInitialised.json,
    notes: elsewhere.map((folder) => `Another project is at ${folder}`)
  } satisfies Answer
})
