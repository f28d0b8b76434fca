import { catalogGroups, type CatalogItem, type MigrateItem, type MoreItems } from "../model/page/Catalog.ts"
import { forAgentLine } from "../model/text/Sanitise.ts"
import { fit, label } from "./Lines.ts"

/** Bytes for the list of items; instructions and frame take about 2 KB more. */
const itemsBytes = 70_000

const head = (item: CatalogItem): string => `  [${item.n}] ${item.type.padEnd(8)} ${forAgentLine(item.path)}`

/** An item to choose: what reading it costs, and a line on what it says. */
export const summaryRow = (item: CatalogItem): string =>
  `${head(item)}  ~${item.tokens}t\n      ${label(item.summary) || "(no summary)"}`

/** An item that was chosen: where it is. */
export const pathRow = (item: CatalogItem): string => `${head(item)}\n      (${forAgentLine(item.absPath)})`

/** Where to find what a manifest holds and the list does not. */
export const inManifest = "listed in .contexo/migrate.json"

const moreLine = (count: number, where: string): ReadonlyArray<string> =>
  count === 0 ? [] : [`  +${count} more (${where})`]

/** Items one after the other, as generate lists them. */
export const itemList = (
  items: ReadonlyArray<CatalogItem>,
  row: (item: CatalogItem) => string
): ReadonlyArray<string> => {
  const { left, shown } = fit(items.map(row), itemsBytes)
  return [...shown, ...moreLine(left, inManifest)]
}

/**
 * Items under the names of their groups, a blank line before each group, as migrate lists them. What was found and not
 * listed (`more`), or does not fit the answer, is counted at the end of its group, with `where` to find it.
 */
export const groupedList = (
  items: ReadonlyArray<MigrateItem>,
  row: (item: CatalogItem) => string,
  where: string,
  more: ReadonlyArray<MoreItems> = []
): ReadonlyArray<string> => {
  const sorted = catalogGroups.flatMap((group) => items.filter((item) => item.group === group))
  const shown = new Set(sorted.slice(0, fit(sorted.map(row), itemsBytes).shown.length))
  const lines: Array<string> = []
  for (const group of catalogGroups) {
    const all = items.filter((item) => item.group === group)
    const listed = all.filter((item) => shown.has(item))
    const left = all.length - listed.length + countOf(more.filter((entry) => entry.group === group))
    if (all.length + left > 0) lines.push("", `${group}:`, ...listed.map(row), ...moreLine(left, where))
  }
  return lines
}

/** How many were left off in all. */
export const countOf = (more: ReadonlyArray<MoreItems>): number => more.reduce((sum, entry) => sum + entry.count, 0)
