import { Schema } from "effect"

/** No token, or none that this server knows. */
export class NotAuthenticated extends Schema.TaggedError<NotAuthenticated>()("NotAuthenticated", {
  reason: Schema.Literal(
    "missing authorization header",
    "invalid authorization format, expected Bearer <key>",
    "invalid API key"
  )
}) {
  override get message() {
    return this.reason
  }
}

/** The user may not do that here. */
export class NotAllowed extends Schema.TaggedError<NotAllowed>()("NotAllowed", {
  reason: Schema.Literal("not a member of this repo", "member role required", "owner role required")
}) {
  override get message() {
    return this.reason
  }
}

/** There is no such thing. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  what: Schema.String,
  /** What to do about it, as a sentence's end. */
  advice: Schema.optional(Schema.String)
}) {
  override get message() {
    return `${this.what} not found${this.advice === undefined ? "" : ` (${this.advice})`}`
  }
}

/** It was there, and an owner had its content erased. */
export class Purged extends Schema.TaggedError<Purged>()("Purged", { path: Schema.String, sha: Schema.String }) {
  override get message() {
    return `the content of ${this.path} at ${this.sha} was purged`
  }
}

/** The request cannot be meant: the sentence names what is wrong with which part. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** The name is taken. */
export class AlreadyExists extends Schema.TaggedError<AlreadyExists>()("AlreadyExists", { what: Schema.String }) {
  override get message() {
    return `${this.what} already exists`
  }
}

/** A commit that the sender knows is none of this repository: it was restored from a backup, or is another one. */
export class ForeignHistory extends Schema.TaggedError<ForeignHistory>()("ForeignHistory", { repo: Schema.String }) {
  override get message() {
    return `repository ${this.repo} does not know the commit that you last saw; its history was replaced, perhaps restored from a backup`
  }
}
