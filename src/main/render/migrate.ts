import { Option } from "effect"
import type { Discovery } from "../../effects/migrate/discover.ts"
import type { MigrateDone, NothingFound } from "../../effects/migrate/migrate.ts"
import { catalogGroups, type MigrateItem } from "../../model/page/Catalog.ts"
import type { Manifest } from "../../model/sync/Manifest.ts"
import { shownSource } from "../../services/migrate/Source.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"

/** The groups that hold something, in their order, with how many were left off each. */
export const groupsOf = ({ items, more }: Pick<Discovery, "items" | "more">) =>
  catalogGroups
    .map((name) => ({
      name,
      items: items.filter(({ group }) => group === name),
      more: more.find(({ group }) => group === name)?.count ?? 0
    }))
    .filter((group) => group.items.length > 0)

/** How many were found, those that are not listed included. */
const foundIn = ({ items, more }: Pick<Discovery, "items" | "more">): number =>
  items.length + more.reduce((sum, { count }) => sum + count, 0)

/** `ctx migrate --list --json`. Source: design.md section 11. */
export const discoveryJson = (found: Discovery) => ({
  source: found.source.root,
  ...Option.match(found.source.url, { onNone: () => ({}), onSome: (url) => ({ url }) }),
  count: foundIn(found),
  groups: groupsOf(found).map(({ items, more, name }) => ({
    name,
    items: items.map(({ n, path, summary, tokens, type }) => ({ n, type, path, tokens, summary })),
    more
  })),
  skipped: found.skipped
})

/** What can be picked, for a person. */
export const discoveryText = (found: Discovery): string =>
  [
    `${foundIn(found)} knowledge item(s) in ${forAgentLine(shownSource(found.source))}`,
    ...groupsOf(found).map(({ items, more, name }) =>
      [
        `${name}:`,
        ...items.map(itemText),
        ...(more === 0 ? [] : [`  +${more} more (ctx migrate SUBFOLDER lists them)`])
      ].join("\n")
    ),
    ...skippedText(found.skipped)
  ].join("\n\n")

const itemText = ({
  n,
  path,
  summary,
  tokens,
  type
}: Pick<MigrateItem, "n" | "path" | "summary" | "tokens" | "type">) =>
  [
    `  [${n}] ${type.padEnd(8)} ${forAgentLine(path)}  ~${tokens}t`,
    ...(summary === "" ? [] : [`      ${forAgentLine(summary)}`])
  ].join("\n")

/** Why how many were left out, the most frequent reason first. */
export const skippedText = (skipped: Discovery["skipped"]): ReadonlyArray<string> => {
  if (skipped.length === 0) return []
  const counts = new Map<string, number>()
  for (const { reason } of skipped) {
    const kind = reason.replace(/ \(.*\)$/, "")
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const reasons = [...counts].toSorted((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
  return [`Left out: ${reasons.map(([reason, count]) => `${count} (${reason})`).join(", ")}. --list --json names each.`]
}

/** Nothing to import, and why that may be. */
export const nothingFoundText = ({ skipped, source }: NothingFound): string =>
  `No knowledge files found in ${forAgentLine(source)}: no README, docs, decisions, specs or agents' files there${
    skipped === 0 ? "" : ` that can be imported (${skipped} left out; 'ctx migrate --list --json' says why)`
  }.`

export const stagedJson = ({ clones: _clones, created, items, source }: Manifest) => ({
  outcome: "staged",
  source,
  created,
  count: items.length,
  items
})

/** What is staged, and how it goes on. */
export const stagedText = (manifest: Manifest): string =>
  [
    `Staged ${manifest.items.length} item(s) of ${forAgentLine(manifest.source)}:`,
    ...manifest.items.map(({ n, path, type }) => `  [${n}] ${type.padEnd(8)} ${forAgentLine(path)}`),
    "Now ask your agent to import them: it calls ctx_migrate, and says when it is done.",
    "'ctx migrate --done' drops the selection."
  ].join("\n")

export const doneText = ({ clones, items }: MigrateDone): string =>
  [
    Option.match(items, {
      onNone: () => "Nothing to finish: no migrate selection is staged.",
      onSome: (count) => `Done: the staged selection of ${count} item(s) is cleared.`
    }),
    ...(clones === 0 ? [] : [`${clones} clone(s) deleted.`])
  ].join(" ")

export const doneJson = ({ clones, items }: MigrateDone) => ({
  outcome: Option.isSome(items) ? "done" : "nothing",
  items: Option.getOrElse(items, () => 0),
  clones
})
