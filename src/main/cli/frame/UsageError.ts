import { Schema } from "effect"

/** The command line is not one that we understand: exit 2, one message, once. */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  /** As typed: `ctx`, `ctx push`. */
  command: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.command}: ${this.reason}. See '${this.command} --help'.`
  }
}
