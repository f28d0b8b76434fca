import { FileSystem } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Project } from "../../../src/services/project/Project.ts"

export const tempFolder = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "ctx-" }), fs.realPath)
)

/** The root of a new project with an empty `.contexo/`. */
export const tempProject = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* tempFolder
  yield* fs.makeDirectory(`${root}/.contexo`)
  return root
})

export const projectAt = (root: string) => Layer.succeed(Project, { root, contexo: `${root}/.contexo` })
