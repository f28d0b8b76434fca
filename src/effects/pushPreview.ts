import { Effect, Option } from "effect"
import { changeLines, diffPages } from "../model/SectionDiff.ts"
import type { PagePath } from "../model/PagePath.ts"
import { SyncState } from "../services/SyncState.ts"
import type { BatchPage } from "./Push.ts"

/** What a push would do to one page. */
export interface PreviewedPage {
  readonly path: PagePath
  /** `edit`: the server has the page. */
  readonly change: "new" | "edit"
  /** What differs from the version it was edited from; None where that version is not known here. */
  readonly changes: Option.Option<ReadonlyArray<string>>
}

/**
 * What a push would do, page by page. Reads local files only: the versions that the pages were edited from are here.
 *
 * Source: reference.md 7.2.
 */
export const pushPreview = Effect.fn("pushPreview")(function* (batch: ReadonlyArray<BatchPage>) {
  const state = yield* SyncState
  return yield* Effect.forEach(batch, ({ parent, path, text }) =>
    Option.isNone(parent)
      ? Effect.succeed<PreviewedPage>({ path, change: "new", changes: Option.none() })
      : Effect.map(state.base(path), (base): PreviewedPage => ({
          path,
          change: "edit",
          changes: Option.map(base, (known) => changeLines(diffPages(known.text, text)))
        }))
  )
})
