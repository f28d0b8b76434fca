import { Option } from "effect"
import type { DeletedPage } from "../../effects/page/deletePage.ts"
import type { Followed } from "../../effects/sync/followServer.ts"
import type { Purged } from "../../effects/history/purge.ts"
import type { RenamedPage } from "../../effects/page/renamePage.ts"
import type { Reverted } from "../../effects/history/revert.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { short, short8, type Sha } from "../../model/page/Sha.ts"

/** The answers of what acts on the server at once, as the MCP tools and the CLI both say them. */

/** `; HEAD=<8>`, where an answer named it. */
const at = (head: Option.Option<Sha>): string =>
  Option.match(head, { onNone: () => "", onSome: (sha) => `; HEAD=${short8(sha)}` })

const headJson = (head: Option.Option<Sha>): string => Option.getOrElse(head, () => "")

export const deletedText = ({ head, kept, path }: DeletedPage): string =>
  [
    `Deleted ${path} on the server${at(head)}`,
    ...(kept ? [`kept: ${path} (it was edited here meanwhile; a push hands over the decision)`] : [])
  ].join("\n")

export const deletedJson = ({ head, kept, path }: DeletedPage) => ({
  outcome: "deleted",
  path,
  head: headJson(head),
  kept
})

export const renamedText = ({ drafts, from, head, kept, to, unseen, updated }: RenamedPage): string =>
  [
    `Renamed ${from} to ${to}${at(head)}`,
    ...updated.map((path) => `updated: ${path}`),
    ...drafts.map((path) => `updated here: ${path} (it was never pushed)`),
    ...kept.map((path) => `kept: ${path} (it was changed here meanwhile; the next pull merges it)`),
    ...(unseen > 0
      ? [
          `${unseen} page(s) are newer on the server and were not looked through: pull, then 'ctx doctor' names links that lead nowhere`
        ]
      : [])
  ].join("\n")

export const renamedJson = ({ drafts, from, head, kept, to, unseen, updated }: RenamedPage) => ({
  outcome: "renamed",
  from,
  to,
  head: headJson(head),
  updated,
  drafts,
  kept,
  unseen
})

export const revertedText = (reverted: Reverted): string => {
  const { already, head, path, to } = reverted
  return [
    already
      ? `${path} is as it was at ${short(to)} already; nothing was committed`
      : `Reverted ${path} to ${short(to)}${at(head)}`,
    ...followedLines(path, reverted)
  ].join("\n")
}

export const revertedJson = ({ already, head, kept, local, path, to }: Reverted) => ({
  outcome: already ? "unchanged" : "reverted",
  path,
  to,
  head: headJson(head),
  local,
  kept
})

export const purgedText = (purged: Purged): string =>
  [
    `Purged ${purged.path}: the content of ${purged.purged} version(s) is gone from the server${at(purged.head)}`,
    ...followedLines(purged.path, purged),
    ...purged.stillIn.map((path) => `still in: ${forAgentLine(path)} (it says the same, word for word: purge it too)`),
    ...purged.formerly.map(
      (path) =>
        `still under an older name: ${forAgentLine(path)} (purge it too, with --keep-current where it is another page now)`
    ),
    "Whoever pulled the page still has it: replace what leaked all the same."
  ].join("\n")

export const purgedJson = ({ formerly, head, kept, local, path, purged, stillIn }: Purged) => ({
  outcome: "purged",
  path,
  purged,
  still_in: stillIn,
  formerly,
  head: headJson(head),
  local,
  kept
})

/** What became of the copy here. */
const followedLines = (path: string, { kept, local }: Followed): ReadonlyArray<string> => [
  ...(local === "merged" ? [`merged: ${path} (with what was edited here)`] : []),
  ...(local === "removed" ? [`deleted: ${path}`] : []),
  ...kept.map((one) => `kept: ${forAgentLine(one.path)} (${forAgentLine(one.reason)})`)
]
