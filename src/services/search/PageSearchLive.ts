import type { FileSystem, Path } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { sha256 } from "../../model/text/Hash.ts"
import { type PagePath, parsePagePath, slugOf, typeOf } from "../../model/page/PagePath.ts"
import { forAgentLine, removeUnsafe } from "../../model/text/Sanitise.ts"
import { excerptOf } from "../../model/search/Excerpt.ts"
import type { PageText } from "../../model/search/PageTerms.ts"
import { queryWords } from "../../model/search/Query.ts"
import { type Ranking, ranking } from "../../model/search/Rank.ts"
import { searchText } from "../../model/search/SearchText.ts"
import { compareCodePoints, truncateBytes } from "../../model/text/Text.ts"
import { PageSearch, type SearchFound, type SearchHit, type SearchPlace, type SearchQuery } from "./PageSearch.ts"
import { type Catalog, PageStore } from "../page/PageStore.ts"
import { Project } from "../project/Project.ts"
import { queryIndex, type Result, type Results } from "./queryIndex.ts"
import { inMemory, onDisk, type SearchDatabase } from "./SearchDatabase.ts"
import { follow, type Target } from "./SearchIndex.ts"
import { readBytes } from "../page/StoreFile.ts"
import { databaseFailure } from "../project/StoreFolder.ts"

/** Search over an index that follows the pages on disk. Source: reference.md 3.5. */
const make = Effect.fnUntraced(function* (database: SearchDatabase, options: Ranking = ranking) {
  const store = yield* PageStore
  const { contexo } = yield* Project
  const turn = yield* Effect.makeSemaphore(1)
  let known: { readonly catalog: Catalog; readonly target: Target } | undefined

  /** A file's text as it is now. What is no UTF-8 is read as far as it goes. */
  const read = (path: PagePath): Effect.Effect<Option.Option<{ readonly hash: string; readonly text: PageText }>> =>
    Effect.match(readBytes(contexo, path), {
      onFailure: () => Option.none(),
      onSuccess: Option.map((bytes) => ({ hash: sha256(bytes), text: searchText(path, decoder.decode(bytes)) }))
    })

  /** Files under a page's name that are not served: the catalogue does not know their bytes. */
  const unserved = (catalog: Catalog) =>
    Effect.forEach(
      [...new Set(catalog.problems.map(({ path }) => path))].flatMap((path) => Option.toArray(parsePagePath(path))),
      (path) =>
        catalog.entries.has(path)
          ? Effect.succeedNone
          : Effect.map(
              read(path),
              Option.map(({ hash }) => [path, hash] as const)
            )
    ).pipe(Effect.map((found) => found.flatMap(Option.toArray)))

  const target = Effect.fnUntraced(function* (catalog: Catalog) {
    const others = yield* unserved(catalog)
    // The same catalogue is the same pages: ten thousand of them take their time.
    if (known?.catalog === catalog && others.length === 0) return known.target
    const pages = new Map([...[...catalog.entries].map(([path, { hash }]) => [path, hash] as const), ...others])
    const digest = sha256([...pages].map(([path, hash]) => `${path}\n${hash}\n`).join(""))
    const made: Target = { pages, digest, load: (path) => Effect.map(read(path), Option.getOrUndefined) }
    known = others.length === 0 ? { catalog, target: made } : undefined
    return made
  })

  const hitOf = (catalog: Catalog, worth: ReadonlyMap<string, number>) =>
    Effect.fnUntraced(function* ({ path, score }: Result) {
      const now = yield* read(path)
      if (Option.isNone(now)) return []
      const page = catalog.entries.get(path)?.page
      const { heading, text } = excerptOf(now.value.text, worth)
      const problem = page === undefined ? catalog.problems.find((one) => one.path === path)?.reason : undefined
      const hit: SearchHit = {
        path,
        type: typeOf(path),
        slug: slugOf(path),
        tags: (page?.tags ?? [])
          .map(shortLine)
          .filter((tag) => tag !== "")
          .slice(0, mostTags),
        author: shortLine(page?.author ?? ""),
        summary: shortLine(page?.reasoningSummary ?? ""),
        heading,
        excerpt: text,
        score,
        problem: shortLine(problem ?? "")
      }
      return [hit]
    })

  /** Where a query has no words (an arrow, a flag), the pages that hold it as it stands. */
  const literally = Effect.fnUntraced(function* (catalog: Catalog, text: string, passes: Passes) {
    const needle = removeUnsafe(text).trim().toLowerCase()
    if (needle === "") return []
    const found = yield* Effect.forEach([...catalog.entries.keys()].filter(passes), (path) =>
      Effect.map(read(path), (now) =>
        Option.exists(now, ({ text: { body, summary, tags } }) =>
          [body, summary, ...tags].some((one) => one.toLowerCase().includes(needle))
        )
          ? [{ path, score: 0 }]
          : []
      )
    )
    return found.flat()
  })

  const resultsOf = Effect.fnUntraced(function* (catalog: Catalog, { text, ...filters }: SearchQuery) {
    const passes = filterOf(filters, catalog)
    if (text.trim() === "") return { results: newestFirst(catalog, passes), worth: new Map() } satisfies Results
    const words = queryWords(text)
    if (words.length === 0) {
      return { results: yield* literally(catalog, text, passes), worth: new Map() } satisfies Results
    }
    const wanted = yield* target(catalog)
    return yield* database
      .use((db) => Effect.zipRight(follow(db, wanted, options.fields), queryIndex(db, words, passes, options)))
      .pipe(Effect.mapError(databaseFailure("search")))
  })

  const find = Effect.fn("PageSearch.find")(function* (query: SearchQuery) {
    const catalog = yield* store.catalog
    const { results, worth } = yield* resultsOf(catalog, query)
    const from = query.after === undefined ? 0 : placeBehind(results, query.after)
    const shown = results.slice(from, from + query.limit)
    const hits = (yield* Effect.forEach(shown, hitOf(catalog, worth))).flat()
    return { hits, total: results.length, more: from + shown.length < results.length } satisfies SearchFound
  })
  return PageSearch.of({ find: (query) => turn.withPermits(1)(find(query)) })
})

