import { Effect, Option, Schema } from "effect"
import { type LocalStatus, localStatus, statusText } from "../../../effects/sync/status.ts"
import { forAgentLine } from "../../../model/text/Sanitise.ts"
import { queryTool } from "../Tool.ts"

/** The eight lines, as values. */
const output = Schema.Struct({
  server: Schema.NullOr(Schema.String),
  repo: Schema.NullOr(Schema.String),
  user: Schema.NullOr(Schema.Struct({ name: Schema.String, email: Schema.String })),
  authenticated: Schema.Boolean,
  local_pages: Schema.Number,
  last_pull: Schema.NullOr(Schema.String).annotations({ description: "The newest commit of the last pull" }),
  never_pushed_pages: Schema.Number,
  pending_capture_buffers: Schema.Number
})

const dataOf = (status: LocalStatus): typeof output.Type => ({
  server: Option.getOrNull(Option.map(status.server, forAgentLine)),
  repo: Option.getOrNull(Option.map(status.repo, forAgentLine)),
  user: Option.getOrNull(
    Option.map(status.user, ({ email, name }) => ({ name: forAgentLine(name), email: forAgentLine(email) }))
  ),
  authenticated: Option.isSome(status.authKind),
  local_pages: status.localPages,
  last_pull: Option.getOrNull(status.lastPull),
  never_pushed_pages: status.neverPushed.length,
  pending_capture_buffers: status.pendingBuffers
})

/** `ctx_status`. Eight lines, local files only, no error path. Source: ctx-status.md. */
export const status = queryTool({
  name: "ctx_status",
  title: "Project status",
  description: "Show local .contexo status: server, repo, auth, local page count, last pull sha, never-pushed pages.",
  input: Schema.Struct({}),
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: () => Effect.map(localStatus(), (status) => ({ text: statusText(status), data: dataOf(status) }))
})
