import { Either } from "effect"
import { parsePage } from "../page/Page.ts"
import { type PagePath, slugOf } from "../page/PagePath.ts"
import { removeUnsafe } from "../text/Sanitise.ts"
import type { PageText } from "./PageTerms.ts"

/** What of a page's text is searched. A malformed page is found by all of its text. */
export const searchText = (path: PagePath, text: string): PageText =>
  Either.match(parsePage(path, text), {
    onLeft: () => ({ slug: slugOf(path), tags: [], summary: "", about: "", body: removeUnsafe(text) }),
    onRight: ({ agent = "", author, body, created, reasoningSummary = "", slug, tags, updated }) => ({
      slug,
      tags: tags.map(removeUnsafe),
      summary: removeUnsafe(reasoningSummary),
      about: removeUnsafe([author, agent, ...new Set([created, updated].map(dayOf))].join("\n")),
      body: removeUnsafe(body)
    })
  })

const months = "January February March April May June July August September October November December".split(" ")

/** The day of a stamp as people write it, so that `May 2026` finds it. */
const dayOf = (stamp: string): string => {
  const match = /^(\d{4})-(\d\d)-(\d\d)/.exec(stamp)
  if (match === null) return ""
  const [day = "", year = "", month = "", date = ""] = match
  return `${day} ${Number(date)} ${months[Number(month) - 1] ?? ""} ${year}`
}
