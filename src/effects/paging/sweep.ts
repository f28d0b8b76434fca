import { Clock, Effect, Schema } from "effect"
import { formats } from "../../model/transcripts/formats.ts"
import { errnoOf } from "../../services/files/Errno.ts"
import { PagingDatabase } from "../../services/paging/PagingDatabase.ts"
import { PagingPlace } from "../../services/paging/PagingPlace.ts"
import { sweepInto } from "../../services/paging/PagingSweepDriver.ts"
import { progress } from "../../services/runtime/Progress.ts"
import { type FoundTranscript, transcriptsOf } from "../../services/transcripts/TranscriptListDriver.ts"

/** A transcript could not be taken in; those before it are. */
export class SweepFailed extends Schema.TaggedError<SweepFailed>()("SweepFailed", {
  path: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.path}: cannot be taken in (${this.reason}). What was read before it is kept; sweep again.`
  }
}

/** What one transcript gave. */
interface SweptTranscript extends FoundTranscript {
  /** Rows that are new, or say more than before. */
  readonly rows: number
  /** Lines that could not be read, and of kinds that we do not know. */
  readonly malformed: number
  readonly unknown: number
}

/** How long one step may read: others, and an interruption, come between. In milliseconds. */
const stepMs = 300

/**
 * Takes in what hosts have recorded of this project so far: every transcript from where it was last read, each row once.
 *
 * Source: context-paging.md, "Harness wiring".
 */
export const sweepAll = Effect.fn("paging.sweep")(function* () {
  const { database, root, variables } = yield* PagingPlace
  // Makes the file, or says why it cannot be.
  yield* (yield* PagingDatabase).read("open the database", () => undefined)
  const found = transcriptsOf(root, variables)
  return yield* Effect.forEach(found, (transcript, index) =>
    sweepOne(database, transcript, `${index + 1} of ${found.length}`)
  )
})

const sweepOne = Effect.fnUntraced(function* (database: string, transcript: FoundTranscript, which: string) {
  const { agent, path, session } = transcript
  const format = formats[agent]
  const sum = { rows: 0, malformed: 0, unknown: 0 }
  const swept = (): SweptTranscript => ({ ...transcript, ...sum })
  if (format === undefined) return swept()
  for (;;) {
    const now = yield* Clock.currentTimeMillis
    const step = yield* Effect.try({
      try: () => sweepInto(database, path, { format, session, source: agent, now, budgetMs: stepMs, waitMs: 10_000 }),
      catch: (error) => new SweepFailed({ path, reason: errnoOf(error) })
    }).pipe(
      // A session that went while we looked, or has nothing yet.
      Effect.catchIf(
        ({ reason }) => reason === "ENOENT",
        () => Effect.succeed({ rows: 0, malformed: 0, unknown: 0, complete: true })
      )
    )
    sum.rows += step.rows
    sum.malformed += step.malformed
    sum.unknown += step.unknown
    yield* Effect.zipRight(progress(`transcript ${which}: ${sum.rows} rows`), Effect.yieldNow())
    if (step.complete) return swept()
  }
})
