import { Effect, Schema } from "effect"
import { CurrentUser } from "../../services/sync/CurrentUser.ts"
import { type Role, ServerStore } from "../../services/server/ServerStore.ts"
import { RepoId } from "../../services/sync/SyncApi.ts"
import { InvalidRequest, NotAllowed, NotFound } from "./errors.ts"

/** What an operation does to a repository, and who may. */
const allowed = {
  read: ["reader", "member", "owner"],
  write: ["member", "owner"],
  own: ["owner"]
} as const satisfies Record<string, ReadonlyArray<Role>>
export type Need = keyof typeof allowed

/** A repository id as it came in a URL. */
export const repoId = (text: string): Effect.Effect<RepoId, InvalidRequest> =>
  Effect.mapError(
    Schema.decode(RepoId)(text),
    () =>
      new InvalidRequest({
        reason: "a repository id is 1 to 64 letters, digits, '-' and '_', led by a letter or digit"
      })
  )

/**
 * The one place that decides who may do what in which repository.
 *
 * @param repo The id as it came in.
 * @returns The id, where the current user may do that there.
 *
 * Errors: `InvalidRequest` (no repository id), `NotFound`, `NotAllowed`, `StoreUnavailable`.
 */
export const authorise = Effect.fn("server.authorise")(function* (repo: string, need: Need) {
  const id = yield* repoId(repo)
  const user = yield* CurrentUser
  const standing = yield* (yield* ServerStore).standingOf(id, user.id)
  if (standing === "no-such-repo") {
    return yield* new NotFound({ what: `repository ${id}`, advice: "its first push makes it" })
  }
  if (standing === "stranger") return yield* new NotAllowed({ reason: "not a member of this repo" })
  const may: ReadonlyArray<Role> = allowed[need]
  if (!may.includes(standing)) {
    return yield* new NotAllowed({ reason: need === "own" ? "owner role required" : "member role required" })
  }
  return id
})
