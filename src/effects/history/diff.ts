import { Effect, Option } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import { diffPages, type SectionDiff } from "../../model/merge/SectionDiff.ts"
import type { Sha } from "../../model/page/Sha.ts"
import { SyncClient } from "../../services/sync/SyncClient.ts"
import { readPage } from "../page/readPage.ts"

/**
 * What changed in a page between two versions on the server: default, from the parent of its head to its head.
 * `blame` names for each section the commit that introduced it.
 *
 * Source: reference.md 2.6, 4.
 */
export const diff = Effect.fn("diff")(function* (
  path: PagePath,
  range: { readonly from?: Sha | undefined; readonly to?: Sha | undefined; readonly blame?: boolean | undefined }
) {
  return yield* (yield* SyncClient).diff(path, range)
})

/** What changed in a page here since the server's version; a page that the server does not have is all new. */
export const diffLocal = Effect.fn("diffLocal")(function* (path: PagePath) {
  const local = yield* readPage(path)
  const server = yield* (yield* SyncClient).page(path)
  const { sha, text } = Option.getOrElse(server, () => ({ sha: "", text: "" }))
  return { from_sha: sha, to_sha: "local", ...diffPages(text, local) } satisfies SectionDiff
})
