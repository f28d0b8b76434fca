import { compactDiff } from "../../model/CompactDiff.ts"
import type { PagePath } from "../../model/PagePath.ts"
import { forAgentDiff, type SectionDiff } from "../../model/SectionDiff.ts"
import { byteLength } from "../../model/Text.ts"

/** Room for the diff within the answer budget of rule 10. */
const budget = 76_000

/**
 * The answer of `ctx_diff`: a header line and the section diff as JSON, with the changed lines where they were asked for
 * and fit. Source: reference.md 2.6.
 */
export const diffAnswer = (path: PagePath, diff: SectionDiff, lines: boolean): string => {
  const safe = forAgentDiff(diff)
  const header = `Diff for ${path} (${safe.from_sha.slice(0, 7)}..${safe.to_sha.slice(0, 7)}):`
  const whole = JSON.stringify(compactDiff(safe, lines), null, 2)
  if (byteLength(whole) <= budget) return `${header}\n\n${whole}`
  const compact = compactDiff(safe, false)
  const short = JSON.stringify(compact, null, 2)
  if (byteLength(short) <= budget) {
    return `${header}\n\n${short}\n\n[The lines were left off to fit; read the page with ctx_read_page, or narrow with from and to.]`
  }
  const { frontmatter: _, ...rest } = compact
  const sections = (rest.sections ?? []).filter(({ status }) => status !== "unchanged")
  const fitting = takeWhileFits(sections, budget - 2_000)
  const head = JSON.stringify({ ...rest, sections: fitting, frontmatter: {} }, null, 1)
  return `${header}\n\n${head}\n\n[${sections.length - fitting.length} changed section(s), the frontmatter and unchanged sections were left off to fit.]`
}

/** As many items as their JSON fits in so many bytes. */
export const takeWhileFits = <A>(items: ReadonlyArray<A>, bytes: number): ReadonlyArray<A> => {
  let left = bytes
  const end = items.findIndex((item) => (left -= byteLength(JSON.stringify(item, null, 1)) + 80) < 0)
  return end === -1 ? items : items.slice(0, end)
}
