import { Effect, Option, Schema } from "effect"
import { gitMessage } from "../../model/page/GitObject.ts"
import { sha256 } from "../../model/text/Hash.ts"
import { identityOf, slugOf } from "../../model/page/PagePath.ts"
import { isPortable, unportableSlug } from "../../model/page/Slug.ts"
import { type PushedFile, ServerStore } from "../../services/server/ServerStore.ts"
import type { RepoId } from "../../services/sync/SyncApi.ts"
import { InvalidRequest } from "./errors.ts"
import { requirePagePath } from "./pagePath.ts"
import { shaParameter } from "./commits.ts"

const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) =>
  Schema.optionalWith(schema, { nullable: true, exact: true })

/** A push as it comes in. Wider than `PushBody`, so that what is wrong with a path or content gets its own sentence. */
export const PushRequest = Schema.Struct({
  push_id: optional(Schema.String.pipe(Schema.minLength(8), Schema.maxLength(64))),
  author_name: optional(Schema.String),
  author_email: optional(Schema.String),
  message: optional(Schema.String),
  files: Schema.NullOr(
    Schema.Array(
      Schema.Struct({
        path: Schema.String,
        content: optional(Schema.String),
        parent_sha: optional(Schema.String),
        deleted: optional(Schema.Boolean)
      })
    )
  )
})
export type PushRequest = typeof PushRequest.Type
type RequestFile = NonNullable<PushRequest["files"]>[number]

/** In characters. A list of commits has hundreds of messages. */
const longestMessage = 16_384

/** What a commit says, on one line. */
export const checkMessage = (text: string): Effect.Effect<string, InvalidRequest> => {
  const message = gitMessage(text)
  return message.length > longestMessage
    ? new InvalidRequest({ reason: `message has more than ${longestMessage} characters; say the rest in a page` })
    : Effect.succeed(message || "ctx push")
}

/** The files of a push as the store takes them, or what is wrong with the first bad one. */
export const checkFiles = Effect.fn("server.checkFiles")(function* (files: ReadonlyArray<RequestFile>) {
  const checked = yield* Effect.forEach(files, checkFile)
  const seen = new Map<string, string>()
  for (const { path } of checked) {
    const twin = seen.get(identityOf(path))
    if (twin !== undefined) {
      return yield* new InvalidRequest({ reason: `${path}: the batch holds this page twice (also as ${twin})` })
    }
    seen.set(identityOf(path), path)
  }
  return checked
})

const checkFile = Effect.fnUntraced(function* (file: RequestFile) {
  const path = yield* requirePagePath(file.path)
  const parent = yield* shaParameter(`${path}: parent_sha`, file.parent_sha)
  if (file.deleted === true) {
    if (file.content === undefined || file.content === "") return deletion(path, parent)
    return yield* new InvalidRequest({ reason: `${path}: a deletion carries no content` })
  }
  const { content } = file
  if (content === undefined) {
    return yield* new InvalidRequest({ reason: `${path}: content is missing ("deleted": true would delete the page)` })
  }
  const nul = content.indexOf("\u0000")
  if (nul >= 0) {
    return yield* new InvalidRequest({ reason: `${path}: holds a NUL character (U+0000) at offset ${nul}; remove it` })
  }
  if (!content.isWellFormed()) {
    return yield* new InvalidRequest({ reason: `${path}: holds half of a surrogate pair, which is no text; remove it` })
  }
  const bytes = new TextEncoder().encode(content)
  return { path, parent, content: bytes, hash: Option.some(sha256(bytes)) } satisfies PushedFile
})

const deletion = (path: PushedFile["path"], parent: PushedFile["parent"]): PushedFile => ({
  path,
  parent,
  content: new Uint8Array(),
  hash: Option.none()
})

/**
 * A page whose name Windows cannot hold is refused where it would be created; one that exists stays editable (A15).
 *
 * @param repo None: the repository is not made yet.
 */
export const checkNames = Effect.fn("server.checkNames")(function* (
  repo: Option.Option<RepoId>,
  files: ReadonlyArray<PushedFile>
) {
  const store = yield* ServerStore
  for (const { hash, path } of files) {
    const slug = slugOf(path)
    if (isPortable(slug) || Option.isNone(hash)) continue
    const page = Option.isNone(repo) ? Option.none() : yield* store.page(repo.value, path)
    if (Option.isNone(page)) return yield* new InvalidRequest({ reason: unportableSlug(slug) })
  }
})
