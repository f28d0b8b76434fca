import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { remoteGet, remoteSet, remoteSetRepo, share } from "../../../src/effects/sync/remote.ts"
import { Credentials } from "../../../src/services/sync/Credentials.ts"
import * as CredentialsLive from "../../../src/services/sync/CredentialsLive.ts"
import * as ProjectConfigLive from "../../../src/services/project/ProjectConfigLive.ts"
import * as ProjectLockLive from "../../../src/services/project/ProjectLockLive.ts"
import { freshPlace, type Place, platform, projectIn, withEnvironment } from "../../support/place.ts"

const live = (here: Place) =>
  Layer.mergeAll(ProjectConfigLive.layer, CredentialsLive.layer).pipe(
    Layer.provideMerge(ProjectLockLive.layer),
    Layer.provideMerge(projectIn(here)),
    Layer.provideMerge(platform)
  )

/** Runs in a fresh project. */
const inProject = <A, E>(use: (here: Place) => Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof live>>>) =>
  Effect.gen(function* () {
    const here = yield* freshPlace
    yield* here.makeFolder(".contexo")
    return yield* Effect.provide(use(here), live(here))
  }).pipe(Effect.provide(platform), withEnvironment({}))

describe("ctx remote", () => {
  it.scoped("gets what was set, and nothing before", () =>
    inProject(() =>
      Effect.gen(function* () {
        expect(yield* remoteGet()).toEqual({ server: Option.none(), repo: Option.none() })
        expect(yield* remoteSet("https://CTX.example.com/")).toEqual({
          serverUrl: "https://ctx.example.com",
          notes: []
        })
        yield* remoteSetRepo("acme")
        expect(yield* remoteGet()).toEqual({
          server: Option.some("https://ctx.example.com"),
          repo: Option.some("acme")
        })
      })
    )
  )

  it.scoped("refuses what is no address or no id, and changes nothing (A13)", () =>
    inProject((here) =>
      Effect.gen(function* () {
        for (const url of ["", "ctx.example.com", "https://u:p@ctx.example.com", "javascript:alert(1)"]) {
          expect((yield* Effect.flip(remoteSet(url)))._tag).toBe("InvalidServerUrl")
        }
        for (const id of ["", "..", "a/b", "..%2fa", "-rf", "foo.bar", "a".repeat(65), "a\n"]) {
          const failure = yield* Effect.flip(remoteSetRepo(id))
          expect(failure._tag).toBe("InvalidRepoId")
          expect(failure.message).toContain(JSON.stringify(id))
        }
        expect(yield* here.exists(".contexo/config.json")).toBe(false)
      })
    )
  )

  it.scoped("says when the address is not encrypted, and when the stored token is another server's", () =>
    inProject(() =>
      Effect.gen(function* () {
        expect((yield* remoteSet("http://10.0.0.7:4848")).notes.join()).toContain("not encrypted")
        expect((yield* remoteSet("http://127.0.0.1:4848")).notes).toEqual([])
        yield* (yield* Credentials).write({ bearer: Redacted.make("ctxp_x"), serverUrl: "https://ctx.example.com" })
        expect((yield* remoteSet("https://ctx.example.com/team")).notes).toEqual([])
        expect((yield* remoteSet("https://other.example.com")).notes.join()).toContain(
          "ctx login --server https://other.example.com"
        )
      })
    )
  )

  it.scoped("shares server and repository in contexo.json, and no token", () =>
    inProject((here) =>
      Effect.gen(function* () {
        const early = yield* Effect.flip(share())
        expect(early).toMatchObject({ _tag: "NotConfigured", missing: ["server", "repo"] })
        yield* (yield* Credentials).write({ bearer: Redacted.make("ctxp_x"), serverUrl: "https://ctx.example.com" })
        yield* remoteSet("https://ctx.example.com")
        yield* remoteSetRepo("acme")
        expect((yield* share()).path).toBe(here.at("contexo.json"))
        expect(JSON.parse(yield* here.read("contexo.json"))).toEqual({
          server_url: "https://ctx.example.com",
          repo_id: "acme"
        })
      })
    )
  )

  it.scoped("shares nothing that a config edited by hand should not hold", () =>
    inProject((here) =>
      Effect.gen(function* () {
        yield* here.write(
          ".contexo/config.json",
          '{"server_url": "https://u:hunter2@ctx.example.com", "repo_id": "acme"}'
        )
        const failure = yield* Effect.flip(share())
        expect(failure._tag).toBe("InvalidServerUrl")
        expect(failure.message).not.toContain("hunter2")
        expect(yield* here.exists("contexo.json")).toBe(false)
      })
    )
  )
})
