import { Effect, Schema } from "effect"
import { secretFinder } from "./SecretGuard.ts"

/** What was given to stand in the log holds what looks like a secret. Nothing was sent. */
export class SecretInMessage extends Schema.TaggedError<SecretInMessage>()("SecretInMessage", {
  /** What was given: the message, the reason. */
  what: Schema.Literal("message", "reason"),
  rules: Schema.Array(Schema.String)
}) {
  override get message() {
    return `the ${this.what} holds what looks like a secret (${this.rules.join(", ")}); nothing was changed. Say it without: the log keeps it, and everybody reads it. Change the secret if it is a real one.`
  }
}

/**
 * Refuses a text for the log that holds a secret, as `SecretGuard` does for pages and the message of a push.
 *
 * @param text none: the operation's own words
 *
 * Source: design.md rule 7.
 */
export const refuseSecret = Effect.fn("refuseSecret")(function* (what: "message" | "reason", text: string | undefined) {
  if (text === undefined || text === "") return
  const findings = (yield* secretFinder)(text)
  if (findings.length > 0) {
    return yield* new SecretInMessage({ what, rules: [...new Set(findings.map(({ rule }) => rule))] })
  }
})
