import { Schema } from "effect"
import { CatalogGroup, CatalogItem, Day } from "../page/Catalog.ts"

/** Which of the two tools staged a manifest. */
export const ManifestKind = Schema.Literal("migrate", "generate")
export type ManifestKind = typeof ManifestKind.Type

const { absPath: _absPath, ...itemFields } = CatalogItem.fields

/** An item as it stands in the file: generate's have no group. */
export const ManifestItem = Schema.Struct({
  ...itemFields,
  group: Schema.optionalWith(CatalogGroup, { exact: true }),
  abs_path: Schema.String,
  /** Where the item comes from, if that is no folder of this machine. */
  origin_url: Schema.optionalWith(Schema.String, { exact: true })
})
export type ManifestItem = typeof ManifestItem.Type

/**
 * `.contexo/migrate.json`: what was picked to become pages, until somebody says that it did. A file without a kind is
 * migrate's.
 *
 * Source: reference.md section 9.
 */
export const Manifest = Schema.Struct({
  version: Schema.optionalWith(Schema.Literal(1), { default: () => 1 as const }),
  kind: Schema.optionalWith(ManifestKind, { default: () => "migrate" as const }),
  /** The folder that the items are in. */
  source: Schema.String,
  created: Day,
  items: Schema.Array(ManifestItem),
  /** Folders of the cache of clones that the items are in, by name. */
  clones: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  /** What read the code, of generate. */
  engine: Schema.optionalWith(Schema.Literal("graphify", "embedded"), { exact: true })
})
export type Manifest = typeof Manifest.Type
