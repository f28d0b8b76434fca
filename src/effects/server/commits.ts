import { Effect, Option, Schema } from "effect"
import { Sha } from "../../model/page/Sha.ts"
import { ServerStore } from "../../services/server/ServerStore.ts"
import type { RepoId } from "../../services/sync/SyncApi.ts"
import { InvalidRequest } from "./errors.ts"

/** A sha as it came in: hex only, so that nothing else ever reaches a query. Empty means none. */
export const shaParameter = (
  name: string,
  text: string | undefined
): Effect.Effect<Option.Option<Sha>, InvalidRequest> =>
  text === undefined || text === ""
    ? Effect.succeedNone
    : Effect.mapBoth(Schema.decode(Sha)(text), {
        onSuccess: Option.some,
        onFailure: () => new InvalidRequest({ reason: `${name} is not a commit id (7 to 64 lower-case hex digits)` })
      })

/** A commit as a query names it, by its first digits. */
export const commitOf = Effect.fnUntraced(function* (repo: RepoId, name: string, text: string | undefined) {
  const sha = yield* shaParameter(name, text)
  if (Option.isNone(sha)) return sha
  const found = yield* (yield* ServerStore).findCommits(repo, sha.value)
  const [only] = found
  if (only === undefined) return yield* new InvalidRequest({ reason: `unknown sha ${sha.value}` })
  return found.length === 1
    ? Option.some(only)
    : yield* new InvalidRequest({ reason: `${sha.value} begins several commits; give more digits` })
})
