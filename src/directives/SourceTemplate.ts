import type { Slug } from "../model/page/Slug.ts"
import type { TurnRecord } from "../model/capture/TurnRecord.ts"
import { renderBuffer } from "../model/capture/TurnRecord.ts"

/** The sections of a source page, and what belongs in each. */
const sections = [
  ["Decision", "What was decided, in one or two sentences a newcomer understands."],
  ["Why this approach", "The reasons and constraints that settled it, the strongest first."],
  ["Rejected alternatives", "Each option that was considered, and what spoke against it."],
  ["Path of inquiry", "What was read, tried and asked, in order, and what each step showed."],
  ["Dead-ends", "What looked promising and failed, and why, so that nobody repeats it."],
  ["Open questions", "What is still unknown or unverified, and what would settle it."],
  ["Sources", "Files (path:line), commits, URLs and pages the reasoning rests on."]
] as const

/**
 * The arguments of the ctx_write_page call that a session's reasoning trail goes into.
 *
 * - `slugNote`: the words in parentheses after the slug
 * - `tags`: the line after the slug, where there is one
 */
export const sourcePageArguments = (slug: Slug, slugNote: string, tags?: string): ReadonlyArray<string> => [
  '  type:              "source"',
  `  slug:              "${slug}"   (${slugNote})`,
  ...(tags === undefined ? [] : [`  tags:              [${tags}]   (union of the batch's tags)`]),
  "  reasoning_summary: one-line distillation (<= 100 chars)",
  "  body:              follow the TEMPLATE below"
]

/** The body of a source page, heading by heading, and the line on secrets. PUSH_PAUSED and CAPTURE_TEMPLATE share it. */
export const sourceTemplate: ReadonlyArray<string> = [
  "TEMPLATE (drop sections that genuinely don't apply, keep them in this order):",
  "",
  ...sections.flatMap(([heading, guidance]) => [`  ## ${heading}`, `    ${guidance}`]),
  "",
  "IMPORTANT: redact any API keys, tokens, passwords, or PII you encounter."
]

/** The turns of a session as JSON lines, windowed where there are many. */
export const bufferSection = (turns: ReadonlyArray<TurnRecord>): ReadonlyArray<string> => [
  "BUFFER (turn-by-turn summaries from this session, oldest first):",
  renderBuffer(turns).trimEnd()
]
