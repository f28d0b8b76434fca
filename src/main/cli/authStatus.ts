import { Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { authStatus as readAuthStatus, type AuthStatus } from "../../effects/sync/authStatus.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption } from "./frame/options.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"

const config = { json: jsonOption }

export const authStatus = cliCommand(
  "auth status",
  "Shows who this project is to which server. Asks no server; exit 4 where there is no token.",
  config,
  Command.make("status", config, ({ json }) =>
    reply(json, Effect.map(readAuthStatus(), answer)).pipe(Effect.provide(projectLayer))
  )
)

const answer = ({ credential, notes }: AuthStatus): Answer =>
  Option.match(credential, {
    onNone: () => ({ text: "Not authenticated", json: { authenticated: false }, notes, exit: 4 }),
    onSome: ({ kind, serverUrl, source, token, user }) => ({
      text: [
        "Authenticated: yes",
        `Server: ${serverUrl}`,
        ...Option.toArray(user).map(({ email, name }) => `User: ${name} <${email}>`),
        `Token: ${token} (${kind})`
      ].join("\n"),
      json: {
        authenticated: true,
        server: serverUrl,
        kind,
        token,
        source,
        ...(Option.isSome(user) ? { user: user.value } : {})
      },
      notes
    })
  })
