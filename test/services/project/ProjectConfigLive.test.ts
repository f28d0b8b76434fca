import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { ProjectConfig } from "../../../src/services/project/ProjectConfig.ts"
import * as ProjectConfigLive from "../../../src/services/project/ProjectConfigLive.ts"
import * as ProjectLockLive from "../../../src/services/project/ProjectLockLive.ts"
import { freshPlace, type Place, platform, projectIn } from "../../support/place.ts"

const file = ".contexo/config.json"

const configIn = (here: Place) =>
  Layer.provideMerge(
    ProjectConfigLive.layer.pipe(Layer.provide(ProjectLockLive.layer), Layer.provide(projectIn(here))),
    platform
  )

/** Runs in a project whose config is this text; without one there is none. */
const withConfig = <A, E>(
  text: string | Uint8Array | undefined,
  use: (config: typeof ProjectConfig.Service, here: Place) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const here = yield* freshPlace
    yield* here.makeFolder(".contexo")
    if (text !== undefined) yield* here.write(file, text)
    return yield* Effect.flatMap(ProjectConfig, (config) => use(config, here)).pipe(Effect.provide(configIn(here)))
  }).pipe(Effect.provide(platform))

describe("config.json", () => {
  it.scoped("missing is version 1 and nothing else, and reading does not make it", () =>
    withConfig(undefined, (config, here) =>
      Effect.gen(function* () {
        expect(yield* config.read).toEqual({ version: 1 })
        expect(yield* here.exists(file)).toBe(false)
      })
    )
  )

  it.scoped("is written with two spaces and no line end at the end, and read back", () =>
    withConfig(undefined, (config, here) =>
      Effect.gen(function* () {
        yield* config.update({ server_url: "https://ctx.example.com" })
        yield* config.update({ repo_id: "acme" })
        expect(yield* here.read(file)).toBe(
          '{\n  "version": 1,\n  "server_url": "https://ctx.example.com",\n  "repo_id": "acme"\n}'
        )
        expect(yield* config.read).toEqual({ version: 1, server_url: "https://ctx.example.com", repo_id: "acme" })
      })
    )
  )

  it.scoped("keeps keys that we do not know, and the order", () =>
    withConfig('\uFEFF{"x_team":{"deep":[1,null]},"repo_id":"old","version":1,"last_pull_sha":"abc"}', (config, here) =>
      Effect.gen(function* () {
        yield* config.update({ repo_id: "new", server_url: undefined })
        expect(JSON.stringify(JSON.parse(yield* here.read(file)))).toBe(
          '{"x_team":{"deep":[1,null]},"repo_id":"new","version":1,"last_pull_sha":"abc"}'
        )
      })
    )
  )

  it.scoped("loses a key that is set to nothing, as empty ones are left out", () =>
    withConfig('{"version":1,"repo_id":"acme"}', (config, here) =>
      Effect.gen(function* () {
        yield* config.update({ repo_id: "" })
        expect(JSON.parse(yield* here.read(file))).toEqual({ version: 1 })
      })
    )
  )

  it.scoped.each([
    ["", "it is empty"],
    ['{"version": 1,\n "repo_id": "acme"', "not valid JSON, line 2"],
    ["[]", "not a JSON object"],
    ["null", "not a JSON object"],
    ['{"version": 1, "server_url": 5}', '"server_url" holds another kind of value'],
    [Uint8Array.of(0x7b, 0xff, 0x7d), "not UTF-8"]
  ] as const)("holding %j is CorruptFile, and is left as it is", ([text, reason]) =>
    withConfig(text, (config, here) =>
      Effect.gen(function* () {
        for (const step of [config.read, config.update({ repo_id: "acme" })]) {
          const failure = yield* Effect.flip(step)
          expect(failure._tag).toBe("CorruptFile")
          expect(failure.message).toContain(here.at(file))
          expect(failure.message).toContain(reason)
        }
        if (typeof text === "string") expect(yield* here.read(file)).toBe(text)
      })
    )
  )

  it.scoped("is no file: a folder in its place is a failure that names it", () =>
    withConfig(undefined, (config, here) =>
      Effect.gen(function* () {
        yield* here.makeFolder(file)
        const failure = yield* Effect.either(config.read)
        expect(Either.isLeft(failure) && failure.left.message).toContain(here.at(file))
      })
    )
  )

  it.scopedLive("loses no update of many at once", () =>
    withConfig('{"version":1}', (config, here) =>
      Effect.gen(function* () {
        const patches = [
          { repo_id: "acme" },
          { server_url: "https://a.example" },
          { dashboard_url: "https://b.example" }
        ]
        yield* Effect.forEach(patches, config.update, { concurrency: "unbounded" })
        expect(JSON.parse(yield* here.read(file))).toEqual({ version: 1, ...Object.assign({}, ...patches) })
      })
    )
  )
})
