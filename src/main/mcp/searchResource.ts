import { Effect, Option } from "effect"
import { search } from "../../effects/page/search.ts"
import { pageTypes } from "../../model/page/PageType.ts"
import { answerBytes } from "./fit.ts"
import { internalError } from "./Rpc.ts"
import { fitHits } from "../render/search.ts"
import type { SearchHit } from "../../services/search/PageSearch.ts"

const mimeType = "application/json"

/** Of a list that says nothing of how long it is. */
const most = 100

/**
 * `ctx://search?q=...&type=...&tag=...`: the pages that are found, best first, as the public server's clients read them;
 * heading and excerpt are ours. What did not fit is named in a second content, with the URI that goes on.
 *
 * Source: reference.md 3.5.
 */
export const readSearch = Effect.fn("readSearch")(function* (uri: string, query: string) {
  const given = new URLSearchParams(query)
  const value = (name: string) => given.get(name) || undefined
  const type = pageTypes.find((one) => one === value("type"))
  if (value("type") !== undefined && type === undefined) {
    return yield* internalError(`mcp: search: type is one of ${pageTypes.join(", ")}`)
  }
  const found = yield* search(value("q") ?? "", { type, tag: value("tag"), cursor: value("cursor"), limit: most })
  const { hits, nextCursor } = fitHits(found, answerBytes - 2_000)
  const rest = Option.match(nextCursor, {
    onNone: () => [],
    onSome: (cursor) => {
      given.set("cursor", cursor)
      const next = `ctx://search?${given.toString()}`
      return [{ uri: next, mimeType: "text/plain", text: `${found.total} pages were found; read ${next} for more.` }]
    }
  })
  return { contents: [{ uri, mimeType, text: JSON.stringify(hits.map(item)) }, ...rest] }
})

const item = ({ author, excerpt, heading, path, slug, summary, tags, type }: SearchHit) => ({
  slug,
  type,
  path,
  author,
  ...(tags.length === 0 ? {} : { tags }),
  ...(summary === "" ? {} : { summary }),
  ...(heading === "" ? {} : { heading }),
  excerpt
})
