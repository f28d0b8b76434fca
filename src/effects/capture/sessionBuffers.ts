import { Clock, type Duration, Effect, Option } from "effect"
import { toMillis } from "effect/Duration"
import { removeUnsafe } from "../../model/text/Sanitise.ts"
import type { TurnRecord } from "../../model/capture/TurnRecord.ts"
import { PendingBuffers } from "../../services/capture/PendingBuffers.ts"
import { loadSecrets } from "../../services/secrets/SecretScanDriver.ts"

/** A session's buffer, whose turns somebody may distill. */
export interface SessionBuffer {
  readonly session: string
  /** Oldest first; what was dropped is a marker. */
  readonly turns: ReadonlyArray<TurnRecord>
  /** The number of the last turn; None where there is none. */
  readonly last: Option.Option<number>
}

export const sessionBuffer = (session: string, turns: ReadonlyArray<TurnRecord>): SessionBuffer => {
  const last = turns.findLast(({ truncated }) => truncated === undefined)
  return { session, turns, last: Option.fromNullable(last?.turn) }
}

/**
 * The buffers that were written to within some time, newest first. One from the future counts as new: a clock that was put
 * back hides no session.
 */
export const recentBuffers = Effect.fn("recentBuffers")(function* (within: Duration.Duration) {
  const buffers = yield* PendingBuffers
  const now = yield* Clock.currentTimeMillis
  const recent = (yield* buffers.list).filter(({ modified }) => now - modified <= toMillis(within))
  return yield* Effect.forEach(recent, ({ session }) =>
    Effect.map(
      buffers.read(session),
      Option.map((turns) => sessionBuffer(session, turns))
    )
  ).pipe(Effect.map((found) => found.flatMap(Option.toArray)))
})

/** Every pending buffer, newest first, with the number of its turns. */
export const pendingSessions = Effect.fn("pendingSessions")(function* () {
  const buffers = yield* PendingBuffers
  return yield* Effect.forEach(yield* buffers.list, (buffer) =>
    Effect.map(buffers.read(buffer.session), (turns) => ({
      ...buffer,
      turns: Option.getOrElse(turns, () => []).filter(({ truncated }) => truncated === undefined).length
    }))
  )
})

/** Turns as an agent may see them: whoever wrote the buffer may have written secrets, and may have hidden them. */
export const redactedTurns = Effect.fn("redactedTurns")(function* (turns: ReadonlyArray<TurnRecord>) {
  const { redact } = yield* loadSecrets
  const clean = (text: string) => redact(removeUnsafe(text))
  return turns.map((turn): TurnRecord => ({
    ...turn,
    ...(turn.user === undefined ? {} : { user: clean(turn.user) }),
    ...(turn.assistant === undefined ? {} : { assistant: clean(turn.assistant) }),
    ...(turn.tools === undefined ? {} : { tools: turn.tools.map(clean) })
  }))
})
