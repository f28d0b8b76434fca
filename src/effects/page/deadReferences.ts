import { Effect } from "effect"
import { type Reference, resolveReference } from "../../model/page/Links.ts"
import { folderOf, type PageType } from "../../model/page/PageType.ts"
import { foldSlug } from "../../model/page/Slug.ts"
import { PageStore } from "../../services/page/PageStore.ts"

/**
 * Those of some references that mean no page on disk. Names of files are looked up, and no page is read. A folder that
 * cannot be listed makes no reference dead.
 */
export const deadReferences = Effect.fn("deadReferences")(function* (references: ReadonlyArray<Reference>) {
  if (references.length === 0) return []
  const { existing } = yield* PageStore
  const look = (some: ReadonlyArray<Reference>, which?: "spelled-so") =>
    existing(namesakes(some.map(({ slug }) => slug)), which).pipe(
      Effect.map((there) => some.filter((one) => isDead(one, there))),
      Effect.catchTag("FileFailure", (failure) => Effect.as(Effect.logDebug("links were not looked up", failure), []))
    )
  const unsure = yield* look(references, "spelled-so")
  return unsure.length === 0 ? [] : yield* look(unsure)
})

/** The identities that pages of these slugs would have, in every type. */
export const namesakes = (slugs: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(slugs.flatMap((slug) => Object.values(folderOf).map((folder) => `${folder}/${foldSlug(slug)}.md`)))

/** @param there Identities of the pages there are. */
export const isDead = (reference: Reference, there: ReadonlySet<string>): boolean =>
  resolveReference(reference, hasPage(there))._tag === "None"

/** Whether a page is among identities (case-folded paths). */
export const hasPage =
  (there: ReadonlySet<string>) =>
  (type: PageType, folded: string): boolean =>
    there.has(`${folderOf[type]}/${folded}.md`)
