import { Effect, Schema } from "effect"
import { captureSession as captured } from "../../../effects/capture/captureSession.ts"
import { tool } from "../Tool.ts"

/** `ctx_capture_session`. Source: agent-directives.md, CAPTURE_TEMPLATE; reference.md 2.8. */
export const captureSession = tool({
  name: "ctx_capture_session",
  title: "Capture this session's reasoning",
  description: [
    "Get what was said in a session, and a template to write its reasoning down as a source page.",
    "Call it when the user asks to capture what was decided so far. The answer is a <CAPTURE_TEMPLATE> block: do what it says. It pushes nothing; ctx_push asks for the same by itself when it is time."
  ].join("\n"),
  input: Schema.Struct({
    session_id: Schema.optional(Schema.String).annotations({
      description: "Which session; default: the newest one within 24 hours"
    })
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: ({ session_id }) => Effect.map(captured(session_id), (directive) => directive.render())
})
