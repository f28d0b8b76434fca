import { Effect, Option } from "effect"
import { isExposed, isSameOrigin, parseServerUrl } from "../../model/sync/ServerUrl.ts"
import { Credentials } from "../../services/sync/Credentials.ts"
import { Project } from "../../services/project/Project.ts"
import { ProjectConfig } from "../../services/project/ProjectConfig.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import { writeShared } from "../../services/sync/SharedConfig.ts"
import { NotConfigured } from "../../services/sync/SyncClient.ts"
import { parseRepoId } from "./repoId.ts"

/** What the project syncs with, as its config says. */
export interface Remote {
  readonly server: Option.Option<string>
  readonly repo: Option.Option<string>
}

/** Server and repository of the config. */
export const remoteGet = Effect.fn("remoteGet")(function* () {
  const { repo_id, server_url } = yield* (yield* ProjectConfig).read
  return { server: given(server_url), repo: given(repo_id) } satisfies Remote
})

/**
 * Sets the server. A token of another server stays where it is and is not sent to this one; a note says so.
 *
 * Errors: `InvalidServerUrl`, `CorruptFile`, `FileFailure`, `LockTimeout`; nothing is changed then.
 */
export const remoteSet = Effect.fn("remoteSet")(function* (url: string) {
  const serverUrl = yield* parseServerUrl(url)
  const credential = yield* (yield* Credentials).read
  yield* (yield* ProjectConfig).update({ server_url: serverUrl })
  const isForeign = Option.exists(credential, ({ serverUrl: issuer }) => !isSameOrigin(serverUrl, issuer))
  return {
    serverUrl,
    notes: [
      ...(isExposed(serverUrl) ? [`${serverUrl} is not encrypted: whoever sees the traffic can read your token.`] : []),
      ...(isForeign
        ? [
            `The stored token belongs to another server and is not sent to this one: run 'ctx login --server ${serverUrl}'.`
          ]
        : [])
    ]
  }
})

/** Sets the repository. Errors: `InvalidRepoId`, `CorruptFile`, `FileFailure`, `LockTimeout`. */
export const remoteSetRepo = Effect.fn("remoteSetRepo")(function* (id: string) {
  const repo = yield* parseRepoId(id)
  yield* (yield* ProjectConfig).update({ repo_id: repo })
  return { repo }
})

/**
 * Writes server and repository into `contexo.json` at the project's root, to be committed: a teammate's `ctx init` finds
 * them there. Never a token.
 *
 * Errors: `NotConfigured` where one of the two is not set; `InvalidServerUrl`, `InvalidRepoId` where it is no such thing.
 *
 * @returns The absolute path of the file, and what it says.
 */
export const share = Effect.fn("share")(function* () {
  const config = yield* ProjectConfig
  const { root } = yield* Project
  return yield* (yield* ProjectLock).run(
    Effect.gen(function* () {
      const { repo_id, server_url } = yield* config.read
      if (!server_url || !repo_id) {
        return yield* new NotConfigured({
          missing: [...(server_url ? [] : ["server" as const]), ...(repo_id ? [] : ["repo" as const])]
        })
      }
      const serverUrl = yield* parseServerUrl(server_url)
      const repo = yield* parseRepoId(repo_id)
      return { path: yield* writeShared(root, { serverUrl, repo }), serverUrl, repo }
    })
  )
})

const given = (text: string | undefined): Option.Option<string> => Option.fromNullable(text || undefined)
