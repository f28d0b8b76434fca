import { Option } from "effect"
import type { DeletedPage } from "../../effects/deletePage.ts"
import type { RenamedPage } from "../../effects/renamePage.ts"
import { short8, type Sha } from "../../model/Sha.ts"

/** The answers of what acts on the server at once, as the MCP tools and the CLI both say them. */

/** `; HEAD=<8>`, where an answer named it. */
export const at = (head: Option.Option<Sha>): string =>
  Option.match(head, { onNone: () => "", onSome: (sha) => `; HEAD=${short8(sha)}` })

export const headJson = (head: Option.Option<Sha>): string => Option.getOrElse(head, () => "")

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
