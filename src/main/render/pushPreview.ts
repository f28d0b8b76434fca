import { Option } from "effect"
import type { PreviewedPage, PushPreview } from "../../effects/sync/pushPreview.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { changeLines, forAgentDiff, type PageDiff } from "../../model/merge/SectionDiff.ts"
import { diffBlocks } from "./diffText.ts"
import type { Style } from "./style.ts"

/** Names of changes that one line has room for. */
const shown = 4

/** Pages that stay as they are: so many are named, more are counted. */
const shownSame = 10

export interface PreviewOptions {
  /** Show which lines change, below each page. */
  readonly showDiff: boolean
  readonly style: Style
}

/** What a push is about to do, one line a page. Source: reference.md 7.2. */
export const previewText = (repo: string, { pages, same, unasked }: PushPreview, options: PreviewOptions): string =>
  [
    `About to push ${pages.length} page(s) to ${forAgentLine(repo)}:`,
    ...pages.flatMap((page) => [row(page), ...(options.showDiff ? diffRows(page, options.style) : [])]),
    ...(same.length > shownSame ? [`  [SAME]  ${same.length} page(s)`] : same.map((path) => `  [SAME]  ${path}`)),
    ...Option.match(unasked, {
      onNone: () => [],
      onSome: (reason) => [`(from what is known here; the server was not asked: ${forAgentLine(reason)})`]
    })
  ].join("\n")

const row = ({ change, diff, moved, path }: PreviewedPage): string => {
  if (change === "same") return `  [SAME]  ${path}`
  const newer = moved ? "the server has another version: a merge" : undefined
  if (change === "new") return `  [NEW]   ${path}${moved ? "  (not on the server any more)" : ""}`
  const changes = Option.match(diff, { onNone: () => "the version it was edited from is not here", onSome: summary })
  return `  [EDIT]  ${path}  (${[changes, ...(newer === undefined ? [] : [newer])].join("; ")})`
}

const summary = (diff: PageDiff): string => {
  const changes = changeLines(diff)
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

const diffRows = ({ diff }: PreviewedPage, style: Style): ReadonlyArray<string> =>
  Option.match(diff, {
    onNone: () => [],
    onSome: (found) => {
      const safe = forAgentDiff({ from_sha: "", to_sha: "", ...found })
      const lines = diffBlocks(safe, { bodies: true, style }).flatMap((block) => block.split("\n"))
      return lines.map((line) => (line === "" ? "" : `          ${line}`))
    }
  })
