import { Option, Schema } from "effect"
import { folderOf, pageTypes, type PageType } from "./PageType.ts"
import { isSlug, Slug } from "./Slug.ts"

const shape = /^(wiki\/concepts|wiki\/entities|wiki\/analyses|raw\/sessions)\/([^/]+)\.md$/

const isPagePath = (text: string): boolean => {
  const match = shape.exec(text)
  return match?.[2] !== undefined && isSlug(match[2])
}

/**
 * Where a page lives, relative to `.contexo/`, with forward slashes: one of the four page folders and `<slug>.md`.
 * Anything else is refused on push, on pull (from the server too) and in the server itself.
 */
export const PagePath = Schema.String.pipe(
  Schema.filter(
    (text) =>
      isPagePath(text) ||
      `invalid page path ${JSON.stringify(text)} (pages live at wiki/{concepts,entities,analyses}/<slug>.md or raw/sessions/<slug>.md)`
  ),
  Schema.brand("PagePath")
)
export type PagePath = typeof PagePath.Type

// Not through the schema: a state of ten thousand pages is read at every start.
const isBranded = (text: string): text is PagePath => isPagePath(text)

/** A page's path, where the text is one. */
export const parsePagePath: (text: string) => Option.Option<PagePath> = Option.liftPredicate(isBranded)

/** The path of a type and slug. */
export const pagePath = (type: PageType, slug: Slug): PagePath => PagePath.make(`${folderOf[type]}/${slug}.md`)

/** The slug that a path names. */
export const slugOf = (path: PagePath): Slug => Slug.make(path.slice(path.lastIndexOf("/") + 1, -".md".length))

/** The type whose folder a path lies in. */
export const typeOf = (path: PagePath): PageType => {
  const folder = path.slice(0, path.lastIndexOf("/"))
  return pageTypes.find((type) => folderOf[type] === folder) ?? "source"
}

/** What two paths must share to be the same page (case-folded). */
export const identityOf = (path: PagePath): string => path.toLowerCase()
