import { Context, type Effect, Schema } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import type { PageType } from "../../model/page/PageType.ts"
import type { StoreFailure } from "../page/PageStore.ts"

/** What is looked for. Any text is a query: nothing in it is grammar. */
export interface SearchQuery {
  /** Without a word in it, every page of the filters is found. */
  readonly text: string
  readonly type?: PageType | undefined
  /** Exactly so. */
  readonly tag?: string | undefined
  /** At most so many pages, 1 and up. */
  readonly limit: number
  /** Where to go on: behind this page. */
  readonly after?: SearchPlace | undefined
}

/**
 * A place in a list of results that holds where pages change: behind the first of these that is still found, the last shown
 * being the first; where none is, where its score would be.
 */
export const SearchPlace = Schema.Struct({ paths: Schema.Array(Schema.String), score: Schema.Number })
export type SearchPlace = typeof SearchPlace.Type

/** A page that was found. Every text is one line, made safe for an agent. */
export interface SearchHit {
  readonly path: PagePath
  readonly type: PageType
  readonly slug: string
  readonly tags: ReadonlyArray<string>
  readonly author: string
  readonly summary: string
  /** The heading over the excerpt, such as `## Decision`; empty where there is none. */
  readonly heading: string
  readonly excerpt: string
  /** Higher is better; it means nothing across queries. */
  readonly score: number
  /** Why the file is not served as a page; empty where it is. */
  readonly problem: string
}

export interface SearchFound {
  /** Best first. */
  readonly hits: ReadonlyArray<SearchHit>
  /** Of the whole list, not of this part. */
  readonly total: number
  /** Whether more follow behind the last hit. */
  readonly more: boolean
}

/** Ranked search over the pages as they are on disk at the moment of the call. */
export class PageSearch extends Context.Tag("ctx-mcp/PageSearch")<
  PageSearch,
  { readonly find: (query: SearchQuery) => Effect.Effect<SearchFound, StoreFailure> }
>() {}
