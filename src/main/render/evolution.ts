import { compactDiff } from "../../model/merge/CompactDiff.ts"
import { changeLines, forAgentDiff, type SectionChange, type SectionDiff } from "../../model/merge/SectionDiff.ts"
import { diffBlocks, statusLine } from "./diffText.ts"
import { commitJson, day, saying } from "./history.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import type { EvolutionEntry, HistoryCommit } from "../../services/sync/SyncApi.ts"
import type { PageEvolution } from "../../services/sync/SyncClient.ts"
import { plainStyle, type Style } from "./style.ts"

export interface EvolutionTextOptions {
  /** The whole diff below each commit, instead of a summary. */
  readonly showDiff: boolean
  readonly style: Style
}

/** One line a commit, and below it what it changed. Source: reference.md section 7. */
export const evolutionText = (
  path: string,
  { entries }: Pick<PageEvolution, "entries">,
  options: EvolutionTextOptions
): string =>
  entries.length === 0
    ? `No evolution found for ${path}`
    : entries.map((entry) => [head(entry.commit), ...below(entry.diff, options)].join("\n")).join("\n")

const head = (commit: HistoryCommit): string =>
  `${commit.sha.slice(0, 8)}  ${day(commit.time)}  ${forAgentLine(commit.author)} — ${saying(commit)}`

const below = (diff: SectionDiff, { showDiff, style }: EvolutionTextOptions): ReadonlyArray<string> => {
  const safe = forAgentDiff(diff)
  const lines = showDiff
    ? [...diffBlocks(safe, { bodies: true, style }).flatMap((block) => ["", ...block.split("\n")]), ""]
    : summary(safe)
  return lines.map((line) => (line === "" ? "" : `    ${line}`))
}

/** The changed fields, and one line for each part that changed. */
const summary = (diff: SectionDiff): ReadonlyArray<string> => {
  if (diff.parse_fallback === true)
    return diffBlocks(diff, { bodies: false, style: plainStyle }).flatMap((block) => block.split("\n"))
  const changed = (diff.sections ?? []).filter(isChange).map(blamed)
  const lines = [...changeLines({ ...diff, sections: [] }), ...changed]
  return lines.length === 0 ? ["(no section changed)"] : lines
}

const isChange = ({ moved, status }: SectionChange): boolean => status !== "unchanged" || moved === true

const blamed = (change: SectionChange): string => {
  const { introduced_by: origin, status } = change
  return origin === undefined || status === "removed"
    ? statusLine(change)
    : `${statusLine(change)} — introduced by ${origin.author} at ${origin.sha.slice(0, 7)}`
}

/** `ctx evolution --json`: the server's own shape, every text made safe. */
export const evolutionJson = (path: string, { entries, nextCursor }: Omit<PageEvolution, "path">) => ({
  path,
  entries: entries.map(({ commit, diff }) => ({ commit: commitJson(commit), diff: forAgentDiff(diff) })),
  ...(nextCursor._tag === "Some" ? { next_cursor: forAgentLine(nextCursor.value) } : {})
})

/** An entry for an agent: sections that did not change are left out, but where they say who introduced them. */
export const entryForAgent = ({ commit, diff }: EvolutionEntry, lines: boolean) => {
  const safe = compactDiff(forAgentDiff(diff), lines)
  const sections = safe.sections?.filter((one) => isChange(one) || one.introduced_by !== undefined) ?? null
  return { commit: commitJson(commit), diff: { ...safe, sections } }
}
