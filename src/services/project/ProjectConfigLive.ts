import { type FileSystem, Path } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { patchJsonFile, readJsonFile } from "../files/JsonFile.ts"
import { Project } from "./Project.ts"
import { ConfigFile, ProjectConfig } from "./ProjectConfig.ts"
import { ProjectLock } from "./ProjectLock.ts"

/** `.contexo/config.json` on disk, read anew on every call. */
export const layer: Layer.Layer<ProjectConfig, never, FileSystem.FileSystem | Path.Path | Project | ProjectLock> =
  Layer.effect(
    ProjectConfig,
    Effect.gen(function* () {
      const disk = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const lock = yield* ProjectLock
      const file = (yield* Path.Path).join((yield* Project).contexo, "config.json")
      const load = readJsonFile(file, ConfigFile)
      return {
        read: load.pipe(
          Effect.map(Option.match({ onNone: (): ConfigFile => ({ version: 1 }), onSome: ({ known }) => known })),
          Effect.provide(disk),
          Effect.withSpan("ProjectConfig.read")
        ),
        update: Effect.fn("ProjectConfig.update")(function* (patch) {
          yield* lock.run(
            Effect.gen(function* () {
              const before = Option.map(yield* load, ({ object }) =>
                "version" in object ? object : { version: 1, ...object }
              )
              yield* patchJsonFile(
                file,
                Option.orElseSome(before, () => ({ version: 1 })),
                patch
              )
            }).pipe(Effect.provide(disk))
          )
        })
      }
    })
  )
