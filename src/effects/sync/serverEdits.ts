import { Effect, type Option, Schema } from "effect"
import { Sha } from "../../model/page/Sha.ts"
import {
  type ServerRefused,
  SyncClient,
  type SyncFailure,
  type UnexpectedAnswer
} from "../../services/sync/SyncClient.ts"

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

/** A public Contexo server, which has no such operation. */
export class UnsupportedByServer extends Schema.TaggedError<UnsupportedByServer>()("UnsupportedByServer", {
  url: Schema.String,
  what: Schema.String
}) {
  override get message() {
    return `${this.url} cannot ${this.what}: a public Contexo server has no such operation. Nothing was changed. ('ctx serve' runs a server that can.)`
  }
}

/** Whether what was asked for, or the route itself, is not there. */
export const isMissing = (failure: SyncFailure): failure is UnexpectedAnswer | ServerRefused =>
  (failure._tag === "UnexpectedAnswer" || failure._tag === "ServerRefused") &&
  (failure.status === 404 || failure.status === 405)

/** Whether an answer may say that there is no such route. */
const mayLackRoute = (failure: SyncFailure): failure is UnexpectedAnswer | ServerRefused =>
  isMissing(failure) && !/^repository .* not found/.test(failure.reason)

/** A public server takes a deletion for an empty page: it is recognised by the feed that it does not have. */
export const refusePublicServer = Effect.fnUntraced(function* (what: string) {
  const client = yield* SyncClient
  yield* client.changes({ limit: 1 }).pipe(
    // Without `since` there is no history to be unknown.
    Effect.catchTag("UnknownHistory", () => Effect.void),
    Effect.catchIf(mayLackRoute, ({ url }) => new UnsupportedByServer({ url: new URL(url).origin, what }))
  )
})

/** Runs what only a server of ours can do. Where it finds nothing there, it asks whether this is one. */
export const orUnsupported =
  (what: string) =>
  <A, R>(effect: Effect.Effect<A, SyncFailure, R>) =>
    Effect.catchIf(effect, mayLackRoute, (failure) => Effect.zipRight(refusePublicServer(what), Effect.fail(failure)))

/** The repository's newest commit after it, where the answer names one. */
export const headOf = ({ new_head }: { readonly new_head: string }): Option.Option<Sha> =>
  Schema.decodeOption(Sha)(new_head)
