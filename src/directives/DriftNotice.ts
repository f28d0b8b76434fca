import { Schema } from "effect"
import { Sha, short } from "../model/page/Sha.ts"
import { fit, label } from "./Lines.ts"

/** Bytes that the list of changes may take; the notice stands above a whole page. */
const changesBytes = 4_000

/**
 * `<DRIFT_NOTICE>`: a page moved on the server since the last pull. Prepended to a resource read (see `frame`), never
 * returned as a failure. Source: agent-directives, "`<DRIFT_NOTICE>`".
 *
 * - `local`: the sha recorded by the last pull or push
 * - `server`: the sha the server has now
 * - `changes`: lines of `changeLines`; empty where nothing structured changed
 *
 * @example new DriftNotice({ local, server, changes: ["~ frontmatter changed", "+ ## Open Questions"] }).render()
 */
export class DriftNotice extends Schema.TaggedClass<DriftNotice>()("DriftNotice", {
  local: Sha,
  server: Sha,
  changes: Schema.Array(Schema.String)
}) {
  render(): string {
    const { left, shown } = fit(
      this.changes.map((line) => `  ${label(line)}`),
      changesBytes
    )
    return [
      "<DRIFT_NOTICE>",
      "This page changed on the server since your last pull.",
      `  your version:  ${short(this.local)}`,
      `  server now:    ${short(this.server)}`,
      "",
      "What changed:",
      ...(this.changes.length === 0 ? ["  (changes outside structured sections)"] : shown),
      ...(left === 0 ? [] : [`  (${left} more change(s); ctx_diff lists them)`]),
      "",
      "Consider `ctx pull` before editing this page. If you push without",
      "pulling, the server will 409 unless your local parent_sha matches.",
      "Call ctx_diff(slug=...) for the full per-section diff.",
      "</DRIFT_NOTICE>"
    ].join("\n")
  }
}
