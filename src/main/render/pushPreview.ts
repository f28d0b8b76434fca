import { Option } from "effect"
import type { PreviewedPage } from "../../effects/pushPreview.ts"
import { forAgentLine } from "../../model/Sanitise.ts"

/** Names of changes that one line has room for. */
const shown = 4

/** What a push is about to do, one line a page. Source: reference.md 7.2. */
export const previewText = (repo: string, pages: ReadonlyArray<PreviewedPage>): string =>
  [`About to push ${pages.length} page(s) to ${forAgentLine(repo)}:`, ...pages.map(row)].join("\n")

const row = ({ change, changes, path }: PreviewedPage): string =>
  change === "new"
    ? `  [NEW]   ${path}`
    : `  [EDIT]  ${path}  (${Option.match(changes, { onNone: () => "the version it was edited from is not here", onSome: summary })})`

const summary = (changes: ReadonlyArray<string>): string => {
  if (changes.length === 0) return "no section changed"
  const rest = changes.length - shown
  return [...changes.slice(0, shown).map(brief), ...(rest > 0 ? [`+${rest} more`] : [])].join(", ")
}

/** `~ ## Decision` becomes `~ Decision`; frontmatter and preamble need no sign. */
const brief = (line: string): string => {
  const text = forAgentLine(line)
  if (text === "~ frontmatter changed") return "frontmatter"
  if (text === "~ preamble changed") return "preamble"
  return text.replace(/^([~+-]>?) ## /, "$1 ").replace(/ \(was .*\)$/, "")
}
