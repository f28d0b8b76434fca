import { Context, type Effect, Schema } from "effect"
import type { CorruptFile, FileFailure } from "../files/FileFailure.ts"
import type { LockTimeout } from "./ProjectLock.ts"

/** `.contexo/config.json` of reference 1.2. Keys that we do not know are kept when it is written. */
export const ConfigFile = Schema.Struct({
  version: Schema.optionalWith(Schema.Int, { default: () => 1 }),
  repo_id: Schema.optional(Schema.String),
  server_url: Schema.optional(Schema.String),
  dashboard_url: Schema.optional(Schema.String)
})
export type ConfigFile = typeof ConfigFile.Type

/** What this project is wired up to. */
export class ProjectConfig extends Context.Tag("ctx-mcp/ProjectConfig")<
  ProjectConfig,
  {
    /** A missing file is the default `{version: 1}`. */
    readonly read: Effect.Effect<ConfigFile, CorruptFile | FileFailure>
    /** Sets the given keys, under the project lock; foreign keys stay. */
    readonly update: (patch: Partial<ConfigFile>) => Effect.Effect<void, CorruptFile | FileFailure | LockTimeout>
  }
>() {}
