import { Effect, Option } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import type { Sha } from "../../model/page/Sha.ts"
import { SyncClient } from "../../services/sync/SyncClient.ts"
import { type Followed, followServer } from "../sync/followServer.ts"
import { pushId } from "../sync/Push.ts"
import { refuseSecret } from "../capture/refuseSecret.ts"
import { headOf, MovedOnServer, orUnsupported } from "../sync/serverEdits.ts"

export interface RevertOptions {
  /** The commit whose version of the page is to be in force again. */
  readonly to: Sha
  /** What the commit says; default: the server's words. */
  readonly message?: string | undefined
}

/** What a revert came to. */
export interface Reverted extends Followed {
  readonly path: PagePath
  readonly to: Sha
  readonly head: Option.Option<Sha>
  /** The page was as it was then: no commit was made. */
  readonly already: boolean
}

/**
 * Puts an older version of a page in force on the server again, by a new commit on top: nothing of the history goes. A page
 * that was deleted comes back. The copy here follows as a pull would let it: an edit here is merged, or kept and named.
 *
 * Errors: `MovedOnServer` where somebody pushes the page at the same moment; `ServerRefused` where the server knows no such
 * version, or its content was purged; `SecretInMessage`.
 *
 * @example yield* revert(path, { to: Sha.make("a1b2c3d"), message: "back to three retries" })
 */
export const revert = Effect.fn("revert")(function* (path: PagePath, { message, to }: RevertOptions) {
  yield* refuseSecret("message", message)
  const client = yield* SyncClient
  const before = yield* client.page(path)
  const parent = Option.match(before, { onNone: () => "" as const, onSome: ({ sha }) => sha })
  const request = { to, parent, ...(message === undefined ? {} : { message }), push_id: yield* pushId }
  const answer = yield* client.revert(path, request).pipe(orUnsupported("revert a page"))
  if ((answer.conflicts ?? []).length > 0) return yield* new MovedOnServer({ paths: [path] })
  const head = headOf(answer)
  const already = (answer.pushed ?? []).every((one) => one.path !== path || one.sha === parent)
  return { path, to, head, already, ...(yield* followServer(path, head)) } satisfies Reverted
})
