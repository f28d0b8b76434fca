import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { ServerUrl } from "../../../src/model/sync/ServerUrl.ts"
import { readShared, writeShared } from "../../../src/services/sync/SharedConfig.ts"
import { RepoId } from "../../../src/services/sync/SyncApi.ts"
import { freshPlace, platform } from "../../support/place.ts"

const ours = { serverUrl: ServerUrl.make("https://ctx.example.com"), repo: RepoId.make("acme") }
const nothing = { serverUrl: Option.none(), repo: Option.none() }

describe("contexo.json", () => {
  it.scoped("missing shares nothing", () =>
    Effect.gen(function* () {
      const here = yield* freshPlace
      expect(yield* readShared(here.folder)).toEqual(nothing)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("says server and repository, with a line end, and says it once", () =>
    Effect.gen(function* () {
      const here = yield* freshPlace
      expect(yield* writeShared(here.folder, ours)).toBe(here.at("contexo.json"))
      const text = '{\n  "server_url": "https://ctx.example.com",\n  "repo_id": "acme"\n}\n'
      expect(yield* here.read("contexo.json")).toBe(text)
      expect(yield* readShared(here.folder)).toEqual({
        serverUrl: Option.some(ours.serverUrl),
        repo: Option.some(ours.repo)
      })
      yield* writeShared(here.folder, ours)
      expect(yield* here.read("contexo.json")).toBe(text)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("keeps the team's other keys and layout", () =>
    Effect.gen(function* () {
      const here = yield* freshPlace
      yield* here.write(
        "contexo.json",
        '{\r\n\t"server_url": "https://old.example.com",\r\n\t"owners": ["a",  "b"]\r\n}'
      )
      yield* writeShared(here.folder, ours)
      expect(yield* here.read("contexo.json")).toBe(
        '{\r\n\t"server_url": "https://ctx.example.com",\r\n\t"owners": ["a",  "b"],\r\n\t"repo_id": "acme"\r\n}'
      )
    }).pipe(Effect.provide(platform))
  )

  it.scoped("lends nobody a token", () =>
    Effect.gen(function* () {
      const here = yield* freshPlace
      yield* here.write("contexo.json", '{"server_url": "https://ctx.example.com/", "token": "ctxp_x", "api_key": "y"}')
      expect(yield* readShared(here.folder)).toEqual({ serverUrl: Option.some(ours.serverUrl), repo: Option.none() })
    }).pipe(Effect.provide(platform))
  )

  it.scoped.each([
    ["{", "line 1"],
    ['{"repo_id": "../../etc"}', '"repo_id"'],
    ['{"server_url": "https://u:hunter2@example.com"}', "user name or password"],
    ['// shared\n{"repo_id": "acme"}', "line 1"]
  ] as const)("holding %j is CorruptFile, and is left as it is", ([text, reason]) =>
    Effect.gen(function* () {
      const here = yield* freshPlace
      yield* here.write("contexo.json", text)
      const failure = yield* Effect.flip(readShared(here.folder))
      expect(failure._tag).toBe("CorruptFile")
      expect(failure.message).toContain(here.at("contexo.json"))
      expect(failure.message).toContain(reason)
      expect(failure.message).not.toContain("hunter2")
      expect(yield* here.read("contexo.json")).toBe(text)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("that leads out of the project is not written through", () =>
    Effect.gen(function* () {
      const here = yield* freshPlace
      yield* here.write("theirs.json", "{}")
      yield* here.makeFolder("app")
      yield* here.link("../theirs.json", "app/contexo.json")
      expect((yield* Effect.flip(writeShared(here.at("app"), ours)))._tag).toBe("LeavesStore")
      expect(yield* here.read("theirs.json")).toBe("{}")
    }).pipe(Effect.provide(platform))
  )
})
