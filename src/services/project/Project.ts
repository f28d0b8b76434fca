import { Context, Schema } from "effect"

/** The project that an operation works in. */
export class Project extends Context.Tag("ctx-mcp/Project")<
  Project,
  {
    /** Absolute path of the folder that holds `.contexo/`. */
    readonly root: string
    /** Absolute path of `.contexo/` itself. */
    readonly contexo: string
  }
>() {}

/** No `.contexo/` at or above a folder. */
export class NotInProject extends Schema.TaggedError<NotInProject>()("NotInProject", {
  from: Schema.String
}) {
  override get message() {
    return "Not initialized (run 'ctx init')"
  }
}

/** A `.contexo/` that somebody else could have planted. */
export class UntrustedProject extends Schema.TaggedError<UntrustedProject>()("UntrustedProject", {
  path: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.path} is not trusted: ${this.reason}. Fix that, or set CONTEXO_SAFE_DIR=${this.path} if you know who made it.`
  }
}
