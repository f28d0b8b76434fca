import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { capture } from "../../../src/effects/capture/capture.ts"
import { decodeHookEvent } from "../../../src/model/transcripts/HookEvent.ts"
import { parseBuffer } from "../../../src/model/capture/TurnBuffer.ts"
import { Redactor } from "../../../src/services/secrets/Redactor.ts"
import { freshPlace, platform, projectIn } from "../../support/place.ts"

const line = (type: string, uuid: string, text: string) =>
  `${JSON.stringify({ type, uuid, timestamp: "2026-07-05T09:12:44Z", message: { role: type, content: text } })}\n`

const redacting = Layer.succeed(Redactor, { redact: (text) => text.replaceAll("hunter2", "[redacted:test]") })

describe("capture, for a program of its own", () => {
  it.scopedLive("records the turns of an event, redacted by the service, and many at once leave each turn once", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* place.makeFolder(".contexo")
      yield* place.write("t.jsonl", line("user", "u1", "it is hunter2") + line("assistant", "u2", "noted"))
      const event = decodeHookEvent("claude", {
        hook_event_name: "Stop",
        session_id: "s1",
        transcript_path: place.at("t.jsonl")
      })
      const all = yield* Effect.all(
        Array.from({ length: 5 }, () => capture(event)),
        { concurrency: "unbounded" }
      ).pipe(Effect.provide(Layer.merge(redacting, projectIn(place))))
      expect(all.map(({ added }) => added).toSorted()).toEqual([0, 0, 0, 0, 1])
      const buffer = parseBuffer(yield* place.read(".contexo/raw/sessions/_pending/s1.jsonl"))
      expect(buffer.map(({ record }) => record)).toEqual([
        { ts: "2026-07-05T09:12:44Z", turn: 1, user: "it is [redacted:test]", assistant: "noted" }
      ])
    }).pipe(Effect.provide(platform))
  )

  it.scopedLive("says which disk refused, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* place.makeFolder(".contexo")
      yield* place.write("elsewhere/x", "")
      yield* place.link(place.at("elsewhere"), ".contexo/raw")
      const event = decodeHookEvent("claude", { session_id: "s1", last_assistant_message: "x" })
      const failure = yield* Effect.flip(
        capture(event).pipe(Effect.provide(Layer.merge(Redactor.layer, projectIn(place))))
      )
      expect(failure).toMatchObject({ _tag: "FileFailure", reason: "ELOOP" })
    }).pipe(Effect.provide(platform))
  )
})
