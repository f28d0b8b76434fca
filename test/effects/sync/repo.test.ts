import { FetchHttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { createRepo, listRepos } from "../../../src/effects/sync/repo.ts"
import { Credentials } from "../../../src/services/sync/Credentials.ts"
import { ProjectConfig } from "../../../src/services/project/ProjectConfig.ts"
import * as SyncClientLive from "../../../src/services/sync/SyncClientLive.ts"
import { answerJson, type Behaviour, stubServer } from "../../support/stubServer.ts"

const clientOf = (url: string) =>
  SyncClientLive.layer.pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(
      Layer.succeed(ProjectConfig, { read: Effect.succeed({ version: 1, server_url: url }), update: () => Effect.void })
    ),
    Layer.provide(
      Layer.succeed(Credentials, {
        read: Effect.succeedSome({ bearer: Redacted.make("ctxp_x"), kind: "personal access token", serverUrl: url }),
        write: () => Effect.void
      })
    )
  )

const withServer = <A, E>(
  behave: Behaviour,
  effect: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof clientOf>>>
) =>
  Effect.gen(function* () {
    const stub = yield* stubServer(behave)
    const result = yield* Effect.either(Effect.provide(effect, clientOf(stub.url)))
    return { result, received: stub.received }
  })

describe("ctx repo", () => {
  it.scopedLive("creates a repository", () =>
    Effect.gen(function* () {
      const { received, result } = yield* withServer(
        (response) => answerJson(response, 201, { id: "acme", role: "owner" }),
        createRepo("acme")
      )
      expect(result).toMatchObject({ right: { repo: "acme" } })
      expect(received.map(({ body, method, url }) => [method, url, body])).toEqual([
        ["POST", "/v1/repos", '{"id":"acme"}']
      ])
    })
  )

  it.scopedLive("says what the server said where the name is taken", () =>
    Effect.gen(function* () {
      const { result } = yield* withServer(
        (response) => answerJson(response, 409, { error: "repository exists" }),
        createRepo("acme")
      )
      expect(result).toMatchObject({ left: { _tag: "ServerRefused", status: 409, reason: "repository exists" } })
    })
  )

  it.scopedLive.each(["../other", "", "foo.bar"])("asks nothing for %j (A13)", (id) =>
    Effect.gen(function* () {
      const { received, result } = yield* withServer((response) => answerJson(response, 500, {}), createRepo(id))
      expect(result).toMatchObject({ left: { _tag: "InvalidRepoId" } })
      expect(received).toEqual([])
    })
  )

  it.scopedLive("lists repositories by id", () =>
    Effect.gen(function* () {
      const repos = [{ id: "zeta", role: "member" }, { id: "Beta" }, { id: "alpha", page_count: 3 }]
      const { result } = yield* withServer((response) => answerJson(response, 200, { repos }), listRepos())
      expect(Option.map(Option.getRight(result), (list) => list.map(({ id }) => id))).toEqual(
        Option.some(["Beta", "alpha", "zeta"])
      )
    })
  )
})
