import { Clock, Effect, Option } from "effect"
import { CurrentUser } from "../../services/sync/CurrentUser.ts"
import { ServerStore } from "../../services/server/ServerStore.ts"
import type { PurgeAnswer, PurgeBody } from "../../services/sync/SyncApi.ts"
import { authorise } from "./authorise.ts"
import { InvalidRequest, NotFound } from "./errors.ts"
import { requirePagePath } from "./pagePath.ts"
import { push } from "./push.ts"

/**
 * Erases what a page ever said, for a secret that got in. Owners only. The log keeps the commits, and that they were purged.
 * Unless the version in force is to stay, the page is deleted first, by a commit. A text that another page says word for
 * word, and which lives, stays that page's: the answer names it, and the names that the page had before it was renamed.
 *
 * Errors: `NotFound` where the page never was there, `InvalidRequest` where somebody pushes it at the same moment, and those
 * of `authorise`.
 */
export const purge = Effect.fn("server.purge")(function* (repo: string, path: string, body: PurgeBody) {
  const id = yield* authorise(repo, "own")
  const at = yield* requirePagePath(path)
  const store = yield* ServerStore
  if ((yield* store.revisions(id, at, Option.none(), 1)).length === 0)
    return yield* new NotFound({ what: `page ${at}` })
  const living = yield* store.page(id, at)
  if (body.keep_current !== true && Option.isSome(living)) {
    const files = [{ path: at, deleted: true, parent_sha: living.value.sha }]
    const { landed } = yield* push(repo, { message: `purge ${at}`, files })
    if (!landed) return yield* new InvalidRequest({ reason: `${at} was pushed at this moment; purge it again` })
  }
  const user = yield* CurrentUser
  const now = yield* Clock.currentTimeMillis
  const command = { repo: id, path: at, by: user.id, reason: body.reason ?? "", now }
  const { formerly, stillIn, versions } = yield* store.erase(command)
  const [head] = yield* store.commits(id, 1)
  return {
    new_head: head?.sha ?? "",
    purged: versions,
    ...(stillIn.length === 0 ? {} : { still_in: stillIn }),
    ...(formerly.length === 0 ? {} : { formerly })
  } satisfies PurgeAnswer
})
