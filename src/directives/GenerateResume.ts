import { Schema } from "effect"
import { pathRow } from "./CatalogItems.ts"
import { generateBlock, generateFields } from "./GenerateText.ts"

/**
 * `<GENERATE_RESUME>`: a generate manifest is staged already. GENERATE_CATALOG without the step that asks the user, its
 * items with absolute paths. Ends with `ctx_generate(done=true)`.
 * Source: agent-directives, "`<GENERATE_CATALOG>` and `<GENERATE_RESUME>`".
 *
 * Fields: as in `GenerateCatalog`; the date is the manifest's, so that a resumed run cites one page.
 *
 * @example new GenerateResume({ source, date: "2026-07-05", items, slicesFolder, engine: "graphify" }).render()
 */
export class GenerateResume extends Schema.TaggedClass<GenerateResume>()("GenerateResume", generateFields) {
  render(): string {
    return generateBlock("GENERATE_RESUME", this, pathRow, [])
  }
}
