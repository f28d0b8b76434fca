import { type Duration, Effect, Option } from "effect"
import type { Sha } from "../../model/page/Sha.ts"
import { ChangeSignal } from "../../services/server/ChangeSignal.ts"
import { type Feed, ServerStore } from "../../services/server/ServerStore.ts"
import type { ChangesAnswer } from "../../services/sync/SyncApi.ts"
import { authorise } from "./authorise.ts"
import { ForeignHistory, type InvalidRequest } from "./errors.ts"
import { shaParameter } from "./commits.ts"

export interface ChangesQuery {
  /** A commit's id or number; 0: from the beginning. */
  readonly since?: string | undefined
  /** Seconds to wait for news. */
  readonly wait?: number | undefined
  readonly limit?: number | undefined
}

/** Longest wait, in seconds: less than the minute after which proxies hang up. */
export const maxWait = 55
const maxCommits = 500

/** How often who waits looks without being told: pushes may come through another server on the same store. */
const lookAgain: Duration.DurationInput = "5 seconds"

/**
 * The commits of a repository after a point, oldest first. Where there is none yet, waits for one.
 *
 * Without `since` it only says where the head is. `next_since` is what to ask with next.
 *
 * @param query `limit`: 100 commits unless given, 500 at most. `wait`: 55 seconds at most.
 *
 * Errors: `ForeignHistory` where `since` is no commit of the repository (A40), `InvalidRequest`, and those of `authorise`.
 * Source: design.md section 10.
 */
export const changes = Effect.fn("server.changes")(function* (repo: string, query: ChangesQuery) {
  const after = yield* pointParameter(query.since)
  const limit = Math.min(query.limit ?? 100, maxCommits)
  const wait = Option.isNone(after) ? 0 : Math.min(query.wait ?? 0, maxWait)
  const store = yield* ServerStore
  /** Asks anew for the right to read, too: it may have gone meanwhile. */
  const look = Effect.gen(function* () {
    const id = yield* authorise(repo, "read")
    const feed = yield* Effect.mapError(yield* store.feed(id, after, limit), () => new ForeignHistory({ repo: id }))
    return answerOf(feed)
  })
  if (wait === 0) return yield* look

  const id = yield* authorise(repo, "read")
  // Before the first look, so that nothing lands unnoticed between the two.
  const nextSignal = yield* (yield* ChangeSignal).listen(id)
  const untilNews: typeof look = Effect.flatMap(look, (answer) =>
    answer.commits.length > 0
      ? Effect.succeed(answer)
      : Effect.flatMap(Effect.timeoutOption(nextSignal, lookAgain), (wake) =>
          Option.contains(wake, "closed") ? Effect.succeed(answer) : untilNews
        )
  )
  const news = yield* Effect.timeoutOption(untilNews, `${wait} seconds`)
  return Option.isSome(news) ? news.value : yield* look
}, Effect.scoped)

/** `since` as it came in. A commit's id has at least 40 digits; fewer decimal ones are a number. */
const pointParameter = (text: string | undefined): Effect.Effect<Option.Option<Sha | number>, InvalidRequest> =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Effect.succeedSome(Number(text)) : shaParameter("since", text)

const answerOf = ({ commits, head, headSeq }: Feed): ChangesAnswer => {
  const last = commits.at(-1)
  const headSha = Option.getOrElse(head, () => "")
  return {
    head: headSha,
    head_seq: headSeq,
    commits,
    // A commit's id rather than its number: it tells when the history is another one.
    next_since: last?.sha ?? (headSha || "0"),
    more: last !== undefined && last.seq < headSeq
  }
}
