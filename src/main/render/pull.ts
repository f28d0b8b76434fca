import { Option } from "effect"
import type { KeptPage, PullOutcome } from "../../effects/sync/pull.ts"
import { short8 } from "../../model/page/Sha.ts"

/** The answer of a pull, one line a page after the specified first line. Source: reference.md 2.3; design.md section 11. */
export const pullText = (outcome: PullOutcome): string =>
  outcome._tag === "UpToDate"
    ? ["Already up to date", ...outcome.kept.map(keptLine)].join("\n")
    : [
        `Pulled ${outcome.pulled.length + outcome.merged.length} page(s); HEAD=${short8(outcome.head)}`,
        ...outcome.merged.map((path) => `merged: ${path}`),
        ...outcome.deleted.map((path) => `deleted: ${path}`),
        ...outcome.kept.map(keptLine)
      ].join("\n")

const keptLine = ({ path, reason }: KeptPage) => `kept: ${path} (${reason})`

/** `ctx pull --json` (design.md section 11). */
export const pullJson = (outcome: PullOutcome) =>
  outcome._tag === "UpToDate"
    ? {
        outcome: "up_to_date",
        head: Option.getOrElse(outcome.head, () => ""),
        pulled: [],
        merged: [],
        kept: outcome.kept,
        deleted: []
      }
    : {
        outcome: "pulled",
        head: outcome.head,
        pulled: outcome.pulled,
        merged: outcome.merged,
        kept: outcome.kept,
        deleted: outcome.deleted
      }
