import { Effect, type Option } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import type { Sha } from "../../model/page/Sha.ts"
import { SyncClient } from "../../services/sync/SyncClient.ts"
import { type Followed, followServer } from "../sync/followServer.ts"
import { refuseSecret } from "../capture/refuseSecret.ts"
import { headOf, orUnsupported } from "../sync/serverEdits.ts"

export interface PurgeOptions {
  /** Keep the version in force; only older ones lose their content. */
  readonly keepCurrent?: boolean | undefined
  /** Why, for the log that stays. */
  readonly reason?: string | undefined
}

/** What a purge came to. */
export interface Purged extends Followed {
  readonly path: PagePath
  readonly head: Option.Option<Sha>
  /** Versions whose content is gone. */
  readonly purged: number
  /** Other pages that live and say one of its texts, word for word: it stays there until they are purged, or edited too. */
  readonly stillIn: ReadonlyArray<string>
  /** Names that the page had before it was renamed, under which the server holds older texts of it. */
  readonly formerly: ReadonlyArray<string>
}

/**
 * Erases what a page ever said from the server's database, for a secret that got in: for owners only, and for good. The log
 * keeps that there were versions, and that they were purged. The copy here follows as a pull would let it.
 *
 * Only this page's name is purged: `stillIn` and `formerly` say where else its texts stand.
 *
 * Gotcha: what others have pulled is theirs, and a secret that was shared is to be replaced all the same.
 */
export const purge = Effect.fn("purge")(function* (path: PagePath, options: PurgeOptions = {}) {
  const client = yield* SyncClient
  yield* refuseSecret("reason", options.reason)
  const answer = yield* client.purge(path, options).pipe(orUnsupported("purge a page"))
  const { formerly = [], purged, still_in: stillIn = [] } = answer
  const head = headOf(answer)
  return { path, head, purged, stillIn, formerly, ...(yield* followServer(path, head)) } satisfies Purged
})
