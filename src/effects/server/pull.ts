import { Effect, Option, Schema } from "effect"
import { Sha } from "../../model/Sha.ts"
import { ServerStore } from "../../services/server/ServerStore.ts"
import type { PullAnswer } from "../../services/SyncApi.ts"
import { authorise } from "./authorise.ts"
import { ForeignHistory, InvalidRequest } from "./errors.ts"
import { textOf } from "./pages.ts"

export interface PullQuery {
  /** The commit up to which the sender has everything. */
  readonly since?: string | undefined
  /** The newest head that the sender ever saw. */
  readonly known?: string | undefined
}

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

/**
 * What changed in a repository after a commit; without one, all of it.
 *
 * Errors: `ForeignHistory` where `since` or `known` is no commit of the repository (A40), and those of `authorise`.
 * Source: reference.md section 8; design.md section 10.
 */
export const pull = Effect.fn("server.pull")(function* (repo: string, query: PullQuery) {
  const id = yield* authorise(repo, "read")
  const since = yield* shaParameter("since", query.since)
  const known = yield* shaParameter("known", query.known)
  const found = yield* (yield* ServerStore).changes(id, since, Option.toArray(known))
  const { deleted, head, pages } = yield* Effect.mapError(found, () => new ForeignHistory({ repo: id }))
  const files = yield* Effect.forEach(pages, ({ content, path, sha }) =>
    Effect.map(textOf(content), (text) => ({ path, content: text, sha }))
  )
  return { new_head: Option.getOrElse(head, () => ""), files, deleted } satisfies PullAnswer
})
