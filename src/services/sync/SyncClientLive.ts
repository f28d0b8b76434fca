import { HttpClient } from "@effect/platform"
import { Effect, Either, Layer, Option } from "effect"
import { originOf, parseServerUrl } from "../../model/sync/ServerUrl.ts"
import { Credentials } from "./Credentials.ts"
import { ProjectConfig } from "../project/ProjectConfig.ts"
import { ForeignToken, NotConfigured, SyncClient, type SyncConnection } from "./SyncClient.ts"
import { connect } from "./SyncConnectLive.ts"

/**
 * The project's own server. Config and credentials are read for every call, so that a long-lived process follows
 * `ctx login` and `ctx remote set`; a token of another origin is not sent.
 */
export const layer: Layer.Layer<SyncClient, never, ProjectConfig | Credentials | HttpClient.HttpClient> = Layer.effect(
  SyncClient,
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const config = yield* ProjectConfig
    const credentials = yield* Credentials

    const connection = Effect.fnUntraced(function* (needs: "server" | "repo") {
      const { repo_id: repo, server_url: serverUrl } = yield* config.read
      const credential = yield* credentials.read
      if (!serverUrl || Option.isNone(credential) || (needs === "repo" && !repo)) {
        return yield* new NotConfigured({
          missing: [
            ...(serverUrl ? [] : ["server" as const]),
            ...(repo || needs === "server" ? [] : ["repo" as const]),
            ...(Option.isSome(credential) ? [] : ["credentials" as const])
          ]
        })
      }
      const { bearer, serverUrl: issuer } = credential.value
      const origin = Either.map(parseServerUrl(serverUrl), originOf)
      const tokenOrigin = Either.map(parseServerUrl(issuer), originOf)
      if (Either.isRight(origin) && !(Either.isRight(tokenOrigin) && tokenOrigin.right === origin.right)) {
        return yield* new ForeignToken({
          url: origin.right,
          tokenOrigin: Either.getOrElse(tokenOrigin, () => "an unknown server")
        })
      }
      return connect(client, { serverUrl, bearer, repo })
    })

    const server = connection("server")
    const repo = connection("repo")
    return {
      me: Effect.flatMap(server, (to) => to.me),
      updateMe: (patch) => Effect.flatMap(server, (to) => to.updateMe(patch)),
      repos: Effect.flatMap(server, (to) => to.repos),
      createRepo: (id) => Effect.flatMap(server, (to) => to.createRepo(id)),
      pages: Effect.flatMap(repo, (to) => to.pages),
      page: (path) => Effect.flatMap(repo, (to) => to.page(path)),
      push: (body) => Effect.flatMap(repo, (to) => to.push(body)),
      pull: (since) => Effect.flatMap(repo, (to) => to.pull(since)),
      changes: (query) => Effect.flatMap(repo, (to) => to.changes(query)),
      timeline: (limit) => Effect.flatMap(repo, (to) => to.timeline(limit)),
      diff: (path, range) => Effect.flatMap(repo, (to) => to.diff(path, range)),
      history: (path, query) => Effect.flatMap(repo, (to) => to.history(path, query)),
      evolution: (path, query) => Effect.flatMap(repo, (to) => to.evolution(path, query)),
      pageAt: (path, at) => Effect.flatMap(repo, (to) => to.pageAt(path, at)),
      revert: (path, request) => Effect.flatMap(repo, (to) => to.revert(path, request)),
      purge: (path, options) => Effect.flatMap(repo, (to) => to.purge(path, options))
    } satisfies SyncConnection
  })
)
