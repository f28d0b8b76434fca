import type { Imported } from "../../effects/page/importPages.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"

/** What an import came to, or would come to. */
export const importText = (
  { conflicts, created, overwritten, secrets, unchanged }: Imported,
  dryRun: boolean
): string =>
  [
    `${dryRun ? "Would import" : "Imported"} ${created.length + overwritten.length} page(s)${unchanged.length === 0 ? "" : `; ${unchanged.length} are here already`}`,
    ...overwritten.map((path) => `${dryRun ? "would overwrite" : "overwritten"}: ${path}`),
    ...conflicts.map(({ path, reason }) => `kept: ${path} (${forAgentLine(reason)})`),
    ...secrets.map(({ line, path, rule }) => `secret: ${path}:${line} (${rule}); a push will refuse it`)
  ].join("\n")

/** `ctx import --json`. */
export const importJson = ({ conflicts, created, overwritten, secrets, unchanged }: Imported, dryRun: boolean) => ({
  dry_run: dryRun,
  created,
  overwritten,
  unchanged,
  conflicts,
  secrets
})
