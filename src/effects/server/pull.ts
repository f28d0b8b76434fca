import { Effect, Option } from "effect"
import { ServerStore } from "../../services/server/ServerStore.ts"
import type { PullAnswer } from "../../services/sync/SyncApi.ts"
import { authorise } from "./authorise.ts"
import { shaParameter } from "./commits.ts"
import { ForeignHistory } from "./errors.ts"
import { textOf } from "./pages.ts"

export interface PullQuery {
  /** The commit up to which the sender has everything. */
  readonly since?: string | undefined
  /** The newest head that the sender ever saw. */
  readonly known?: string | undefined
}

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
