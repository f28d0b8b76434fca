import type { Exported } from "../../effects/page/exportPages.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"

/** What an export came to, and a line for whatever is not as one would think. */
export const exportText = (place: string, { kept, left, leftOut, unchanged, written }: Exported): string =>
  [
    written.length + unchanged.length + kept.length === 0
      ? "Nothing to export (no pages match filters)"
      : `Exported ${written.length} page(s) to ${place}${unchanged.length === 0 ? "" : `; ${unchanged.length} unchanged`}`,
    ...kept.map(({ path, reason }) => `kept: ${forAgentLine(path)} (${forAgentLine(reason)})`),
    ...left.map((path) => `left: ${forAgentLine(path)} (exported before; there is no such page any more)`),
    ...leftOutLines(leftOut)
  ].join("\n")

export const leftOutLines = (leftOut: Exported["leftOut"]): ReadonlyArray<string> =>
  leftOut.map(({ path, reason }) => `left out: ${forAgentLine(path)} (${forAgentLine(reason)})`)

/** `ctx export --json`. */
export const exportJson = (format: string, out: string, exported: Exported) => ({
  format,
  out,
  written: exported.written,
  unchanged: exported.unchanged,
  kept: exported.kept,
  left: exported.left,
  left_out: exported.leftOut
})
