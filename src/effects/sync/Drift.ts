import { Clock, Config, Context, Duration, Effect, Layer, Option, Ref } from "effect"
import { DriftNotice } from "../../directives/DriftNotice.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import { changeLines } from "../../model/merge/SectionDiff.ts"
import type { Sha } from "../../model/page/Sha.ts"
import { SyncClient } from "../../services/sync/SyncClient.ts"
import { SyncState } from "../../services/sync/SyncState.ts"

/** How long a read may wait for the check. */
const budget = Duration.seconds(2)

/** How long an answer is believed. */
const freshness = Duration.seconds(60)

/** How long a silent server is left alone, so that a row of reads does not pay the budget each time. */
const patience = Duration.seconds(10)

/** Pages compared lately; the oldest is forgotten first. */
const capacity = 1024

type Notice = Option.Option<DriftNotice>

interface Answer {
  readonly notice: Notice
  readonly until: number
}

/**
 * Compares the recorded sha of a page with the server's.
 *
 * The one place where failure is specified to be silence: no network, a 5xx, an expired token, a gateway's page, a slow
 * server, an unreadable state or a missing base give `None`, so that a read never fails because of the check. A debug log
 * says why. An answer is believed for 60 s, keyed by what was compared, so that a pull clears it.
 *
 * Source: agent-directives.md, DRIFT_NOTICE; reference.md 3.4.
 */
export class Drift extends Context.Tag("ctx-mcp/Drift")<
  Drift,
  {
    readonly check: (path: PagePath) => Effect.Effect<Notice>
  }
>() {
  static readonly layer = Layer.effect(
    Drift,
    Effect.gen(function* () {
      const client = yield* SyncClient
      const state = yield* SyncState
      const answers = yield* Ref.make<ReadonlyMap<string, Answer>>(new Map())

      const remember = Effect.fnUntraced(function* (key: string, notice: Notice, lifetime: Duration.Duration) {
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(lifetime)
        yield* Ref.update(answers, (map) => {
          const next = new Map(map).set(key, { notice, until })
          const oldest = next.keys().next()
          if (next.size > capacity && oldest.done !== true) next.delete(oldest.value)
          return next
        })
        return notice
      })

      const remembered = Effect.fnUntraced(function* (key: string) {
        const now = yield* Clock.currentTimeMillis
        const answer = Option.fromNullable((yield* Ref.get(answers)).get(key))
        // A clock set back must not make an answer last.
        return Option.filter(answer, ({ until }) => now < until && until - now <= Duration.toMillis(freshness))
      })

      const compare = Effect.fnUntraced(function* (path: PagePath, local: Sha) {
        const server = yield* client.page(path)
        if (Option.isNone(server) || server.value.sha === local) return Option.none<DriftNotice>()
        const diff = yield* client.diff(path, { from: local, to: server.value.sha })
        return Option.some(new DriftNotice({ local, server: server.value.sha, changes: [...changeLines(diff)] }))
      })

      const ask = Effect.fnUntraced(function* (path: PagePath) {
        if (yield* driftDisabled) return yield* noNotice(path, "CONTEXO_DRIFT_DISABLE=1")
        const recorded = Option.fromNullable((yield* state.recorded).recorded.get(path))
        if (Option.isNone(recorded)) return Option.none<DriftNotice>()
        const key = `${path} ${recorded.value}`
        const known = yield* remembered(key)
        if (Option.isSome(known)) return known.value.notice
        return yield* compare(path, recorded.value).pipe(
          Effect.timeout(budget),
          Effect.flatMap((notice) => remember(key, notice, freshness)),
          Effect.catchTag("TimeoutException", () =>
            Effect.zipRight(
              noNotice(path, `no answer within ${Duration.toSeconds(budget)} s`),
              remember(key, Option.none(), patience)
            )
          )
        )
      })

      return {
        check: (path) =>
          ask(path).pipe(
            Effect.catchTags({
              NotConfigured: (failure) => noNotice(path, failure.message),
              ForeignToken: (failure) => noNotice(path, failure.message),
              ServerUnreachable: (failure) => noNotice(path, failure.message),
              Unauthorized: (failure) => noNotice(path, failure.message),
              ServerRefused: (failure) => noNotice(path, failure.message),
              UnexpectedAnswer: (failure) => noNotice(path, failure.message),
              CorruptFile: (failure) => noNotice(path, failure.message),
              FileFailure: (failure) => noNotice(path, failure.message)
            }),
            Effect.withSpan("drift", { attributes: { path } })
          )
      }
    })
  )
}

/** Exactly `1` in `CONTEXO_DRIFT_DISABLE`: nobody looks for newer versions by himself. */
export const driftDisabled = Config.string("CONTEXO_DRIFT_DISABLE").pipe(
  Config.withDefault(""),
  Effect.map((value) => value === "1"),
  Effect.orElseSucceed(() => false)
)

const noNotice = (path: PagePath, why: string): Effect.Effect<Notice> =>
  Effect.as(Effect.logDebug(`no drift notice for ${path}: ${why}`), Option.none())
