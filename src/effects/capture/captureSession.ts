import { Clock, DateTime, Duration, Effect, Option, Schema } from "effect"
import { CaptureTemplate } from "../../directives/CaptureTemplate.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { isSlug, Slug } from "../../model/page/Slug.ts"
import { PendingBuffers } from "../../services/capture/PendingBuffers.ts"
import { recentBuffers, redactedTurns, sessionBuffer } from "./sessionBuffers.ts"

/** No session has such an id. */
export class InvalidSessionId extends Schema.TaggedError<InvalidSessionId>()("InvalidSessionId", {
  session: Schema.String
}) {
  override get message() {
    return `invalid session_id "${this.session}"`
  }
}

/** The session has no buffer: none of its turns was captured, or all were distilled. */
export class NoBuffer extends Schema.TaggedError<NoBuffer>()("NoBuffer", { session: Schema.String }) {
  override get message() {
    return `no buffer for session "${this.session}"`
  }
}

/** No session was captured within a day. */
export class NoRecentBuffer extends Schema.TaggedError<NoRecentBuffer>()("NoRecentBuffer", {}) {
  override get message() {
    return "no recent capture buffer (run 'ctx hooks install' once per project, then have a Claude Code session here)"
  }
}

/** There is a buffer, and no turn in it. */
export class EmptyBuffer extends Schema.TaggedError<EmptyBuffer>()("EmptyBuffer", {}) {
  override get message() {
    return "buffer is empty"
  }
}

const recent = Duration.hours(24)
const slugBytes = 80

/** The turns of a session that nobody distilled yet, redacted; without an id, of the newest within a day. */
export const readSession = Effect.fn("readSession")(function* (session?: string | undefined) {
  const found = yield* session === undefined || session.trim() === "" ? newest : named(session.trim())
  if (Option.isNone(found.last)) return yield* new EmptyBuffer()
  return { session: found.session, turns: yield* redactedTurns(found.turns) }
})

const newest = Effect.gen(function* () {
  const found = yield* recentBuffers(recent)
  const [first] = found.filter(({ last }) => Option.isSome(last)).concat(found)
  return first ?? (yield* new NoRecentBuffer())
})

const named = Effect.fnUntraced(function* (session: string) {
  if (!isSlug(session)) return yield* new InvalidSessionId({ session: forAgentLine(session) })
  const turns = yield* (yield* PendingBuffers).read(session)
  return Option.isSome(turns) ? sessionBuffer(session, turns.value) : yield* new NoBuffer({ session })
})

/**
 * What an agent needs to write a session's reasoning down, because its user asked. Reads local files only, pushes nothing,
 * and archives nothing.
 *
 * @example const { text } = yield* Effect.map(captureSession(), (directive) => ({ text: directive.render() }))
 *
 * Source: agent-directives.md, CAPTURE_TEMPLATE; reference.md 2.8.
 */
export const captureSession = Effect.fn("captureSession")(function* (id?: string | undefined) {
  const { session, turns } = yield* readSession(id)
  const date = DateTime.formatIsoDateUtc(DateTime.unsafeMake(yield* Clock.currentTimeMillis))
  // A slug is ASCII: its units are its bytes. It may not end with a dot, nor hold two in a row.
  const slug = `${date}-session-${session}`
    .replaceAll(/\.{2,}/g, ".")
    .slice(0, slugBytes)
    .replace(/\.$/, "")
  return new CaptureTemplate({
    suggestedSlug: Slug.make(slug),
    ...(isSlug(session) ? { sessionId: Slug.make(session) } : {}),
    buffer: turns
  })
})
