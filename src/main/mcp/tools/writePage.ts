import { Effect, Schema } from "effect"
import { writePage as write, WritePage } from "../../../effects/page/writePage.ts"
import { writtenText } from "../../render/write.ts"
import { tool } from "../Tool.ts"

const input = Schema.Struct({
  ...WritePage.fields,
  slug: Schema.String.annotations({
    description:
      "File name without .md: letters, digits, '-', '_', '.', such as retry-rule. An existing slug of this type is replaced."
  }),
  // In the order in which the reference names them when the type is none of them.
  type: Schema.Literal("concept", "entity", "source", "analysis").annotations({
    description: "What the page is; the tool's description says when to pick which"
  }),
  body: Schema.String.annotations({ description: "The whole page as markdown, without frontmatter" }),
  tags: list("Topics, in lower case. ctx_push can share one tag alone"),
  related: list("Slugs of pages that a reader of this one wants next"),
  sources: list("Slugs of the source pages that this one was distilled from"),
  reasoning_summary: text("Why this page says what it says, in one line of at most 100 characters"),
  author: text("Who answers for the page; default: the logged-in user"),
  agent: text("Your own name, such as claude or codex; default: claude")
})

function list(description: string) {
  return Schema.optional(Schema.Array(Schema.String)).annotations({ description })
}

function text(description: string) {
  return Schema.optional(Schema.String).annotations({ description })
}

/** `ctx_write_page`. Source: reference.md 2.1; design.md section 5. */
export const writePage = tool({
  name: "ctx_write_page",
  title: "Write a page",
  description: [
    "Write one page of the team's shared knowledge, or replace the body of an existing one. Stays on this machine until ctx_push.",
    "Call it when something was decided, found out or named that a teammate's agent should not have to work out again.",
    "",
    "Pick the type:",
    "- concept: a decision, a rule, or how a subsystem works and why. Sections: Decision, Agent Reasoning, Current State, Open Questions.",
    "- entity: one named thing: a service, library, product, database or system, and what to know about it.",
    "- analysis: a finding: an investigation, comparison or post-mortem, with its evidence.",
    "- source: the reasoning trail of one session, as a PUSH_PAUSED or CAPTURE_TEMPLATE block asks for it.",
    "",
    "Always pass reasoning_summary, and give the body an '## Agent Reasoning' section: why this and not something else.",
    "1 to 3 KB read best. Fields that you leave out keep their value on an existing page. Read an existing page whole before you replace it.",
    "Never write API keys, tokens, passwords or personal data.",
    "",
    "The body is stored as it is, but for two things: the backslash that you see in our own tags when you read a page (as in <\\PUSH_PAUSED>) is undone,",
    "so a page about them survives reading and writing; and invisible or control characters are dropped."
  ].join("\n"),
  input,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  subject: "page",
  failure: ({ message }) => message,
  // A write that has begun is finished, whatever the client cancels.
  run: (page) => Effect.uninterruptible(Effect.map(write(page), writtenText))
})
