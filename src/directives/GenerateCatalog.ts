import { Schema } from "effect"
import { summaryRow } from "./CatalogItems.ts"
import { generateBlock, generateFields } from "./GenerateText.ts"

/**
 * `<GENERATE_CATALOG>`: slices read off the code by a machine, for the user to choose from and the agent to verify. Ends
 * with `ctx_generate(done=true)`. Source: agent-directives, "`<GENERATE_CATALOG>` and `<GENERATE_RESUME>`".
 *
 * - `source`: the root of the code
 * - `date`: today, in the provenance page's slug
 * - `items`: report and slices, in the order of their numbers
 * - `slicesFolder`: absolute; where the slices are
 * - `engine`: what read the code; the provenance page says so
 *
 * @example new GenerateCatalog({ source, date: "2026-07-05", items, slicesFolder, engine: "embedded" }).render()
 */
export class GenerateCatalog extends Schema.TaggedClass<GenerateCatalog>()("GenerateCatalog", generateFields) {
  render(): string {
    return generateBlock("GENERATE_CATALOG", this, summaryRow, [
      "Show the list above to the user and ask which subsystems/components to import (numbers, ranges like 5-7, or 'all')."
    ])
  }
}
