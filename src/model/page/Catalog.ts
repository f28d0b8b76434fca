import { Schema } from "effect"
import { PageType } from "./PageType.ts"
import { Slug } from "./Slug.ts"

/** The groups of a migrate catalogue, in the order in which they are listed. */
export const catalogGroups = [
  "docs",
  "agentfiles",
  "decisions",
  "specs",
  "skills",
  "memory",
  "history",
  "vault"
] as const

export const CatalogGroup = Schema.Literal(...catalogGroups)
export type CatalogGroup = typeof CatalogGroup.Type

/** Something that could become a page: a slice of the code graph, or (with its group) a document found by migrate. */
export const CatalogItem = Schema.Struct({
  /** The number to select it by; counted over all groups, from 1. */
  n: Schema.Int.pipe(Schema.positive()),
  /** The best guess; the agent decides. */
  type: PageType,
  /** As shown: relative to the source (migrate) or to the generate cache. */
  path: Schema.String,
  absPath: Schema.String,
  /** Estimate of what reading it costs: bytes / 4, rounded up. */
  tokens: Schema.NonNegativeInt,
  /** One line; empty where nothing in it reads as one. */
  summary: Schema.String
})
export type CatalogItem = typeof CatalogItem.Type

/** An item of migrate, which lists by group. */
export const MigrateItem = Schema.Struct({ ...CatalogItem.fields, group: CatalogGroup })
export type MigrateItem = typeof MigrateItem.Type

/** How many items of a group were found and left off the list. */
export const MoreItems = Schema.Struct({ group: CatalogGroup, count: Schema.Int.pipe(Schema.positive()) })
export type MoreItems = typeof MoreItems.Type

/** A day, as pages' slugs begin with: `YYYY-MM-DD`. */
export const Day = Schema.String.pipe(Schema.pattern(/^\d{4}-\d{2}-\d{2}$/))

/**
 * The page that records where imported pages came from: `<date>-<kind>-<name of the source>`.
 *
 * `source` is a folder (with `/` or `\`) or a git URL; its last part is written in the slug alphabet, and `.git` dropped.
 *
 * @example provenanceSlug("migrate", "/home/dev/projects/acme-api", "2026-07-05") // "2026-07-05-migrate-acme-api"
 */
export const provenanceSlug = (kind: "migrate" | "generate", source: string, date: string): Slug =>
  Slug.make(`${date}-${kind}-${sourceName(source)}`)

/** What a source is called: the last part of its folder or URL, in the slug alphabet. */
export const sourceName = (source: string): string => {
  const last =
    source
      .replace(/[/\\:]+$/, "")
      .split(/[/\\:]/)
      .at(-1) ?? ""
  const name = last
    .replace(/\.git$/i, "")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .slice(0, 120)
    .replace(/^[-.]+|[-.]+$/g, "")
  return name === "" ? "project" : name
}
