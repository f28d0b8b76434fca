import { Clock, Effect, Encoding, Exit, Option } from "effect"
import { gitEmail, gitName, type Identity } from "../../model/page/GitObject.ts"
import { ChangeSignal } from "../../services/server/ChangeSignal.ts"
import { CurrentUser } from "../../services/sync/CurrentUser.ts"
import { type PushCommand, type RefusedPage, ServerStore } from "../../services/server/ServerStore.ts"
import type { PushAnswer, PushConflict, User } from "../../services/sync/SyncApi.ts"
import { authorise } from "./authorise.ts"
import { checkFiles, checkMessage, checkNames, type PushRequest } from "./checkPush.ts"
import { ensureRepo } from "./repos.ts"

/** What a push came to. `landed` false: nothing of it landed, and `answer` says which pages somebody else moved. */
export interface PushOutcome {
  readonly landed: boolean
  readonly answer: PushAnswer
}

/**
 * Lands a batch as one commit, or nothing of it. The repository is made where it is unknown.
 *
 * - Author and committer are the authenticated user; a name that the sender gives counts only where that user has none.
 * - A repeated `push_id` gets the stored answer of the push that landed.
 * - Who waits for the repository's changes is woken.
 *
 * Errors: `InvalidRequest` (which page, and why), `PushIdReused`, and those of `authorise`.
 * Source: reference.md section 8; design.md section 10.
 */
export const push = Effect.fn("server.push")(function* (repo: string, request: PushRequest) {
  const files = yield* checkFiles(request.files ?? [])
  const message = yield* checkMessage(request.message ?? "")
  const known = yield* authorise(repo, "write").pipe(
    Effect.asSome,
    Effect.catchTag("NotFound", () => Effect.succeedNone)
  )
  yield* checkNames(known, files)
  // Only a push in which nothing is wrong makes a repository.
  const id = Option.isSome(known) ? known.value : yield* ensureRepo(repo, "write")
  const command: PushCommand = {
    repo: id,
    pushId: Option.fromNullable(request.push_id),
    author: authorOf(yield* CurrentUser, request),
    message,
    seconds: Math.floor((yield* Clock.currentTimeMillis) / 1000),
    files
  }
  const signal = yield* ChangeSignal
  const result = yield* (
    (yield* ServerStore)
      .push(command)
      // Also when the sender hung up just now: it may have landed. Only a refusal surely changed nothing.
      .pipe(
        Effect.onExit((exit) =>
          Exit.isSuccess(exit) && exit.value._tag === "Refused" ? Effect.void : signal.notify(id)
        )
      )
  )
  const head = Option.getOrElse(result.head, () => "")
  const outcome: PushOutcome =
    result._tag === "Landed"
      ? { landed: true, answer: { new_head: head, pushed: result.pages } }
      : { landed: false, answer: { new_head: head, pushed: [], conflicts: result.conflicts.map(conflict) } }
  return outcome
})

const authorOf = (user: User, request: PushRequest): Identity => ({
  name: gitName(user.name) || gitName(request.author_name ?? "") || "unknown",
  email: gitEmail(user.email) || gitEmail(request.author_email ?? "") || "unknown@contexo.local"
})

const conflict = ({ ancestor, current, offered }: RefusedPage): PushConflict => ({
  path: offered.path,
  current_sha: Option.match(current, { onNone: () => "", onSome: ({ sha }) => sha }),
  expected_parent_sha: Option.getOrElse(offered.parent, () => ""),
  ...Option.match(current, {
    onNone: () => ({}),
    onSome: ({ content, path }) => ({
      current_content: Encoding.encodeBase64(content),
      ...(path === offered.path ? {} : { existing_path: path })
    })
  }),
  ...Option.match(ancestor, {
    onNone: () => ({}),
    onSome: (content) => ({ ancestor_content: Encoding.encodeBase64(content) })
  })
})
