import { Effect, Either, Option } from "effect"
import { sha256 } from "../../model/text/Hash.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import { diffPages, type PageDiff } from "../../model/merge/SectionDiff.ts"
import type { Sha } from "../../model/page/Sha.ts"
import { SyncClient } from "../../services/sync/SyncClient.ts"
import { SyncState } from "../../services/sync/SyncState.ts"
import type { BatchPage, PushBatch } from "./Push.ts"

/** What a push would do to one page. */
export interface PreviewedPage {
  readonly path: PagePath
  /** `edit`: the server has the page; `same`: it has exactly this. */
  readonly change: "new" | "edit" | "same"
  /** What differs from the version it was edited from; None where that version is not known here. */
  readonly diff: Option.Option<PageDiff>
  /** The server has another version than the one it was edited from: the push will be a merge. */
  readonly moved: boolean
}

/** What a push would do. */
export interface PushPreview {
  readonly pages: ReadonlyArray<PreviewedPage>
  /** Pages that match the filter and do not travel: they are on the server as they are here. */
  readonly same: ReadonlyArray<PagePath>
  /** Why the server could not be asked, in one sentence: then the preview is what is known here. */
  readonly unasked: Option.Option<string>
}

/** Pages whose version they were edited from is not known here are fetched and compared, so many of them. */
const fetched = 50

/**
 * What a push would do, page by page: one request for the shas of all the server's pages. A server that does not answer
 * is no failure.
 *
 * Source: reference.md 7.2.
 */
export const pushPreview = Effect.fn("pushPreview")(function* ({ batch, same }: Pick<PushBatch, "batch" | "same">) {
  const client = yield* SyncClient
  const listed = yield* Effect.either(client.pages)
  const shas = Either.match(listed, {
    onLeft: () => Option.none<ReadonlyMap<string, Sha>>(),
    onRight: (pages) => Option.some(new Map(pages.map(({ path, sha }) => [path, sha])))
  })
  let left = fetched
  const pages = yield* Effect.forEach(batch, (page) =>
    Effect.gen(function* () {
      const known = Option.map(yield* (yield* SyncState).base(page.path), ({ text }) => text)
      const unknown = Option.isNone(known) && Option.exists(shas, (there) => there.has(page.path)) && left-- > 0
      const text = unknown
        ? Option.map(yield* Effect.orElseSucceed(client.page(page.path), Option.none), (there) => there.text)
        : known
      return previewed(page, text, shas)
    })
  )
  return { pages, same, unasked: Option.map(Either.getLeft(listed), ({ message }) => message) } satisfies PushPreview
})

const previewed = (
  { parent, path, text }: BatchPage,
  before: Option.Option<string>,
  shas: Option.Option<ReadonlyMap<string, Sha>>
): PreviewedPage => {
  const there = Option.match(shas, { onNone: () => parent, onSome: (all) => Option.fromNullable(all.get(path)) })
  if (Option.exists(before, (known) => sha256(known) === sha256(text))) {
    return { path, change: "same", diff: Option.none(), moved: false }
  }
  return {
    path,
    change: Option.isNone(there) ? "new" : "edit",
    diff: Option.map(before, (known) => diffPages(known, text)),
    moved: Option.getOrElse(there, () => "") !== Option.getOrElse(parent, () => "")
  }
}
