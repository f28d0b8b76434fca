import { Effect } from "effect"
import { gitName } from "../../model/page/GitObject.ts"
import { CurrentUser } from "../../services/sync/CurrentUser.ts"
import { ServerStore } from "../../services/server/ServerStore.ts"
import type { User, UserPatch } from "../../services/sync/SyncApi.ts"
import { InvalidRequest } from "./errors.ts"

/** Whose token this is. */
export const me: Effect.Effect<User, never, CurrentUser> = CurrentUser

/**
 * Changes the current user's name or address: what later commits carry.
 *
 * Errors: `InvalidRequest` (nothing is left of the name, or no address), `EmailTaken`, `StoreUnavailable`.
 */
export const updateMe = Effect.fn("server.updateMe")(function* (patch: UserPatch) {
  const user = yield* CurrentUser
  const name = patch.name === undefined ? user.name : gitName(patch.name)
  const email = patch.email === undefined ? user.email : patch.email.trim().toLowerCase()
  if (name === "" || name.length > 200) {
    return yield* new InvalidRequest({ reason: "a name is one line of 1 to 200 characters, not only punctuation" })
  }
  if (!/^[^\s<>@\p{C}]+@[^\s<>@\p{C}]+$/u.test(email) || email.length > 254) {
    return yield* new InvalidRequest({ reason: "an email address looks like name@example.com" })
  }
  const changed: User = { id: user.id, email, name }
  yield* (yield* ServerStore).updateUser(changed)
  return changed
})
