import { Schema } from "effect"

/** What keeps a page from being deleted, renamed or reverted on the server. Each says what to do; nothing was changed. */

const list = (paths: ReadonlyArray<string>): string => paths.map((path) => `\n  ${path}`).join("")

/** The page is here alone. */
export class NeverPushed extends Schema.TaggedError<NeverPushed>()("NeverPushed", {
  path: Schema.String,
  advice: Schema.String
}) {
  override get message() {
    return `${this.path} was never pushed, so the server does not have it. ${this.advice}`
  }
}

/** Neither here nor there, or not there any more. */
export class NotOnServer extends Schema.TaggedError<NotOnServer>()("NotOnServer", { path: Schema.String }) {
  override get message() {
    return `${this.path} is not on the server (any more). 'ctx pull' brings this project up to date.`
  }
}

/** The server has versions that this project has not seen. */
export class MovedOnServer extends Schema.TaggedError<MovedOnServer>()("MovedOnServer", {
  paths: Schema.Array(Schema.String)
}) {
  override get message() {
    return `changed on the server since the last pull; nothing was changed. Pull, look at what is new, and try again:${list(this.paths)}`
  }
}

/** There are edits here that the server does not have, and that would be lost or left behind. */
export class EditedHere extends Schema.TaggedError<EditedHere>()("EditedHere", {
  paths: Schema.Array(Schema.String),
  advice: Schema.String
}) {
  override get message() {
    return `edited here and not pushed; nothing was changed. ${this.advice}:${list(this.paths)}`
  }
}

/** The new name is taken. */
export class TargetExists extends Schema.TaggedError<TargetExists>()("TargetExists", {
  path: Schema.String,
  where: Schema.Literal("here", "on the server")
}) {
  override get message() {
    return `${this.path} exists ${this.where} already. Choose another name, or merge the two pages and delete one.`
  }
}

/** The new name is no other page's name. */
export class SameName extends Schema.TaggedError<SameName>()("SameName", { path: Schema.String }) {
  override get message() {
    return `${this.path} is the page's name already, or differs from it by case only, which is the same page. Give another slug or type.`
  }
}
