import { compactDiff } from "../../model/merge/CompactDiff.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import { forAgentDiff, type SectionDiff } from "../../model/merge/SectionDiff.ts"
import { byteLength } from "../../model/text/Text.ts"

/** Room for the diff, as text and as data, within the answer budget of rule 10. */
const budget = 76_000

/** A diff as an agent reads it and as a program does. */
export interface DiffAnswer {
  readonly text: string
  readonly data: SectionDiff & { readonly path: string; readonly left_off?: string }
}

/**
 * The answer of `ctx_diff`: a header line and the section diff as JSON, with the changed lines where they were asked for
 * and fit. Source: reference.md 2.6.
 */
export const diffAnswer = (path: PagePath, diff: SectionDiff, lines: boolean): DiffAnswer => {
  const safe = forAgentDiff(diff)
  const header = `Diff for ${path} (${safe.from_sha.slice(0, 7)}..${safe.to_sha.slice(0, 7)}):`
  const answer = (shown: SectionDiff, leftOff?: string): DiffAnswer => ({
    text: [header, JSON.stringify(shown, null, 2), ...(leftOff === undefined ? [] : [`[${leftOff}]`])].join("\n\n"),
    data: { path, ...shown, ...(leftOff === undefined ? {} : { left_off: leftOff }) }
  })
  const fits = ({ data, text }: DiffAnswer) => byteLength(text) + byteLength(JSON.stringify(data)) <= budget

  const whole = answer(compactDiff(safe, lines))
  if (fits(whole)) return whole
  const compact = compactDiff(safe, false)
  const short = answer(
    compact,
    "The lines were left off to fit; read the page with ctx_read_page, or narrow with from and to."
  )
  if (fits(short)) return short
  const { frontmatter: _, ...rest } = compact
  const sections = (rest.sections ?? []).filter(({ status }) => status !== "unchanged")
  const fitting = takeWhileFits(sections, (budget - 2_000) / 2)
  return answer(
    { ...rest, sections: fitting, frontmatter: {} },
    `${sections.length - fitting.length} changed section(s), the frontmatter and unchanged sections were left off to fit.`
  )
}

/** As many items as their JSON fits in so many bytes. */
export const takeWhileFits = <A>(items: ReadonlyArray<A>, bytes: number): ReadonlyArray<A> => {
  let left = bytes
  const end = items.findIndex((item) => (left -= byteLength(JSON.stringify(item, null, 2)) + 120) < 0)
  return end === -1 ? items : items.slice(0, end)
}
