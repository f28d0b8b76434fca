import { Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { type Remote, remoteGet as getRemote } from "../../effects/sync/remote.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption } from "./frame/options.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"

const config = { json: jsonOption }

export const remoteGet = cliCommand(
  "remote get",
  "Shows server and repository.",
  config,
  Command.make("get", config, ({ json }) =>
    reply(json, Effect.map(getRemote(), answer)).pipe(Effect.provide(projectLayer))
  )
)

const answer = ({ repo, server }: Remote): Answer => ({
  text: [
    Option.match(server, {
      onNone: () => "No server configured (run 'ctx remote set <url>')",
      onSome: (url) => `Server: ${url}`
    }),
    Option.match(repo, {
      onNone: () => "No repo configured (run 'ctx remote set-repo <id>')",
      onSome: (id) => `Repo:   ${id}`
    })
  ].join("\n"),
  json: { server: Option.getOrNull(server), repo: Option.getOrNull(repo) }
})
