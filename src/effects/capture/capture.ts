import { Clock, Effect, Option } from "effect"
import type { HookEvent } from "../../model/transcripts/HookEvent.ts"
import { withBuffersLock } from "../../services/capture/BuffersLock.ts"
import { captureLocked } from "../../services/capture/CaptureDriver.ts"
import { environment } from "../../services/runtime/Environment.ts"
import { errnoOf } from "../../services/files/Errno.ts"
import { FileFailure } from "../../services/files/FileFailure.ts"
import { Project } from "../../services/project/Project.ts"
import { Redactor } from "../../services/secrets/Redactor.ts"

/**
 * Takes an agent's event into the project's capture buffers: the turns that its transcript has and no event before told,
 * each redacted, cut, and in its buffer once. What `ctx-mcp hook` does, for a program of its own.
 *
 * The work itself is a driver without Effect: the hook runs at every turn of an agent, in a fraction of the time that
 * loading Effect takes.
 *
 * @throws FileFailure where the disk refuses, or a symbolic link leads out of the project. No record is half written, and the
 *   next event takes what this one left.
 * @example
 * ```ts
 * const { added } = yield* capture(decodeHookEvent("claude", JSON.parse(stdin)))
 * ```
 * Source: design.md 6.
 */
export const capture = Effect.fn("capture")(function* (event: HookEvent) {
  const { contexo } = yield* Project
  const { redact } = yield* Redactor
  const now = yield* Clock.currentTimeMillis
  const variables = yield* Effect.forEach(places, (name) =>
    Effect.map(environment(name), (value) => [name, Option.getOrUndefined(value)] as const)
  )
  const options = { store: contexo, redact, now, env: Object.fromEntries(variables) }
  return yield* withBuffersLock(
    contexo,
    Effect.try({
      try: () => captureLocked(event, options),
      catch: (error) => new FileFailure({ path: contexo, operation: "record a turn", reason: errnoOf(error) })
    })
  )
})

/** Where hosts keep their transcripts. */
const places = ["HOME", "CODEX_HOME", "KIMI_CODE_HOME", "KIMI_SHARE_DIR"] as const
