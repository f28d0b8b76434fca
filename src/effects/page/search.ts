import { Effect, Either, Encoding, Option, Schema } from "effect"
import { sha256 } from "../../model/text/Hash.ts"
import type { PageType } from "../../model/page/PageType.ts"
import { PageSearch, type SearchHit, SearchPlace } from "../../services/search/PageSearch.ts"

/** A cursor that no answer to this search named. */
export class InvalidCursor extends Schema.TaggedError<InvalidCursor>()("InvalidCursor", {}) {
  override get message() {
    return "the cursor belongs to another search: pass the one that this query, type and tag were answered with, or none to begin anew"
  }
}

export interface SearchOptions {
  readonly type?: PageType | undefined
  /** Exactly so. */
  readonly tag?: string | undefined
  /** Default 10. */
  readonly limit?: number | undefined
  /** What an earlier answer to the same search named. */
  readonly cursor?: string | undefined
}

export interface SearchResults {
  /** Best first. */
  readonly hits: ReadonlyArray<SearchHit>
  /** Of all pages that were found. */
  readonly total: number
  readonly nextCursor: Option.Option<string>
  /** Where an answer goes on that has room for no more than a hit and those before it. */
  readonly cursorBehind: (hit: SearchHit) => string
}

/**
 * Finds pages by what they say, as they are on disk now: words in any form, parts of identifiers, what stands within words,
 * any script, and words with a typing mistake where nothing has them as they are. Any text is a query, nothing in it is
 * grammar; without a word it lists the pages of the filters, the newest first.
 *
 * @example
 * const { hits } = yield* search("why do we retry uploads", { type: "concept" })
 *
 * Errors: `InvalidCursor`, and what a listing of the pages may fail with. Source: reference.md 3.5; design.md section 11.
 */
export const search = Effect.fn("search")(function* (text: string, options: SearchOptions = {}) {
  const { cursor, limit = 10, tag, type } = options
  const key = sha256(JSON.stringify([text.trim(), type ?? "", tag ?? ""]).toWellFormed()).slice(0, 12)
  const after = cursor === undefined ? undefined : yield* placeIn(cursor, key)
  const { hits, more, total } = yield* (yield* PageSearch).find({ text, type, tag, limit, after })
  const cursorBehind = (hit: SearchHit) => {
    const shown = hits.slice(0, hits.indexOf(hit) + 1).toReversed()
    const paths = shown.slice(0, remembered).map(({ path }) => path)
    return Encoding.encodeBase64Url(encode({ key, paths, score: hit.score }))
  }
  const last = more ? Option.fromNullable(hits.at(-1)) : Option.none()
  return { hits, total, nextCursor: Option.map(last, cursorBehind), cursorBehind } satisfies SearchResults
})

/** So many pages before a cursor may go without it losing its place. */
const remembered = 4

const Cursor = Schema.parseJson(Schema.extend(SearchPlace, Schema.Struct({ key: Schema.String })))
const encode = Schema.encodeSync(Cursor)
const decode = Schema.decodeEither(Cursor)

const placeIn = (cursor: string, key: string): Effect.Effect<SearchPlace, InvalidCursor> =>
  Encoding.decodeBase64UrlString(cursor.trim()).pipe(
    Either.flatMap(decode),
    Either.filterOrLeft(
      (place) => place.key === key,
      () => undefined
    ),
    Either.mapLeft(() => new InvalidCursor())
  )
