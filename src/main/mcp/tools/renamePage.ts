import { Effect, Schema } from "effect"
import { findPage } from "../../../effects/page/findPage.ts"
import { renamePage as rename } from "../../../effects/page/renamePage.ts"
import { PageType } from "../../../model/page/PageType.ts"
import { renamedText } from "../../render/serverEdits.ts"
import { fitLines } from "../fit.ts"
import { tool } from "../Tool.ts"
import { message, slug, type } from "./pageArguments.ts"

/** `ctx_rename_page`. */
export const renamePage = tool({
  name: "ctx_rename_page",
  title: "Rename a page",
  description: [
    "Give one page another slug, another type, or both, for the whole team, on the server at once. Every page that names it in related, sources or [[links]] is changed in the same commit, so no link breaks.",
    "Call it instead of writing a second page and deleting the first. Push what you edited before: pages with edits that were not pushed are refused by name, and nothing is changed then.",
    "Read pages again afterwards before you write them: their text may have changed."
  ].join("\n"),
  input: Schema.Struct({
    slug,
    type,
    new_slug: Schema.optional(Schema.String).annotations({
      description: "Letters, digits, '-', '_', '.'; default: the slug stays"
    }),
    new_type: Schema.optional(PageType).annotations({ description: "Default: the type stays" }),
    message: message("rename <old path> to <new path>")
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  run: ({ message, new_slug, new_type, slug, type }) =>
    Effect.gen(function* () {
      const path = yield* findPage(slug, type)
      const renamed = rename(path, { slug: new_slug, type: new_type, message })
      return fitLines(renamedText(yield* Effect.uninterruptible(renamed)))
    })
})
