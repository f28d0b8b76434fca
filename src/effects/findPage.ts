import { Effect, Option, Schema } from "effect"
import { pageTypes, type PageType } from "../model/PageType.ts"
import { pagePath } from "../model/PagePath.ts"
import { invalidSlug, isSlug, Slug } from "../model/Slug.ts"
import { PageStore } from "../services/PageStore.ts"
import { SyncState } from "../services/SyncState.ts"

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
 * else one that is not here at all, where its type is given: then there is no doubt which one is meant.
 */
export const findServerPage = Effect.fn("findServerPage")(function* (slug: string, type?: PageType | undefined) {
  const types = type === undefined ? pageTypes : [type]
  const here = yield* findPages(slug, types)
  const name = yield* checkSlug(slug)
  const { recorded } = yield* (yield* SyncState).recorded
  const found = here.length > 0 ? here : types.map((one) => pagePath(one, name)).filter((path) => recorded.has(path))
  const [only, second] = found
  if (second !== undefined) return yield* new AmbiguousSlug({ slug, paths: found })
  if (only !== undefined) return only
  return type === undefined ? yield* new PageNotFound({ slug }) : pagePath(type, name)
})
