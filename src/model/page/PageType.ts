import { Schema } from "effect"

/** The four kinds of page, in the order in which indexes list them and slugs are looked up. */
export const pageTypes = ["concept", "entity", "analysis", "source"] as const

/** What a page is about: a decision or subsystem, a named thing, a finding, or a session's reasoning trail. */
export const PageType = Schema.Literal(...pageTypes)
export type PageType = typeof PageType.Type

/** The folder of each type, relative to `.contexo/`. */
export const folderOf: Record<PageType, string> = {
  concept: "wiki/concepts",
  entity: "wiki/entities",
  analysis: "wiki/analyses",
  source: "raw/sessions"
}
