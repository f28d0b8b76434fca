import { FetchHttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Redacted, Ref } from "effect"
import { type Credential, Credentials } from "../../../src/services/sync/Credentials.ts"
import { type ConfigFile, ProjectConfig } from "../../../src/services/project/ProjectConfig.ts"
import { SyncClient } from "../../../src/services/sync/SyncClient.ts"
import { layer } from "../../../src/services/sync/SyncClientLive.ts"
import { answerJson, stubServer } from "../../support/stubServer.ts"

/** A client over a config and credentials that the test can change while it lives. */
const wired = (config: ConfigFile, credential: Option.Option<Credential>) =>
  Effect.gen(function* () {
    const configs = yield* Ref.make(config)
    const credentials = yield* Ref.make(credential)
    const client = yield* SyncClient.pipe(
      Effect.provide(layer),
      Effect.provideService(ProjectConfig, {
        read: Ref.get(configs),
        update: (patch) => Ref.update(configs, (now) => ({ ...now, ...patch }))
      }),
      Effect.provideService(Credentials, {
        read: Ref.get(credentials),
        write: (next) => Ref.set(credentials, Option.some({ ...next, kind: "personal access token" }))
      }),
      Effect.provide(FetchHttpClient.layer)
    )
    return { client, configs, credentials }
  })

const token = (serverUrl: string, bearer = "ctxp_one"): Option.Option<Credential> =>
  Option.some({ bearer: Redacted.make(bearer), kind: "personal access token", serverUrl })

const user = { id: "1", email: "dev@example.com", name: "Dev" }

describe("the project's server", () => {
  it.scopedLive("is the config's, and a login or another remote counts from the next call on", () =>
    Effect.gen(function* () {
      const first = yield* stubServer((response) => answerJson(response, 200, user))
      const second = yield* stubServer((response) => answerJson(response, 200, { pages: [] }))
      const { client, configs, credentials } = yield* wired(
        { version: 1, server_url: first.url, repo_id: "a" },
        token(first.url)
      )
      yield* client.me
      yield* Ref.set(credentials, token(`${second.url}/login/page`, "ctxp_two"))
      yield* Ref.set(configs, { version: 1, server_url: second.url, repo_id: "b" })
      yield* client.pages
      expect(first.received.map(({ headers, url }) => [url, headers.authorization])).toEqual([
        ["/v1/me", "Bearer ctxp_one"]
      ])
      expect(second.received.map(({ headers, url }) => [url, headers.authorization])).toEqual([
        ["/v1/repos/b/pages", "Bearer ctxp_two"]
      ])
    })
  )

  it.scopedLive("never gets a token of another origin", () =>
    Effect.gen(function* () {
      const stub = yield* stubServer((response) => answerJson(response, 200, user))
      const foreign = ["https://api.contexo.live", "not a url", stub.url.replace("127.0.0.1", "localhost")]
      for (const issuer of foreign) {
        const { client } = yield* wired({ version: 1, server_url: stub.url, repo_id: "a" }, token(issuer))
        const calls: ReadonlyArray<Effect.Effect<unknown, Error>> = [client.me, client.pages, client.pull({})]
        for (const call of calls) expect((yield* Effect.flip(call)).name).toBe("ForeignToken")
      }
      expect(stub.received).toEqual([])
      const { client } = yield* wired({ version: 1, server_url: stub.url }, token("https://api.contexo.live"))
      expect((yield* Effect.flip(client.me)).message).toBe(
        `the stored token is for https://api.contexo.live and was not sent to ${stub.url}. Run 'ctx login --server ${stub.url}', or 'ctx remote set https://api.contexo.live'.`
      )
    })
  )

  it.scopedLive("is not asked while something is missing, and the failure names what", () =>
    Effect.gen(function* () {
      const nothing = yield* wired({ version: 1 }, Option.none())
      expect(yield* Effect.flip(nothing.client.pages)).toMatchObject({
        _tag: "NotConfigured",
        missing: ["server", "repo", "credentials"],
        message: "server not configured (run 'ctx remote set <url>', 'ctx remote set-repo <id>', 'ctx auth login')"
      })
      expect(yield* Effect.flip(nothing.client.me)).toMatchObject({ missing: ["server", "credentials"] })
      const stub = yield* stubServer((response) => answerJson(response, 200, user))
      const noRepo = yield* wired({ version: 1, server_url: stub.url }, token(stub.url))
      expect(yield* Effect.flip(noRepo.client.pages)).toMatchObject({ missing: ["repo"] })
      expect((yield* noRepo.client.me).name).toBe("Dev")
      expect(stub.received).toHaveLength(1)
    })
  )
})
