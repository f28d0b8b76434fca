import { Clock, Duration, Effect, Option, Random } from "effect"
import { everything, isNews, type News, newsOf } from "../../model/sync/ServerNews.ts"
import { parsePagePath } from "../../model/page/PagePath.ts"
import type { ChangesAnswer } from "../../services/sync/SyncApi.ts"
import { SyncClient, type SyncFailure, type UnknownHistory } from "../../services/sync/SyncClient.ts"
import { SyncState } from "../../services/sync/SyncState.ts"
import { driftDisabled } from "./Drift.ts"

/** Seconds that the server may wait with its answer; it grants 55. */
const wait = 50

/** More commits than this are not looked at one by one. */
const mostCommits = 500

/** A push of our own is written down here before it is looked at, and what comes in a burst is told once. */
const settling = Duration.millis(250)

/** An answer without news that comes sooner did not wait: whoever sends it is not asked again at once. */
const hasty = Duration.seconds(5)

/** How long to leave alone whom we cannot ask, at most: a server that is down or refuses, and none at all. */
const patience = { server: Duration.minutes(1), none: Duration.seconds(10) }

/**
 * Tells what changes on the project's server, as it happens, for as long as it runs. It asks the server to answer when there
 * is something new (a long poll), from the last pull on, and pulls nothing.
 *
 * Like the drift check it never fails and never complains: while there is no server or no token, the network is down, or
 * the server has no such route (a public one), there is no news, and it asks again later. A debug log says why.
 * `CONTEXO_DRIFT_DISABLE=1` ends it before it begins.
 *
 * Source: design.md sections 5 and 10.
 */
export const watchServer = Effect.fn("watchServer")(function* (tell: (news: News) => Effect.Effect<void>) {
  if (yield* driftDisabled) return yield* Effect.never
  let since: string | undefined
  /** A pull that the server does not know. */
  let foreign: string | undefined
  for (let failures = 0; ;) {
    const pulled = yield* lastPull
    if (pulled !== foreign) since ??= pulled
    const asked = yield* Clock.currentTimeMillis
    const answer = yield* Effect.either(ask(since))
    if (answer._tag === "Left") {
      const { left: failure } = answer
      yield* Effect.logDebug(`no news from the server: ${failure.message}`)
      if (failure._tag === "UnknownHistory") {
        foreign = pulled
        since = undefined
        yield* tell(everything)
      }
      yield* Effect.sleep(yield* pause(++failures, isAsked(failure) ? patience.server : patience.none))
      continue
    }
    const { commits, head, more, next_since } = answer.right
    if (commits.length === 0) {
      const took = (yield* Clock.currentTimeMillis) - asked
      const waited = since === undefined || took >= Duration.toMillis(hasty)
      since = next_since
      failures = waited ? 0 : failures + 1
      if (!waited) yield* Effect.sleep(yield* pause(failures, patience.server))
      continue
    }
    failures = 0
    since = more ? head : next_since
    yield* Effect.sleep(settling)
    const news = more ? everything : yield* notKnown(commits)
    if (isNews(news)) yield* tell(news)
  }
})

const lastPull = Effect.gen(function* () {
  const { lastPull } = yield* (yield* SyncState).recorded
  return Option.getOrUndefined<string>(lastPull)
}).pipe(Effect.orElseSucceed(() => undefined))

/** Without `since` the server says at once where it is. */
const ask = (since: string | undefined) =>
  Effect.flatMap(SyncClient, (client) => client.changes(since === undefined ? {} : { since, wait, limit: mostCommits }))

const notKnown = (commits: ChangesAnswer["commits"]) =>
  Effect.gen(function* () {
    const { recorded } = yield* (yield* SyncState).recorded
    const pagesIn = (paths: ReadonlyArray<string>) => paths.flatMap((path) => Option.toArray(parsePagePath(path)))
    return newsOf(
      commits.map(({ deleted, paths, sha }) => ({ sha, paths: pagesIn(paths), deleted: pagesIn(deleted) })),
      recorded
    )
  }).pipe(Effect.orElseSucceed(() => everything))

/** Whether there was a server, and a token for it. */
const isAsked = ({ _tag }: SyncFailure | UnknownHistory): boolean =>
  !["NotConfigured", "ForeignToken", "CorruptFile", "FileFailure"].includes(_tag)

/** Twice as long each time, and not for all clients of a server at the same moment. */
const pause = (failures: number, most: Duration.Duration) =>
  Effect.map(Random.nextIntBetween(50, 100), (percent) => {
    const millis = Math.min(1_000 * 2 ** Math.min(failures - 1, 20), Duration.toMillis(most))
    return Duration.millis((millis * percent) / 100)
  })
