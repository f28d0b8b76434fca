import { Effect, Schema } from "effect"
import { localStatus, statusText } from "../../../effects/status.ts"
import { tool } from "../Tool.ts"

/** `ctx_status`. Eight lines, local files only, no error path. Source: ctx-status.md. */
export const status = tool({
  name: "ctx_status",
  title: "Project status",
  description: "Show local .contexo status: server, repo, auth, local page count, last pull sha, never-pushed pages.",
  input: Schema.Struct({}),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: () => Effect.map(localStatus(), statusText)
})
