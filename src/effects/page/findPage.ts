import { Effect, Option, Schema } from "effect"
import { pageTypes, type PageType } from "../../model/page/PageType.ts"
import { type PagePath, pagePath } from "../../model/page/PagePath.ts"
import { invalidSlug, isSlug, Slug } from "../../model/page/Slug.ts"
import { PageStore } from "../../services/page/PageStore.ts"
import { SyncClient } from "../../services/sync/SyncClient.ts"
import { SyncState } from "../../services/sync/SyncState.ts"
import { isMissing } from "../sync/serverEdits.ts"

/** A name that cannot be a slug. */
export class InvalidSlug extends Schema.TaggedError<InvalidSlug>()("InvalidSlug", { slug: Schema.String }) {
  override get message() {
    return this.slug === "" ? "slug is required" : invalidSlug(this.slug)
  }
}

/** No page of that name here. */
export class PageNotFound extends Schema.TaggedError<PageNotFound>()("PageNotFound", { slug: Schema.String }) {
  override get message() {
    return `slug ${JSON.stringify(this.slug)} not found under .contexo/ (looked in wiki/{concepts,entities,analyses}/ and raw/sessions/)`
  }
}

/** Pages of several types share the slug. */
export class AmbiguousSlug extends Schema.TaggedError<AmbiguousSlug>()("AmbiguousSlug", {
  slug: Schema.String,
  paths: Schema.Array(Schema.String)
}) {
  override get message() {
    return `slug ${JSON.stringify(this.slug)} is ambiguous (matches [${this.paths.join(", ")}]); pass type to disambiguate`
  }
}

/** A slug, checked. Everything that comes from an argument or a URI passes here before it is part of a path. */
export const checkSlug = (text: string): Effect.Effect<Slug, InvalidSlug> =>
  isSlug(text) ? Effect.succeed(Slug.make(text)) : new InvalidSlug({ slug: text })

/** Which page a slug means, among those on disk; `types` narrows. Source: reference.md section 2. */
export const findPages = Effect.fn("findPages")(function* (slug: string, types: ReadonlyArray<PageType>) {
  const store = yield* PageStore
  const name = yield* checkSlug(slug)
  const found = yield* Effect.forEach(types, (type) => store.find(pagePath(type, name)))
  return found.flatMap(Option.toArray)
})

/** The one page that a slug means. */
export const findPage = Effect.fn("findPage")(function* (slug: string, type?: PageType | undefined) {
  const found = yield* findPages(slug, type === undefined ? pageTypes : [type])
  const [only, second] = found
  if (only === undefined) return yield* new PageNotFound({ slug })
  if (second !== undefined) return yield* new AmbiguousSlug({ slug, paths: found })
  return only
})

/**
 * The page that a slug means to the server: one on disk, else one whose file is gone and that this project pushed or pulled,
 * else one that is not here at all: of its type, or where none is given, the only one of that name in the server's history.
 * So a page that was deleted is found by its name.
 *
 * Errors: `PageNotFound`, `AmbiguousSlug`, `InvalidSlug`; `SyncFailure` where the server had to be asked, and could not.
 */
export const findServerPage = Effect.fn("findServerPage")(function* (slug: string, type?: PageType | undefined) {
  const types = type === undefined ? pageTypes : [type]
  const here = yield* findPages(slug, types)
  const name = yield* checkSlug(slug)
  const { recorded } = yield* (yield* SyncState).recorded
  const paths = types.map((one) => pagePath(one, name))
  const known = here.length > 0 ? here : paths.filter((path) => recorded.has(path))
  const found = known.length > 0 || type !== undefined ? known : yield* inHistory(paths)
  const [only, second] = found
  if (second !== undefined) return yield* new AmbiguousSlug({ slug, paths: found })
  if (only !== undefined) return only
  return type === undefined ? yield* new PageNotFound({ slug }) : pagePath(type, name)
})

/** Which of these pages the server has, or ever had. */
const inHistory = Effect.fnUntraced(function* (paths: ReadonlyArray<PagePath>) {
  const client = yield* SyncClient
  const isThere = (path: PagePath) =>
    client.history(path, { limit: 1 }).pipe(
      Effect.map(({ commits }) => commits.length > 0),
      Effect.catchTag("NotConfigured", () => Effect.succeed(false)),
      // No such page, no such repository, or a server without histories.
      Effect.catchIf(isMissing, () => Effect.succeed(false))
    )
  return yield* Effect.filter(paths, isThere, { concurrency: 4 })
})
