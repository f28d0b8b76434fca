import { Effect, Schema } from "effect"
import { findServerPage } from "../../../effects/page/findPage.ts"
import { revert as revertPage } from "../../../effects/history/revert.ts"
import { revertedText } from "../../render/serverEdits.ts"
import { tool } from "../Tool.ts"
import { commitId, message, slug, type } from "./pageArguments.ts"

/** `ctx_revert`. */
export const revert = tool({
  name: "ctx_revert",
  title: "Put an older version of a page back",
  description: [
    "Put an older version of one page in force again, for the whole team, on the server at once: a new commit whose text is the old one. Nothing of the history is lost, and a deleted page comes back.",
    "Only when the user asked for it, or agreed. Find the commit with ctx_history, and look at it with ctx_diff first.",
    "The file here follows. An edit here that was not pushed is merged or kept, never overwritten, and the answer says so."
  ].join("\n"),
  input: Schema.Struct({
    slug,
    to: commitId.annotations({ description: "The commit whose version is wanted, as ctx_history lists it" }),
    type,
    message: message("the server's words")
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  run: ({ message, slug, to, type }) =>
    Effect.gen(function* () {
      const path = yield* findServerPage(slug, type)
      return revertedText(yield* Effect.uninterruptible(revertPage(path, { to, message })))
    })
})
