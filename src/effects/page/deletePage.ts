import { Effect, Option } from "effect"
import { type PagePath, slugOf } from "../../model/page/PagePath.ts"
import { removeUnsafeKeepingBom } from "../../model/text/Sanitise.ts"
import type { Sha } from "../../model/page/Sha.ts"
import { Credentials } from "../../services/sync/Credentials.ts"
import { PageStore } from "../../services/page/PageStore.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import { SyncClient } from "../../services/sync/SyncClient.ts"
import { SyncState } from "../../services/sync/SyncState.ts"
import { authorOf, pushId } from "../sync/Push.ts"
import { refuseSecret } from "../capture/refuseSecret.ts"
import { EditedHere, headOf, MovedOnServer, NeverPushed, NotOnServer, refusePublicServer } from "../sync/serverEdits.ts"

export interface DeleteOptions {
  /** Also where the page was edited here and not pushed: those edits go. */
  readonly force?: boolean | undefined
  /** What the commit says; default `delete <slug>`. */
  readonly message?: string | undefined
}

/** A page that is deleted on the server. */
export interface DeletedPage {
  readonly path: PagePath
  readonly head: Option.Option<Sha>
  /** Somebody edited the file here meanwhile: it was kept, and the next pull names it. */
  readonly kept: boolean
}

/**
 * Deletes a page on the server, by a commit that others pull as a deletion, and then the file here. Its history stays, and
 * `revert` brings it back.
 *
 * Errors: `EditedHere` without `force`, `NeverPushed`, `NotOnServer`, `MovedOnServer`, `SecretInMessage`; nothing was changed then.
 *
 * @example yield* deletePage(path, { message: "superseded by retry-policy" })
 *
 * Source: design.md sections 10 and 12.
 */
export const deletePage = Effect.fn("deletePage")(function* (path: PagePath, options: DeleteOptions = {}) {
  yield* refuseSecret("message", options.message)
  const client = yield* SyncClient
  const state = yield* SyncState
  const store = yield* PageStore
  const recorded = (yield* state.snapshot).recorded.get(path)
  const before = yield* store.read(path)
  if (recorded === undefined) return yield* notOurs(path, Option.isSome(before))
  if (options.force !== true && Option.isSome(before) && !(yield* isAsPushed(path, recorded, before.value))) {
    return yield* new EditedHere({
      paths: [path],
      advice: "Push the edit, or delete anyway with --force (force: true), which gives it up"
    })
  }
  yield* refusePublicServer("delete a page")
  const answer = yield* client.push({
    push_id: yield* pushId,
    message: options.message ?? `delete ${slugOf(path)}`,
    ...authorOf(yield* (yield* Credentials).read),
    files: [{ path, deleted: true, parent_sha: recorded }]
  })
  if ((answer.conflicts ?? []).length > 0) return yield* new MovedOnServer({ paths: [path] })
  const head = headOf(answer)
  return yield* (yield* ProjectLock).run(
    Effect.gen(function* () {
      const kept = !sameText(yield* store.read(path), before)
      if (!kept) yield* store.remove(path)
      yield* state.apply({
        ...(Option.isSome(head) ? { lastHead: head.value } : {}),
        ...(kept ? {} : { forget: [path] })
      })
      yield* store.regenerateIndexes
      return { path, head, kept } satisfies DeletedPage
    })
  )
})

const sameText = Option.getEquivalence<string>((one, other) => one === other)

/** Nothing is recorded of the page: it was never pushed, or somebody else made one of that name. */
const notOurs = Effect.fnUntraced(function* (path: PagePath, isHere: boolean) {
  if (Option.isSome(yield* (yield* SyncClient).page(path))) return yield* new MovedOnServer({ paths: [path] })
  return yield* isHere
    ? new NeverPushed({ path, advice: `To delete it here, remove the file .contexo/${path}.` })
    : new NotOnServer({ path })
})

/** Whether the text is the version of the recorded sha; where that is not known here, the server is asked. */
const isAsPushed = Effect.fnUntraced(function* (path: PagePath, recorded: Sha, text: string) {
  const base = yield* (yield* SyncState).base(path)
  if (Option.isSome(base)) return base.value.text === text
  const there = yield* (yield* SyncClient).page(path)
  return Option.exists(
    there,
    (one) => one.sha === recorded && removeUnsafeKeepingBom(one.text) === removeUnsafeKeepingBom(text)
  )
})
