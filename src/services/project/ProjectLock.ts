import { Context, type Effect, Schema } from "effect"
import type { FileFailure } from "../files/FileFailure.ts"

/** Another process held the project's lock for longer than we wait. */
export class LockTimeout extends Schema.TaggedError<LockTimeout>()("LockTimeout", {
  path: Schema.String,
  seconds: Schema.Number
}) {
  override get message() {
    return `${this.path}: another ctx process held the project lock for ${this.seconds} s. Nothing was changed; try again.`
  }
}

/**
 * One writer at a time in a project, across processes. Re-entrant within a fiber. The operating system holds the
 * lock for the process, so it is free again the moment its holder dies: there is no stale lock to break.
 */
export class ProjectLock extends Context.Tag("ctx-mcp/ProjectLock")<
  ProjectLock,
  {
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | LockTimeout | FileFailure, R>
  }
>() {}
