import { Schema } from "effect"
import { Day, MigrateItem, provenanceSlug } from "../model/page/Catalog.ts"
import { groupedList, inManifest, pathRow } from "./CatalogItems.ts"
import { attribute } from "./Lines.ts"
import { migrateHeader, migrateSteps } from "./MigrateText.ts"
import { numbered } from "./Steps.ts"

/**
 * `<MIGRATE_RESUME>`: a human picked items in the terminal, and a manifest is staged; the agent imports them without
 * asking. Ends with `ctx_migrate(done=true)`. Source: agent-directives, "`<MIGRATE_CATALOG>` and `<MIGRATE_RESUME>`".
 *
 * - `source`, `date`: as in `MigrateCatalog`; the date is the manifest's, so that a resumed run cites one page
 * - `items`: the picked ones, shown with their absolute paths
 *
 * @example new MigrateResume({ source: "/home/dev/acme-api", date: "2026-07-05", items }).render()
 */
export class MigrateResume extends Schema.TaggedClass<MigrateResume>()("MigrateResume", {
  source: Schema.String,
  date: Day,
  items: Schema.Array(MigrateItem)
}) {
  render(): string {
    return [
      `<MIGRATE_RESUME count=${this.items.length} source=${attribute(this.source)}>`,
      "",
      migrateHeader,
      ...groupedList(this.items, pathRow, inManifest),
      "",
      ...numbered([
        ...migrateSteps(provenanceSlug("migrate", this.source, this.date)),
        "Finally call ctx_migrate(done=true) to clear the staged selection."
      ]),
      "",
      "</MIGRATE_RESUME>"
    ].join("\n")
  }
}
