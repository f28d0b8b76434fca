import { Schema } from "effect"
import { Day, MigrateItem, MoreItems, provenanceSlug } from "../model/page/Catalog.ts"
import { countOf, groupedList, summaryRow } from "./CatalogItems.ts"
import { attribute } from "./Lines.ts"
import { migrateHeader, migrateSteps } from "./MigrateText.ts"
import { numbered } from "./Steps.ts"

/**
 * `<MIGRATE_CATALOG>`: what could be imported, for the user to choose from. Nothing is staged, so there is no done step;
 * it ends when the imports are written and pushed. Source: agent-directives, "`<MIGRATE_CATALOG>`".
 *
 * - `source`: the folder or git URL that was searched
 * - `date`: today, in the provenance page's slug
 * - `items`: in the order of their numbers
 * - `more`: how many of a group were found and are not in `items`; `count` includes them
 *
 * @example new MigrateCatalog({ source: "/home/dev/acme-api", date: "2026-07-05", items }).render()
 */
export class MigrateCatalog extends Schema.TaggedClass<MigrateCatalog>()("MigrateCatalog", {
  source: Schema.String,
  date: Day,
  items: Schema.Array(MigrateItem),
  more: Schema.optionalWith(Schema.Array(MoreItems), { exact: true })
}) {
  render(): string {
    const more = this.more ?? []
    return [
      `<MIGRATE_CATALOG count=${this.items.length + countOf(more)} source=${attribute(this.source)}>`,
      "",
      migrateHeader,
      ...groupedList(this.items, summaryRow, "call ctx_migrate with the path of a subfolder to list them", more),
      "",
      ...numbered([
        "Show the list above to the user and ask which to import (accept numbers, ranges like 5-7, or 'all').",
        ...migrateSteps(provenanceSlug("migrate", this.source, this.date))
      ]),
      "",
      "</MIGRATE_CATALOG>"
    ].join("\n")
  }
}
