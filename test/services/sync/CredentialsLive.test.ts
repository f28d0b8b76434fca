import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { Credentials } from "../../../src/services/sync/Credentials.ts"
import * as CredentialsLive from "../../../src/services/sync/CredentialsLive.ts"
import * as ProjectLockLive from "../../../src/services/project/ProjectLockLive.ts"
import { freshPlace, type Place, platform, projectIn, withEnvironment } from "../../support/place.ts"

const file = ".contexo/credentials.json"

/** Runs in a project whose credentials are this text; without one there are none. */
const withCredentials = <A, E>(
  text: string | undefined,
  use: (credentials: typeof Credentials.Service, here: Place) => Effect.Effect<A, E>,
  environment: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function* () {
    const here = yield* freshPlace
    yield* here.makeFolder(".contexo")
    if (text !== undefined) yield* here.write(file, text)
    const live = CredentialsLive.layer.pipe(Layer.provide(ProjectLockLive.layer), Layer.provide(projectIn(here)))
    return yield* Effect.flatMap(Credentials, (credentials) => use(credentials, here)).pipe(Effect.provide(live))
  }).pipe(Effect.provide(platform), withEnvironment(environment))

const ours = {
  bearer: Redacted.make("ctxp_secret"),
  serverUrl: "https://ctx.example.com",
  userName: "Dev",
  userEmail: "dev@example.com"
}

describe("credentials.json", () => {
  it.scoped("missing means no credentials", () =>
    withCredentials(undefined, (credentials) =>
      Effect.map(credentials.read, (stored) => {
        expect(Option.isNone(stored)).toBe(true)
      })
    )
  )

  it.scoped("is read as the Go client writes it", () =>
    withCredentials(
      '{\n  "token": "ctxp_abc",\n  "api_key": "old",\n  "server_url": "https://ctx.example.com",\n  "user_name": "Dev"\n}',
      (credentials) =>
        Effect.map(credentials.read, (stored) => {
          const credential = Option.getOrThrow(stored)
          expect(Redacted.value(credential.bearer)).toBe("ctxp_abc")
          expect(credential).toMatchObject({
            kind: "personal access token",
            serverUrl: "https://ctx.example.com",
            userName: "Dev"
          })
          expect(`${JSON.stringify(credential)} ${String(credential.bearer)}`).not.toContain("ctxp_abc")
        })
    )
  )

  it.scoped("has a legacy key where there is no token", () =>
    withCredentials('{"token": "", "api_key": "dev-key", "server_url": "https://ctx.example.com"}', (credentials) =>
      Effect.map(credentials.read, (stored) => {
        expect(Option.map(stored, ({ bearer, kind }) => [Redacted.value(bearer), kind])).toEqual(
          Option.some(["dev-key", "legacy API key"])
        )
      })
    )
  )

  it.scoped("without any bearer means no credentials", () =>
    withCredentials('{"server_url": "https://ctx.example.com", "token": " "}', (credentials) =>
      Effect.map(credentials.read, (stored) => {
        expect(Option.isNone(stored)).toBe(true)
      })
    )
  )

  it.scoped(
    "is written for its owner alone, whatever mode it had, keeps foreign keys, and drops the key it replaces",
    () =>
      withCredentials('{"x_note":"mine","api_key":"old-key","user_id":"7"}', (credentials, here) =>
        Effect.gen(function* () {
          yield* here.chmod(file, 0o644)
          yield* credentials.write(ours)
          expect(yield* here.mode(file)).toBe(0o600)
          const text = yield* here.read(file)
          expect(JSON.parse(text)).toEqual({
            x_note: "mine",
            server_url: "https://ctx.example.com",
            token: "ctxp_secret",
            user_name: "Dev",
            user_email: "dev@example.com"
          })
          expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2))
          yield* credentials.write({ bearer: Redacted.make("dev-key"), serverUrl: "" })
          expect(JSON.parse(yield* here.read(file))).toEqual({ x_note: "mine", server_url: "", token: "dev-key" })
        })
      )
  )

  it.scoped("is created for its owner alone", () =>
    withCredentials(undefined, (credentials, here) =>
      Effect.gen(function* () {
        yield* credentials.write(ours)
        expect(yield* here.mode(file)).toBe(0o600)
      })
    )
  )

  it.scoped.each(['{"token": "ctxp_secret', '{"token": ["ctxp_secret"]}', '{"token": "ctxp_secret\\nHost: evil"}', ""])(
    "holding %j is CorruptFile, is left as it is, and the message shows no token",
    (text) =>
      withCredentials(text, (credentials, here) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(credentials.read)
          expect(failure._tag).toBe("CorruptFile")
          expect(failure.message).toContain(here.at(file))
          expect(failure.message).not.toContain("ctxp_secret")
          expect(yield* here.read(file)).toBe(text)
        })
      )
  )

  it.scoped("that are corrupt are not reset by a login", () =>
    withCredentials('{"token": ', (credentials, here) =>
      Effect.gen(function* () {
        expect((yield* Effect.flip(credentials.write(ours)))._tag).toBe("CorruptFile")
        expect(yield* here.read(file)).toBe('{"token": ')
      })
    )
  )
})

const bearer = (credentials: typeof Credentials.Service) =>
  Effect.map(
    credentials.read,
    Option.map((credential) => [Redacted.value(credential.bearer), credential.serverUrl])
  )

describe("CONTEXO_TOKEN together with CONTEXO_SERVER", () => {
  const stored = '{"token": "ctxp_file", "server_url": "https://file.example.com"}'

  it.scoped("win over the file, a corrupt one too", () =>
    Effect.forEach([stored, "{", undefined], (text) =>
      withCredentials(text, bearer, {
        CONTEXO_TOKEN: "ctxp_env\n",
        CONTEXO_SERVER: "https://ENV.example.com/"
      }).pipe(Effect.map((read) => expect(read).toEqual(Option.some(["ctxp_env", "https://env.example.com"]))))
    )
  )

  it.scoped("alone, either, count for nothing: a token is bound to its server", () =>
    Effect.forEach(
      [
        { CONTEXO_TOKEN: "ctxp_env" },
        { CONTEXO_SERVER: "https://env.example.com" },
        { CONTEXO_TOKEN: "ctxp_env", CONTEXO_SERVER: " " }
      ],
      (variables) =>
        Effect.map(withCredentials(stored, bearer, variables), (read) =>
          expect(read).toEqual(Option.some(["ctxp_file", "https://file.example.com"]))
        )
    )
  )

  it.scoped.each([
    [{ CONTEXO_TOKEN: "ctxp_env\nx: y", CONTEXO_SERVER: "https://env.example.com" }, "CONTEXO_TOKEN"],
    [{ CONTEXO_TOKEN: "ctxp_env", CONTEXO_SERVER: "ftp://env.example.com" }, "CONTEXO_SERVER"]
  ] as const)("that are neither token nor address are refused by name: %j", ([variables, name]) =>
    Effect.map(Effect.flip(withCredentials(stored, bearer, variables)), (failure) => {
      expect(failure._tag).toBe("CorruptFile")
      expect(failure.message).toContain(name)
      expect(failure.message).not.toContain("ctxp_env")
    })
  )
})
