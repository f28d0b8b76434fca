import { FetchHttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { authStatus } from "../../../src/effects/sync/authStatus.ts"
import { login, type LoginOptions } from "../../../src/effects/sync/login.ts"
import * as CredentialsLive from "../../../src/services/sync/CredentialsLive.ts"
import * as ProjectConfigLive from "../../../src/services/project/ProjectConfigLive.ts"
import * as ProjectLockLive from "../../../src/services/project/ProjectLockLive.ts"
import * as SyncConnectLive from "../../../src/services/sync/SyncConnectLive.ts"
import { freshPlace, type Place, platform, projectIn, withEnvironment } from "../../support/place.ts"
import { answerJson, type Behaviour, stubServer } from "../../support/stubServer.ts"

const live = (here: Place) =>
  Layer.mergeAll(
    ProjectConfigLive.layer,
    CredentialsLive.layer,
    SyncConnectLive.layer.pipe(Layer.provide(FetchHttpClient.layer))
  ).pipe(Layer.provideMerge(ProjectLockLive.layer), Layer.provideMerge(projectIn(here)), Layer.provideMerge(platform))

const inProject =
  (here: Place, environment: Readonly<Record<string, string>> = {}) =>
  <A, E>(effect: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof live>>>) =>
    effect.pipe(Effect.provide(live(here)), withEnvironment(environment))

const project = Effect.gen(function* () {
  const here = yield* freshPlace
  yield* here.makeFolder(".contexo")
  return here
}).pipe(Effect.provide(platform))

const dev = { id: "1", name: "Dev", email: "dev@example.com" }

/** A server that knows one token and its user, whose name and email can be set. */
const server =
  (token = "ctxp_good"): Behaviour =>
  (response, { body, headers, method, url }) => {
    if (headers.authorization !== `Bearer ${token}`) return answerJson(response, 401, { error: "invalid API key" })
    if (url !== "/v1/me") return answerJson(response, 404, { error: "no such route" })
    return answerJson(response, 200, method === "PATCH" ? { ...dev, ...JSON.parse(body) } : dev)
  }

const stored = (here: Place) =>
  Effect.gen(function* () {
    const file = (name: string) => Effect.map(here.tryRead(`.contexo/${name}`), (text): unknown => JSON.parse(text))
    return {
      credentials: yield* Effect.option(file("credentials.json")),
      config: yield* Effect.option(file("config.json"))
    }
  })
const nothing = { credentials: Option.none(), config: Option.none() }

describe("ctx login", () => {
  it.scopedLive("stores the token for its owner alone once the server took it, and makes the server the config's", () =>
    Effect.gen(function* () {
      const here = yield* project
      const stub = yield* stubServer(server())
      const done = yield* inProject(here)(login({ token: " ctxp_good\n", server: `${stub.url}/`, repo: "acme" }))
      expect(done).toEqual({
        serverUrl: stub.url,
        kind: "personal access token",
        repo: Option.some("acme"),
        user: Option.some({ name: "Dev", email: "dev@example.com" }),
        notes: []
      })
      expect(yield* stored(here)).toEqual({
        credentials: Option.some({
          token: "ctxp_good",
          server_url: stub.url,
          user_name: "Dev",
          user_email: "dev@example.com"
        }),
        config: Option.some({ version: 1, server_url: stub.url, repo_id: "acme" })
      })
      expect(yield* here.mode(".contexo/credentials.json")).toBe(0o600)
      expect(stub.received.map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /v1/me"])
      const { credential } = yield* inProject(here)(authStatus())
      expect(Option.getOrThrow(credential)).toMatchObject({ serverUrl: stub.url, token: "****", source: "file" })
    })
  )

  it.scopedLive("goes to the config's server, else to that of contexo.json", () =>
    Effect.gen(function* () {
      const here = yield* project
      const first = yield* stubServer(server())
      const second = yield* stubServer(server())
      yield* here.write("contexo.json", JSON.stringify({ server_url: first.url }))
      expect((yield* inProject(here)(login({ token: "ctxp_good" }))).serverUrl).toBe(first.url)
      yield* here.write(".contexo/config.json", JSON.stringify({ server_url: second.url, repo_id: "kept" }))
      const done = yield* inProject(here)(login({ token: "ctxp_good" }))
      expect([done.serverUrl, done.repo]).toEqual([second.url, Option.some("kept")])
    })
  )

  it.scopedLive("stores nothing where the server refuses the token, is no ctx server, or does not answer", () =>
    Effect.gen(function* () {
      const here = yield* project
      const refusing = yield* stubServer(server())
      const html = yield* stubServer((response) => {
        response.writeHead(200, { "content-type": "text/html" })
        response.end("<html>Sign in</html>")
      })
      const cases = [
        [refusing.url, "Unauthorized"],
        [html.url, "UnexpectedAnswer"],
        ["http://127.0.0.1:9", "ServerUnreachable"]
      ] as const
      for (const [url, tag] of cases) {
        const failure = yield* Effect.flip(inProject(here)(login({ token: "ctxp_bad", server: url })))
        expect(failure._tag).toBe(tag)
        expect(failure.message).toContain(url)
        expect(failure.message).not.toContain("ctxp_bad")
      }
      expect(yield* stored(here)).toEqual(nothing)
    })
  )

  const refused: ReadonlyArray<readonly [options: LoginOptions, tag: string, says: string]> = [
    [{ token: "ctxi_invite" }, "InviteKeyGiven", "ctx join"],
    [{ token: "ctxp_a\nHost: evil" }, "InvalidToken", "line breaks"],
    [{ token: "" }, "InvalidToken", "empty"],
    [{ token: "ctxp_good", repo: "../etc" }, "InvalidRepoId", '"../etc"'],
    [{ token: "ctxp_good", server: "ctx.example.com" }, "InvalidServerUrl", "https://"],
    [{}, "NoToken", "--token"],
    [{ name: "Dev" }, "NoToken", "--token"]
  ]

  it.scopedLive.each(refused)("refuses %j before anything is asked or stored", ([options, tag, says]) =>
    Effect.gen(function* () {
      const here = yield* project
      const stub = yield* stubServer(server())
      const failure = yield* Effect.flip(inProject(here)(login({ server: stub.url, ...options })))
      expect(failure._tag).toBe(tag)
      expect(failure.message).toContain(says)
      expect(failure.message).not.toMatch(/ctxi_|ctxp_/)
      expect(stub.received).toEqual([])
      expect(yield* stored(here)).toEqual(nothing)
    })
  )

  it.scopedLive("without any server says how to name one", () =>
    Effect.gen(function* () {
      const here = yield* project
      const failure = yield* Effect.flip(inProject(here)(login({ token: "ctxp_good" })))
      expect(failure._tag).toBe("NotConfigured")
      expect(failure.message).toContain("ctx remote set")
    })
  )

  it.scopedLive("tells the server a name and an email that are new to it", () =>
    Effect.gen(function* () {
      const here = yield* project
      const stub = yield* stubServer(server())
      const done = yield* inProject(here)(
        login({ token: "ctxp_good", server: stub.url, name: "Ada", email: "dev@example.com" })
      )
      expect(done.user).toEqual(Option.some({ name: "Ada", email: "dev@example.com" }))
      expect(done.notes).toEqual([])
      expect(stub.received.map(({ body, method }) => [method, body])).toEqual([
        ["GET", ""],
        ["PATCH", JSON.stringify({ name: "Ada", email: "dev@example.com" })]
      ])
      yield* inProject(here)(login({ email: "ada@example.com" }))
      expect(Option.getOrThrow((yield* stored(here)).credentials)).toMatchObject({
        token: "ctxp_good",
        user_email: "ada@example.com"
      })
    })
  )

  it.scopedLive("keeps name and email here, with a note, where a public server cannot take them", () =>
    Effect.gen(function* () {
      const here = yield* project
      const stub = yield* stubServer((response, { method }) =>
        method === "GET" ? answerJson(response, 200, dev) : answerJson(response, 404, { error: "no such route" })
      )
      const done = yield* inProject(here)(login({ token: "ctxp_good", server: stub.url, name: "Ada" }))
      expect(done.user).toEqual(Option.some({ name: "Ada", email: "dev@example.com" }))
      expect(done.notes.join()).toContain("stored here only")
      expect(done.notes.join()).toContain("404")
      expect(Option.getOrThrow((yield* stored(here)).credentials)).toMatchObject({ user_name: "Ada" })
    })
  )

  it.scopedLive("checks a legacy key, which has no user, with the list of repositories", () =>
    Effect.gen(function* () {
      const here = yield* project
      const stub = yield* stubServer((response, { headers, url }) => {
        if (headers.authorization !== "Bearer dev-key") return answerJson(response, 401, { error: "invalid API key" })
        return url === "/v1/repos"
          ? answerJson(response, 200, { repos: null })
          : answerJson(response, 401, { error: "session required" })
      })
      const done = yield* inProject(here)(login({ token: "dev-key", server: stub.url }))
      expect([done.kind, done.user]).toEqual(["legacy API key", Option.none()])
      expect(stub.received.map(({ url }) => url)).toEqual(["/v1/me", "/v1/repos"])
      const named = yield* inProject(here)(login({ token: "dev-key", server: stub.url, name: "Ada" }))
      expect([named.user, named.notes.length]).toEqual([Option.some({ name: "Ada", email: "" }), 1])
      const failure = yield* Effect.flip(inProject(here)(login({ token: "other-key", server: stub.url })))
      expect(failure._tag).toBe("Unauthorized")
    })
  )

  it.scopedLive("sends a stored token to no other server, to say a name", () =>
    Effect.gen(function* () {
      const here = yield* project
      const own = yield* stubServer(server())
      const other = yield* stubServer(server())
      yield* inProject(here)(login({ token: "ctxp_good", server: own.url }))
      const failure = yield* Effect.flip(inProject(here)(login({ server: other.url, name: "Ada" })))
      expect(failure._tag).toBe("NoToken")
      expect(other.received).toEqual([])
    })
  )

  it.scopedLive("does not reset credentials that it cannot read", () =>
    Effect.gen(function* () {
      const here = yield* project
      const stub = yield* stubServer(server())
      yield* here.write(".contexo/credentials.json", "{")
      const failure = yield* Effect.flip(inProject(here)(login({ token: "ctxp_good", server: stub.url })))
      expect(failure._tag).toBe("CorruptFile")
      expect(yield* here.read(".contexo/credentials.json")).toBe("{")
      expect(yield* here.exists(".contexo/config.json")).toBe(false)
    })
  )

  it.scopedLive("leaves the environment's token in the environment, and says that it wins", () =>
    Effect.gen(function* () {
      const here = yield* project
      const stub = yield* stubServer(server())
      const environment = { CONTEXO_TOKEN: "ctxp_good", CONTEXO_SERVER: stub.url }
      yield* inProject(here, environment)(login({ server: stub.url, name: "Ada" }))
      expect((yield* stored(here)).credentials).toEqual(Option.none())
      const done = yield* inProject(here, environment)(login({ token: "ctxp_good", server: stub.url }))
      expect(done.notes.join()).toContain("CONTEXO_TOKEN")
      expect(Option.isSome((yield* stored(here)).credentials)).toBe(true)
    })
  )
})

describe("ctx auth status", () => {
  it.scopedLive("is nothing without credentials, and says why a lone CONTEXO_TOKEN is not used", () =>
    Effect.gen(function* () {
      const here = yield* project
      expect(yield* inProject(here)(authStatus())).toEqual({ credential: Option.none(), notes: [] })
      const { credential, notes } = yield* inProject(here, { CONTEXO_TOKEN: "ctxp_0123456789abcdef" })(authStatus())
      expect(credential).toEqual(Option.none())
      expect(notes.join()).toContain("CONTEXO_SERVER")
    })
  )

  it.scopedLive("shows whose the token is and where it comes from, and never the token", () =>
    Effect.gen(function* () {
      const here = yield* project
      const variables = { CONTEXO_TOKEN: "ctxp_0123456789abcdef", CONTEXO_SERVER: "https://ctx.example.com" }
      const { credential } = yield* inProject(here, variables)(authStatus())
      expect(Option.getOrThrow(credential)).toEqual({
        serverUrl: "https://ctx.example.com",
        kind: "personal access token",
        user: Option.none(),
        token: "ctxp...cdef",
        source: "environment"
      })
    })
  )
})
