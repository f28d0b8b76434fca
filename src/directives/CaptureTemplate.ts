import { Schema } from "effect"
import { Slug } from "../model/page/Slug.ts"
import { TurnRecord } from "../model/capture/TurnRecord.ts"
import { bufferSection, sourcePageArguments, sourceTemplate } from "./SourceTemplate.ts"

/**
 * `<CAPTURE_TEMPLATE>`: the user asked to capture a session. Carries the template of PUSH_PAUSED and never pushes; ends
 * when the source page is written. Source: agent-directives, "`<CAPTURE_TEMPLATE>`".
 *
 * - `suggestedSlug`: `<date>-session-<session-id>`
 * - `sessionId`: whose buffer it is, for programs; the text does not show it
 * - `buffer`: every turn of it, redacted already; the block shows a window of it
 *
 * @example new CaptureTemplate({ suggestedSlug, buffer }).render()
 */
export class CaptureTemplate extends Schema.TaggedClass<CaptureTemplate>()("CaptureTemplate", {
  suggestedSlug: Slug,
  sessionId: Schema.optionalWith(Slug, { exact: true }),
  buffer: Schema.Array(TurnRecord)
}) {
  render(): string {
    return [
      "<CAPTURE_TEMPLATE>",
      "",
      "Author a 'source' page capturing the reasoning trail of this session. Call",
      "ctx_write_page with:",
      ...sourcePageArguments(this.suggestedSlug, "rename to reflect the topic"),
      "",
      ...sourceTemplate,
      "",
      ...bufferSection(this.buffer),
      "",
      "</CAPTURE_TEMPLATE>"
    ].join("\n")
  }
}
