import { Clock, Effect } from "effect"
import { CurrentUser } from "../../services/sync/CurrentUser.ts"
import { ServerStore } from "../../services/server/ServerStore.ts"
import { authorise, type Need, repoId } from "./authorise.ts"
import { AlreadyExists } from "./errors.ts"

/** The repositories that the current user is a member of, by id. */
export const listRepos = Effect.flatMap(CurrentUser, (user) =>
  Effect.flatMap(ServerStore, (store) => store.reposOf(user.id))
).pipe(Effect.withSpan("server.listRepos"))

/** Makes an empty repository, owned by the current user. */
export const createRepo = Effect.fn("server.createRepo")(function* (repo: string) {
  const id = yield* repoId(repo)
  const user = yield* CurrentUser
  const made = yield* (yield* ServerStore).createRepo(id, user.id, yield* Clock.currentTimeMillis)
  if (!made) return yield* new AlreadyExists({ what: `repository ${id}` })
  return id
})

/** Makes the repository where it is unknown; in one that exists, adds nobody: the current user needs the role already. */
export const ensureRepo = Effect.fn("server.ensureRepo")(function* (repo: string, need: Need) {
  return yield* Effect.catchTag(authorise(repo, need), "NotFound", () =>
    // Somebody else may make it at the same moment; then what counts is the role in theirs.
    Effect.catchTag(createRepo(repo), "AlreadyExists", () => authorise(repo, need))
  )
})
