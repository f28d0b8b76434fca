import { Effect, Option, Schema } from "effect"
import { isExposed, isSameOrigin, parseServerUrl, type ServerUrl } from "../../model/sync/ServerUrl.ts"
import { kindOf, parseToken } from "../../model/sync/Token.ts"
import { Credentials } from "../../services/sync/Credentials.ts"
import { hasTokenInEnvironment } from "../../services/runtime/Environment.ts"
import { Project } from "../../services/project/Project.ts"
import { ProjectConfig } from "../../services/project/ProjectConfig.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import { readShared } from "../../services/sync/SharedConfig.ts"
import type { User } from "../../services/sync/SyncApi.ts"
import { NotConfigured, type SyncConnection } from "../../services/sync/SyncClient.ts"
import { SyncConnect } from "../../services/sync/SyncConnect.ts"
import { parseRepoId } from "./repoId.ts"

export interface LoginOptions {
  /** Without one, the stored token is used: to say `name` and `email`. */
  readonly token?: string | undefined
  /** Default: the config's server, else that of `contexo.json`. */
  readonly server?: string | undefined
  readonly repo?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
}

/** Who we are now, to which server. */
export interface LoggedIn {
  readonly serverUrl: ServerUrl
  readonly kind: string
  readonly repo: Option.Option<string>
  /** None: a legacy key, which belongs to nobody. */
  readonly user: Option.Option<{ readonly name: string; readonly email: string }>
  readonly notes: ReadonlyArray<string>
}

/** An invite key is for joining a repository, not for logging in. */
export class InviteKeyGiven extends Schema.TaggedError<InviteKeyGiven>()("InviteKeyGiven", {}) {
  override get message() {
    return "this is an invite key, not a token; nothing was stored. Run 'ctx join' and give it the key."
  }
}

/** There is no token to log in with. */
export class NoToken extends Schema.TaggedError<NoToken>()("NoToken", { serverUrl: Schema.String }) {
  override get message() {
    return `no token for ${this.serverUrl}: run 'ctx login --server ${this.serverUrl} --token <token>'`
  }
}

/**
 * Stores a token, once the server has taken it: `GET /v1/me`, or, for a legacy key, which has no user, the list of
 * repositories. The server becomes the config's. Name and email are sent to the server too; one that cannot take them
 * makes a note.
 *
 * Errors: before anything is stored. `InvalidToken`, `InviteKeyGiven`, `NoToken`, `InvalidServerUrl`, `InvalidRepoId`,
 * `NotConfigured` (no server), and what the server or the disk refused.
 *
 * Source: design.md section 4; reference section 7, login.
 */
export const login = Effect.fn("login")(function* (options: LoginOptions) {
  const serverUrl = yield* serverFor(options)
  const repo = yield* Option.match(Option.fromNullable(options.repo), {
    onNone: () => Effect.succeedNone,
    onSome: (id) => Effect.asSome(parseRepoId(id))
  })
  const bearer = yield* bearerFor(options, serverUrl)
  const server = (yield* SyncConnect).to({ serverUrl, bearer, repo: Option.getOrUndefined(repo) })
  const me = yield* whoAmI(server)
  const told = yield* introduce(server, me, options)

  const inEnvironment = yield* hasTokenInEnvironment
  const config = yield* ProjectConfig
  const credentials = yield* Credentials
  yield* (yield* ProjectLock).run(
    Effect.gen(function* () {
      // A token that only the environment holds stays there.
      if (options.token !== undefined || !inEnvironment) {
        yield* credentials.write({ bearer, serverUrl, userName: told.user.name, userEmail: told.user.email })
      }
      yield* config.update({ server_url: serverUrl, repo_id: Option.getOrUndefined(repo) })
    })
  )
  const { repo_id } = yield* config.read
  return {
    serverUrl,
    kind: kindOf(bearer),
    repo: Option.fromNullable(repo_id || undefined),
    user: Option.liftPredicate(told.user, ({ name }) => name !== ""),
    notes: [
      ...(isExposed(serverUrl) ? [`${serverUrl} is not encrypted: whoever sees the traffic can read your token.`] : []),
      ...told.notes,
      ...(inEnvironment && options.token !== undefined
        ? ["CONTEXO_TOKEN and CONTEXO_SERVER are set, and win over what was stored."]
        : [])
    ]
  } satisfies LoggedIn
})

const serverFor = ({ server }: LoginOptions) =>
  Effect.gen(function* () {
    if (server !== undefined) return yield* parseServerUrl(server)
    const { server_url } = yield* (yield* ProjectConfig).read
    if (server_url) return yield* parseServerUrl(server_url)
    const shared = yield* readShared((yield* Project).root)
    if (Option.isSome(shared.serverUrl)) return shared.serverUrl.value
    return yield* new NotConfigured({ missing: ["server"] })
  })

/** The given token; without one the stored, if it belongs to this server and there is something to say with it. */
const bearerFor = ({ email, name, token }: LoginOptions, serverUrl: ServerUrl) =>
  Effect.gen(function* () {
    if (token !== undefined) {
      const bearer = yield* parseToken(token)
      return kindOf(bearer).startsWith("invite key") ? yield* new InviteKeyGiven() : bearer
    }
    const stored = name === undefined && email === undefined ? Option.none() : yield* (yield* Credentials).read
    const own = Option.filter(stored, (credential) => isSameOrigin(serverUrl, credential.serverUrl))
    return Option.isSome(own) ? own.value.bearer : yield* new NoToken({ serverUrl })
  })

/** Whose token it is; None where the server takes it, but it is nobody's: a legacy key. */
const whoAmI = (server: SyncConnection) =>
  server.me.pipe(
    Effect.asSome,
    Effect.catchIf(
      (failure) => failure._tag === "Unauthorized" && failure.reason.includes("session required"),
      () => Effect.as(server.repos, Option.none<User>())
    )
  )

/** Tells the server name and email, where they are given and new to it. */
const introduce = (server: SyncConnection, me: Option.Option<User>, { email, name }: LoginOptions) => {
  const known = {
    name: Option.match(me, { onNone: () => "", onSome: (user) => user.name }),
    email: Option.match(me, { onNone: () => "", onSome: (user) => user.email })
  }
  const wanted = { name: name ?? known.name, email: email ?? known.email }
  const here = (why: string) => ({ user: wanted, notes: [`Name and email were stored here only: ${why}`] })
  const isNew = wanted.name !== known.name || wanted.email !== known.email
  if (!isNew) return Effect.succeed({ user: wanted, notes: [] })
  if (Option.isNone(me)) return Effect.succeed(here("a legacy API key belongs to no user of the server."))
  const patch = { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) }
  return server.updateMe(patch).pipe(
    Effect.map((user) => ({ user: { name: user.name, email: user.email }, notes: [] })),
    Effect.catchAll((failure) => Effect.succeed(here(failure.message)))
  )
}
