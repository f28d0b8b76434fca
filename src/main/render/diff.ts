import type { PagePath } from "../../model/PagePath.ts"
import { forAgentDiff, type SectionDiff } from "../../model/SectionDiff.ts"
import { byteLength } from "../../model/Text.ts"

/** Room for the diff within the answer budget of rule 10. */
const budget = 76_000

/** A section without its texts: what fits when the whole does not. */
const heads = (diff: SectionDiff) => ({
  ...diff,
  sections: (diff.sections ?? []).map(({ heading, old_heading, status }) => ({
    heading,
    ...(old_heading === undefined ? {} : { old_heading }),
    status
  })),
  ...(diff.preamble === undefined ? {} : { preamble: { heading: diff.preamble.heading, status: diff.preamble.status } })
})

/** The answer of `ctx_diff`: a header line and the section diff as JSON. Source: reference.md 2.6. */
export const diffAnswer = (path: PagePath, diff: SectionDiff): string => {
  const safe = forAgentDiff(diff)
  const header = `Diff for ${path} (${safe.from_sha.slice(0, 7)}..${safe.to_sha.slice(0, 7)}):`
  const whole = JSON.stringify(safe, null, 2)
  if (byteLength(whole) <= budget) return `${header}\n\n${whole}`
  const short = JSON.stringify(heads(safe), null, 2)
  return `${header}\n\n${short}\n\n[The texts were left off to fit; read the page with ctx_read_page, or narrow with from and to.]`
}
