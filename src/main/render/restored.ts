import type { Followed } from "../../effects/followServer.ts"
import type { Purged } from "../../effects/purge.ts"
import type { Reverted } from "../../effects/revert.ts"
import { forAgentLine } from "../../model/Sanitise.ts"
import { short } from "../../model/Sha.ts"
import { at, headJson } from "./serverEdits.ts"

/** The answers of a revert and a purge, as the MCP tool and the CLI both say them. */

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
    "Whoever pulled the page still has it: replace what leaked all the same."
  ].join("\n")

export const purgedJson = ({ head, kept, local, path, purged }: Purged) => ({
  outcome: "purged",
  path,
  purged,
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
