import { Path } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import * as ProjectDiscovery from "../../../services/project/ProjectDiscovery.ts"
import { ClientName } from "../../../services/sync/SyncConnect.ts"
import { projectLayers } from "../../ProjectLayers.ts"
import { RootOption } from "./CliCommand.ts"

/** The folder that a command runs in, and the project's folder where `--root` names one. */
export const whereabouts = Effect.gen(function* () {
  const root = yield* RootOption
  const path = yield* Path.Path
  return { cwd: path.resolve(), ...(Option.isSome(root) ? { root: root.value } : {}) }
})

/** Provides the project that the command line means, with everything that operations on it need. */
export const projectLayer = Layer.unwrapEffect(
  Effect.map(whereabouts, (where) => projectLayers.pipe(Layer.provideMerge(ProjectDiscovery.layer(where))))
).pipe(Layer.merge(Layer.succeed(ClientName, "ctx-cli")))
