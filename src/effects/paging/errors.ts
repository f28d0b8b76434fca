import { Schema } from "effect"
import { messageRoles, pageKinds } from "../../model/paging/Role.ts"

/** No session has this key. */
export class NoSuchSession extends Schema.TaggedError<NoSuchSession>()("NoSuchSession", { key: Schema.String }) {
  override get message() {
    return `there is no session ${JSON.stringify(this.key)}. 'ctx paging session-list' lists them.`
  }
}

/** No message or page has this number. */
export class NoSuchRow extends Schema.TaggedError<NoSuchRow>()("NoSuchRow", {
  what: Schema.Literal("message", "page"),
  id: Schema.Int
}) {
  override get message() {
    return `there is no ${this.what} ${this.id}.`
  }
}

/** The text is no number of a message or page. */
export class InvalidId extends Schema.TaggedError<InvalidId>()("InvalidId", { id: Schema.String }) {
  override get message() {
    return `${JSON.stringify(this.id)} is no number of a message or page: write 12, m12 or p12.`
  }
}

/** The name is no role. */
export class InvalidRole extends Schema.TaggedError<InvalidRole>()("InvalidRole", {
  role: Schema.String,
  kinds: Schema.Boolean
}) {
  override get message() {
    const kinds = this.kinds ? `, or a kind of page: ${pageKinds.join(", ")}` : ""
    return `${JSON.stringify(this.role)} is no role. The roles are ${messageRoles.join(", ")}${kinds}.`
  }
}

/** The name is no kind of page. */
export class InvalidKind extends Schema.TaggedError<InvalidKind>()("InvalidKind", { kind: Schema.String }) {
  override get message() {
    return `${JSON.stringify(this.kind)} is no kind of page. The kinds are ${pageKinds.join(", ")}.`
  }
}

/** The text says no duration. */
export class InvalidSince extends Schema.TaggedError<InvalidSince>()("InvalidSince", { since: Schema.String }) {
  override get message() {
    return `${JSON.stringify(this.since)} is no duration: write 30m, 24h, 7d or any.`
  }
}

/** A name of a session, topic or tag that is empty or no single line. */
export class InvalidName extends Schema.TaggedError<InvalidName>()("InvalidName", {
  what: Schema.Literal("session", "topic", "tag"),
  name: Schema.String
}) {
  override get message() {
    return `${JSON.stringify(this.name)} is no name for a ${this.what}: it is one line of 1 to 200 characters.`
  }
}
