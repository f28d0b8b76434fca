import { DateTime, Option } from "effect"
import type { Roles, Window } from "../../../effects/paging/arguments.ts"
import type { Message } from "../../../effects/paging/messages.ts"
import type { KeptPage } from "../../../effects/paging/pages.ts"
import type { Count } from "../../../effects/paging/search.ts"
import { exactBytes, type StoredContent } from "../../../model/paging/Content.ts"
import { excerptAt } from "../../../model/paging/Excerpt.ts"
import { find } from "../../../model/paging/Fold.ts"
import { forAgentLine } from "../../../model/text/Sanitise.ts"
import { decodeUtf8 } from "../../../model/text/Utf8.ts"

/** A point in time in few tokens: UTC, to the second. */
export const timeText = (milliseconds: number): string =>
  DateTime.formatIso(DateTime.unsafeMake(milliseconds)).slice(0, 19).replace("T", " ")

/** The same for programs. */
export const isoTime = (milliseconds: number): string => DateTime.formatIso(DateTime.unsafeMake(milliseconds))

/** What was applied, as `[filters: name=value ...]`. */
export const filtersLine = (filters: Readonly<Record<string, string | number | undefined>>): string =>
  `[filters: ${Object.entries(filters)
    .filter((entry): entry is [string, string | number] => entry[1] !== undefined && entry[1] !== "")
    .map(([name, value]) => `${name}=${typeof value === "number" ? value : forAgentLine(value)}`)
    .join(" ")}]`

export const roleText = ({ kinds, roles }: Roles): string =>
  roles.length + kinds.length === 0 ? "any" : [...roles, ...kinds].join(",")

/** A count that may be a lower bound. */
export const countText = ({ count, more }: Count): string => (more ? `${count}+` : String(count))

/** What a window without a match says: how much lies before it. */
export const nothingIn = ({ from, since }: Window, beyond: Count): string => {
  if (from === 0) return "No matches."
  return beyond.count === 0
    ? `No matches in the past ${since.text}, and none before.`
    : `No matches in the past ${since.text}; ${countText(beyond)} before that (--since 24h, 7d or any).`
}

/** A message in one line. `query` is what its excerpt shows. */
export const messageLine = (message: Message, query = "", withSession = false): string => {
  const { at, content, id, role, session, tool } = message
  const place = Math.max(0, query === "" ? 0 : find(content.text, query, false))
  const who = tool === "" ? role : `${role}(${forAgentLine(tool)})`
  return `m${id} ${who} ${timeText(at)}${withSession ? ` ${forAgentLine(session)}` : ""}: ${excerptAt(content.text, place, query.length)}`
}

/** A page in one line. */
export const pageLine = (page: KeptPage, query = "", withSession = false): string => {
  const place = Math.max(0, query === "" ? 0 : find(page.content.text, query, false))
  return `${pageHead(page, withSession)}: ${excerptAt(page.content.text, place, query.length)}`
}

/** What a page is, without its content. */
export const pageHead = ({ id, kind, session, tags, topic, updated }: KeptPage, withSession = true): string =>
  [
    `p${id} ${kind} ${timeText(updated)}`,
    ...(withSession ? [forAgentLine(session)] : []),
    `topic=${forAgentLine(topic)}`,
    ...(tags.length === 0 ? [] : [`tags=${tags.map(forAgentLine).join(",")}`])
  ].join(" ")

/** Content for a program: as text where that is exact, else its bytes. */
export const contentJson = (
  content: StoredContent
): { readonly content: string } | { readonly content_base64: string } =>
  content.raw === null ? { content: content.text } : { content_base64: base64(exactBytes(content)) }

/** Exact content as text, where it is UTF-8. */
export const exactText = (content: StoredContent): string =>
  content.raw === null ? content.text : Option.getOrElse(decodeUtf8(content.raw), () => content.text)

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")
