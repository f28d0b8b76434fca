import { Schema } from "effect"
import { PagePath } from "../model/page/PagePath.ts"
import { PageType } from "../model/page/PageType.ts"
import { forAgentLine } from "../model/text/Sanitise.ts"
import { Slug } from "../model/page/Slug.ts"
import { TurnRecord } from "../model/capture/TurnRecord.ts"
import { fit } from "./Lines.ts"
import { bufferSection, sourcePageArguments, sourceTemplate } from "./SourceTemplate.ts"

/** Bytes for the list of pages, and for that of tags: with the buffer's 30 KB, the block stays well below 80,000. */
const pagesBytes = 24_000
const tagsBytes = 2_000

/**
 * `<PUSH_PAUSED reason=distill_required>`: knowledge is about to be shared while the reasoning behind it is still in a
 * buffer. Ends with `ctx_push(distill_done=true, source_slug=...)`. Source: agent-directives, "`<PUSH_PAUSED>`".
 *
 * - `suggestedSlug`: of the source page, `<UTC date>-<slug of the first concept or analysis>-reasoning`
 * - `tags`: of all pages in the batch, in the order to show them, repeats included
 * - `pages`: the batch, in the order to show it
 * - `buffer`: every turn of the session's buffer, redacted already; the block shows a window of it
 *
 * @example new PushPaused({ suggestedSlug, tags: ["billing"], pages: [{ path, type: "concept" }], buffer }).render()
 */
export class PushPaused extends Schema.TaggedClass<PushPaused>()("PushPaused", {
  suggestedSlug: Slug,
  tags: Schema.Array(Schema.String),
  pages: Schema.Array(Schema.Struct({ path: PagePath, type: PageType })),
  buffer: Schema.Array(TurnRecord)
}) {
  render(): string {
    return [
      "<PUSH_PAUSED reason=distill_required>",
      "",
      "Before pushing: capture the reasoning trail, then make sure every named system",
      "in this batch has its own entity page. Do the three steps below in order, then",
      "re-invoke ctx_push with distill_done=true.",
      "",
      "STEP 1 — call ctx_write_page with:",
      ...sourcePageArguments(this.suggestedSlug, "suggested; adjust topic to taste", tagUnion(this.tags)),
      "",
      ...sourceTemplate,
      "",
      "STEP 2 — entity coverage: if the concept/analysis pages reference named",
      "systems, services, libraries, products, or databases that don't already have",
      'a page under wiki/entities/, create one for each with ctx_write_page(type="entity").',
      "",
      "STEP 3 — call ctx_push again with the same filter args plus:",
      "  distill_done: true",
      `  source_slug:  "${this.suggestedSlug}"`,
      "",
      "---",
      "",
      "PAGES being pushed in this batch:",
      ...pageList(this.pages.map(({ path, type }) => `- ${path} (${type})`)),
      "",
      ...bufferSection(this.buffer),
      "",
      "</PUSH_PAUSED>"
    ].join("\n")
  }
}

/** Made safe as one line, because two tags side by side could spell what neither does. */
const tagUnion = (tags: ReadonlyArray<string>): string => {
  const union = [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => forAgentLine(tag) !== "")
  const { left, shown } = fit(union, tagsBytes)
  return forAgentLine([...shown, ...(left === 0 ? [] : [`+${left} more`])].join(" "))
}

const pageList = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { left, shown } = fit(lines, pagesBytes)
  return left === 0 ? shown : [...shown, `(and ${left} more page(s))`]
}
