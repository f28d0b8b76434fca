import { Option } from "effect"
import type { SearchResults } from "../../effects/page/search.ts"
import { byteLength } from "../../model/text/Text.ts"
import type { SearchHit } from "../../services/search/PageSearch.ts"

/** `ctx search --json` and the structured answer of `ctx_search`. Source: design.md section 11. */
export const searchJson = ({ hits, nextCursor, total }: Pick<SearchResults, "hits" | "nextCursor" | "total">) => ({
  results: hits.map(hitJson),
  total,
  ...Option.match(nextCursor, { onNone: () => ({}), onSome: (cursor) => ({ next_cursor: cursor }) })
})

export const hitJson = ({ excerpt, heading, path, problem, score, slug, tags, type }: SearchHit) => ({
  slug,
  type,
  path,
  ...(heading === "" ? {} : { heading }),
  excerpt,
  score: Number(score.toFixed(3)),
  tags,
  ...(problem === "" ? {} : { problem })
})

/** How many pages there are. */
export const searchHead = (query: string, total: number): string => {
  const pages = total === 1 ? "1 page" : `${total} pages`
  const about = query === "" ? "" : ` for ${JSON.stringify(query)}`
  return total === 0 ? `No pages found${about}` : `${pages} found${about}, best first:`
}

/** A hit in three lines: where, what, and its tags. */
export const hitText = ({ excerpt, heading, path, problem, tags }: SearchHit): string =>
  [
    heading === "" ? path : `${path}  ${heading}`,
    ...(excerpt === "" ? [] : [`    ${excerpt}`]),
    ...(tags.length === 0 ? [] : [`    tags: ${tags.join(", ")}`]),
    ...(problem === "" ? [] : [`    not served as a page: ${problem}`])
  ].join("\n")

/** As many hits as an answer holds that says each of them as text and as data, and where it goes on. */
export const fitHits = (
  { cursorBehind, hits, nextCursor }: SearchResults,
  maxBytes: number
): Pick<SearchResults, "hits" | "nextCursor"> => {
  let bytes = 0
  const end = hits.findIndex(
    (hit) => (bytes += byteLength(hitText(hit) + JSON.stringify(hitJson(hit))) + 10) > maxBytes
  )
  if (end === -1) return { hits, nextCursor }
  const shown = hits.slice(0, Math.max(1, end))
  return { hits: shown, nextCursor: Option.map(Option.fromNullable(shown.at(-1)), cursorBehind) }
}
