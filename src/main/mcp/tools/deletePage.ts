import { Effect, Schema } from "effect"
import { deletePage as remove } from "../../../effects/page/deletePage.ts"
import { findServerPage } from "../../../effects/page/findPage.ts"
import { deletedText } from "../../render/serverEdits.ts"
import { tool } from "../Tool.ts"
import { flag, message, slug, type } from "./pageArguments.ts"

/** `ctx_delete_page`. */
export const deletePage = tool({
  name: "ctx_delete_page",
  title: "Delete a page",
  description: [
    "Delete one page for the whole team, on the server at once, and here. Teammates get the deletion with their next pull.",
    "Only when the user asked for it, or agreed: a page that is out of date is better rewritten, one that was merged into another is better renamed or linked.",
    "The history stays: ctx_revert brings the page back. A page that was edited here and not pushed is refused, since that edit would be lost."
  ].join("\n"),
  input: Schema.Struct({
    slug,
    type,
    message: message("delete <slug>"),
    force: flag("Give up an edit here that was not pushed: only when the user said so")
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  run: ({ force, message, slug, type }) =>
    Effect.gen(function* () {
      const path = yield* findServerPage(slug, type)
      return deletedText(yield* Effect.uninterruptible(remove(path, { force, message })))
    })
})
