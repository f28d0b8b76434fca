import type { SectionChange, SectionDiff } from "./SectionDiff.ts"

/**
 * A diff without the texts of its sections, or with each change once: the line diff of what was modified, the text of what
 * came or went.
 */
export const compactDiff = (diff: SectionDiff, lines: boolean): SectionDiff => {
  const compact = ({ from, line_diff, to, ...rest }: SectionChange): SectionChange => {
    if (!lines) return rest
    if (line_diff !== undefined) return { ...rest, line_diff }
    if (rest.status === "added" && to !== undefined) return { ...rest, to }
    return rest.status === "removed" && from !== undefined ? { ...rest, from } : rest
  }
  return {
    ...diff,
    sections: diff.sections?.map(compact) ?? null,
    ...(diff.preamble === undefined ? {} : { preamble: compact(diff.preamble) })
  }
}
