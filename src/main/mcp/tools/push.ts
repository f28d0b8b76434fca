import { Effect, Schema } from "effect"
import { push as pushPages, type PushFailure } from "../../../effects/sync/Push.ts"
import { PageType } from "../../../model/page/PageType.ts"
import { pushText } from "../../render/push.ts"
import { fitLines } from "../fit.ts"
import { tool } from "../Tool.ts"

const flag = (description: string) => Schema.optional(Schema.Boolean).annotations({ description })
const text = (description: string) => Schema.optional(Schema.String).annotations({ description })

/** `ctx_push`. Source: agent-directives.md; reference.md 2.2. */
export const push = tool({
  name: "ctx_push",
  title: "Share pages",
  description: [
    "Share the pages that were changed here with the team, as one commit. Call it when the user asks, or when a piece of work whose knowledge you wrote down is done.",
    "Narrow it with feature (a tag) or type; without them everything that changed travels, and nothing that did not.",
    "The answer may be a tagged block instead of a sentence: <PUSH_PAUSED> asks you to write down the session's reasoning first, <MERGE_REQUIRED> says that somebody else moved a page. Do its steps, then call ctx_push again with the same filters."
  ].join("\n"),
  input: Schema.Struct({
    feature: text("Only pages with this tag"),
    tag: text("The same as feature"),
    type: Schema.optional(PageType).annotations({ description: "Only pages of this type" }),
    message: text("What the commit says; default: agent push (N pages)"),
    no_distill: flag("Do not pause to distill the session's reasoning first"),
    distill_done: flag("The steps of a PUSH_PAUSED block are done; needs source_slug"),
    source_slug: text("With distill_done: the slug of the source page that you wrote"),
    auto_merge: flag("Merge and push in one step where no section was changed on both sides"),
    accept_mine: flag(
      "Pages that await a merge go out as they are here, over the server's version: only when the user decided so"
    ),
    allow_secrets: Schema.optional(Schema.Array(Schema.String)).annotations({
      description:
        "Rules that a refused push named, where the user has looked at each finding and says that it is no secret"
    })
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: ({ feature, tag, type, ...given }) =>
    pushPages(
      { tag: feature?.trim() || tag, type },
      {
        message: given.message,
        autoMerge: given.auto_merge,
        acceptMine: given.accept_mine,
        allowSecrets: given.allow_secrets,
        noDistill: given.no_distill,
        distillDone: given.distill_done,
        sourceSlug: given.source_slug
      }
    ).pipe(
      Effect.map((finished) => {
        const answer = pushText(finished)
        const directive = finished.outcome._tag === "MergeRequired" || finished.outcome._tag === "PushPaused"
        return directive ? answer : fitLines(answer)
      })
    ),
  failure: (error) => pushFailureText(error)
})

/** The words of reference.md 2.2; of a 402 only the server's sentence. */
const pushFailureText = (error: PushFailure): string => {
  switch (error._tag) {
    case "ServerRefused":
      return error.status === 402 ? error.message : `sync: push failed (${error.status}): ${error.reason}`
    case "Unauthorized":
      return `sync: push failed (401): ${error.message}`
    case "ServerUnreachable":
    case "UnexpectedAnswer":
      return `sync: push: ${error.message}`
    default:
      return `ctx_push: ${error.message}`
  }
}
