import { Command, Options } from "@effect/cli"
import { Effect, Layer, Option } from "effect"
import { login as logIn, type LoggedIn } from "../../effects/sync/login.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import * as HttpClientDriver from "../../services/sync/HttpClientDriver.ts"
import * as SyncConnectLive from "../../services/sync/SyncConnectLive.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"
import { Stdio } from "./frame/Stdio.ts"

const text = (name: string, value: string, what: string) =>
  Options.text(name).pipe(Options.withPseudoName(value), Options.withDescription(what), Options.optional)

const config = {
  token: text("token", "TOKEN", "the token; - reads it from standard input, without it a terminal is asked"),
  server: text("server", "URL", "the server (default: the project's)"),
  repo: text("repo", "ID", "the repository to sync with"),
  name: text("name", "NAME", "your name, told to the server"),
  email: text("email", "EMAIL", "your address, told to the server")
}

const about = "Stores a token for a server, once the server has taken it."

const layer = Layer.merge(projectLayer, SyncConnectLive.layer.pipe(Layer.provide(HttpClientDriver.layer)))

const command = (name: string) =>
  Command.make(name, config, ({ token, ...rest }) =>
    reply(
      false,
      Effect.gen(function* () {
        const given = yield* tokenFrom(token, Option.isSome(rest.name) || Option.isSome(rest.email))
        const done = yield* withProgress("asking the server")(
          logIn({
            token: given,
            server: Option.getOrUndefined(rest.server),
            repo: Option.getOrUndefined(rest.repo),
            name: Option.getOrUndefined(rest.name),
            email: Option.getOrUndefined(rest.email)
          })
        )
        return { text: loggedInText(done), notes: done.notes } satisfies Answer
      })
    ).pipe(Effect.provide(layer))
  )

export const login = cliCommand("login", about, config, command("login"))
export const authLogin = cliCommand("auth login", about, config, command("login"))

/** The token that was given, typed or piped. To say a name, the stored one will do. */
const tokenFrom = (token: Option.Option<string>, introducing: boolean) =>
  Effect.gen(function* () {
    const stdio = yield* Stdio
    if (Option.contains(token, "-")) {
      const piped = decodeUtf8(yield* stdio.input)
      return Option.getOrElse(piped, () => "").trim()
    }
    if (Option.isSome(token)) return token.value
    if (introducing || !stdio.stdinIsTty || !stdio.stderrIsTty) return undefined
    return (yield* stdio.askSecret("Token: ")).trim()
  })

const loggedInText = ({ kind, repo, serverUrl }: LoggedIn): string =>
  `Authenticated (${kind}) · server: ${serverUrl} · repo: ${Option.getOrElse(repo, () => "(none)")}`
