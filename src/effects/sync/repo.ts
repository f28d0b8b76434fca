import { Effect } from "effect"
import { SyncClient } from "../../services/sync/SyncClient.ts"
import { parseRepoId } from "./repoId.ts"

/** Creates a repository on the server; whoever creates it owns it. Errors: `InvalidRepoId`, `SyncFailure` (409: taken). */
export const createRepo = Effect.fn("createRepo")(function* (id: string) {
  const repo = yield* parseRepoId(id)
  yield* (yield* SyncClient).createRepo(repo)
  return { repo }
})

/** The repositories that the token may see, by id. */
export const listRepos = Effect.fn("listRepos")(function* () {
  const repos = yield* (yield* SyncClient).repos
  return repos.toSorted((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0))
})