/** With the index on disk. */
export const layer: Layer.Layer<PageSearch, never, FileSystem.FileSystem | Path.Path | Project | PageStore> =
  Layer.scoped(PageSearch, Effect.flatMap(onDisk, make))

/** With an index of this process's own. */
export const layerMemory: Layer.Layer<PageSearch, never, Project | PageStore> = layerWith(ranking)

/** The same, ranked in another way. */
export function layerWith(options: Ranking): Layer.Layer<PageSearch, never, Project | PageStore> {
  return Layer.scoped(
    PageSearch,
    Effect.flatMap(inMemory, (database) => make(database, options))
  )
}

const decoder = new TextDecoder()

/** A field of a hit, cut where it would fill an answer. */
const shortLine = (text: string): string => {
  const safe = removeUnsafe(text)
  return forAgentLine(safe.length <= longestField ? safe : `${truncateBytes(safe, longestField)}…`)
}

const longestField = 500
const mostTags = 50

type Passes = (path: PagePath) => boolean

const filterOf =
  ({ tag, type }: Omit<SearchQuery, "text">, { entries }: Catalog): Passes =>
  (path) =>
    (type === undefined || typeOf(path) === type) &&
    (tag === undefined || entries.get(path)?.page.tags.includes(tag) === true)

/** What a query without a word finds. */
const newestFirst = ({ entries }: Catalog, passes: Passes): ReadonlyArray<Result> =>
  [...entries.values()]
    .map(({ page }) => page)
    .filter(({ path }) => passes(path))
    .toSorted((one, other) => compareCodePoints(other.updated, one.updated) || compareCodePoints(one.path, other.path))
    .map(({ path }) => ({ path, score: 0 }))

/** Behind the page that was shown last; where that is no longer found, behind those that are better than it was. */
const placeBehind = (results: ReadonlyArray<Result>, { paths, score }: SearchPlace): number => {
  const shown = paths.find((path) => results.some((one) => one.path === path))
  if (shown !== undefined) return results.findIndex((one) => one.path === shown) + 1
  const next = results.findIndex((one) => one.score < score)
  return next === -1 ? results.length : next
}
