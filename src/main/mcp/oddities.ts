import { Effect, Option } from "effect"
import { forAgentLine } from "../../model/text/Sanitise.ts"

/** One line of a kind, then their number once in so long. */
const interval = "1 minute"

/** What a client itself says makes up kinds without end: beyond so many at once, they are one. */
const mostKinds = 16
const otherKind = "more messages that could not be used"

const longest = 200

/**
 * Warns of messages that could not be used. A client that may send them may send them without end, and fills no log with them:
 * the first of a kind is a line, and those that follow are counted, in a line a minute at most. What a client sent inside a
 * message, which may be a secret, is left out.
 *
 * @returns Takes what is said of one message.
 */
export const makeOddities = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const counts = new Map<string, number>()

  const count = (kind: string) =>
    Effect.gen(function* () {
      while (true) {
        yield* Effect.sleep(interval)
        const more = counts.get(kind) ?? 0
        if (more === 0) break
        counts.set(kind, 0)
        yield* Effect.logWarning(`${more} more within ${interval}: ${kind}`)
      }
      counts.delete(kind)
    })

  return (reason: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const line = lineOf(reason)
      const own = kindOf(line)
      const kind = counts.has(own) || counts.size < mostKinds ? own : otherKind
      const before = Option.fromNullable(counts.get(kind))
      counts.set(kind, Option.match(before, { onNone: () => 0, onSome: (number) => number + 1 }))
      if (Option.isSome(before)) return Effect.void
      return Effect.zipRight(Effect.logWarning(line), Effect.forkIn(count(kind), scope))
    })
})

/** Without the JSON that the SDK quotes. */
const lineOf = (reason: string): string => forAgentLine(reason.slice(0, longest).replace(/[:\s]*\{.*$/s, ""))

/** `Bad Request: Unsupported protocol version: 1999 ...` without the version. */
const kindOf = (line: string): string => line.split(":").slice(0, 2).join(":")
