import type { Around } from "../../../effects/paging/around.ts"
import type { MessageListing } from "../../../effects/paging/listMessages.ts"
import type { PageListing } from "../../../effects/paging/listPages.ts"
import type { Message } from "../../../effects/paging/messages.ts"
import type { KeptPage } from "../../../effects/paging/pages.ts"
import type { Reference, SearchResults } from "../../../effects/paging/search.ts"
import { forAgentLine } from "../../../model/text/Sanitise.ts"
import {
  contentJson,
  countText,
  exactText,
  filtersLine,
  isoTime,
  messageLine,
  nothingIn,
  pageHead,
  pageLine,
  roleText,
  timeText
} from "./lines.ts"

/** `ctx paging search`. Source: context-paging.md, "Scripts". */
export const searchText = (found: SearchResults): string => {
  const { beyond, limit, matchCase, matches, nextOffset, offset, rank, references, roles, window } = found
  const counts = [...matches].map(([role, count]) => `${role} ${countText(count)}`)
  return [
    filtersLine({
      since: window.since.text,
      role: roleText(roles),
      offset: offset === 0 ? undefined : offset,
      limit: limit === 20 ? undefined : limit,
      case: matchCase ? "exact" : undefined,
      order: rank ? "rank" : undefined
    }),
    `[matches: ${counts.length === 0 ? "none" : counts.join(", ")}]`,
    ...references.map(referenceLine),
    ...(matches.size === 0 ? [nothingIn(window, beyond)] : []),
    ...(matches.size > 0 && references.length === 0 ? ["Nothing at this offset."] : []),
    ...(nextOffset === undefined ? [] : [`[more: --offset ${nextOffset}]`])
  ].join("\n")
}

const referenceLine = ({ at, excerpt, id, kind, role, session }: Reference): string =>
  `${kind === "page" ? "p" : "m"}${id} ${role} ${timeText(at)} ${forAgentLine(session)}: ${excerpt}`

/** Source: design.md section 11. */
export const searchJson = ({
  beyond,
  limit,
  matchCase,
  matches,
  nextOffset,
  offset,
  rank,
  references,
  roles,
  window
}: SearchResults) => ({
  filters: {
    since: window.since.text,
    role: roleText(roles),
    offset,
    limit,
    ...(matchCase ? { case: "exact" } : {}),
    ...(rank ? { order: "rank" } : {})
  },
  matches: Object.fromEntries([...matches].map(([role, { count }]) => [role, count])),
  ...([...matches.values()].some(({ more }) => more) ? { at_least: true } : {}),
  results: references.map(({ at, excerpt, id, kind, role, session }) => ({
    id,
    kind,
    role,
    session,
    ts: isoTime(at),
    excerpt
  })),
  ...(nextOffset === undefined ? {} : { next_offset: nextOffset }),
  beyond: beyond.count
})

/** `ctx paging around`. */
export const aroundText = ({ count, id, messages, session }: Around, full: boolean): string =>
  [
    filtersLine({ message: `m${id}`, each_side: count, session }),
    ...messages.map((one) => {
      const mark = one.id === id ? "> " : "  "
      return full ? `${mark}${fullText(one)}` : `${mark}${messageLine(one)}`
    })
  ].join("\n")

const fullText = (one: Message): string => {
  const { at, content, id, role, tool } = one
  return `m${id} ${tool === "" ? role : `${role}(${forAgentLine(tool)})`} ${timeText(at)}\n${exactText(content)}`
}

export const messageJson = ({ at, content, id, role, session, tool }: Message) => ({
  id,
  role,
  session,
  ts: isoTime(at),
  ...(tool === "" ? {} : { tool }),
  bytes: content.bytes,
  ...contentJson(content)
})

export const aroundJson = ({ count, id, messages, session }: Around) => ({
  id,
  count,
  session,
  messages: messages.map(messageJson)
})

/** `ctx paging message-list`. */
export const messagesText = (found: MessageListing): string => {
  const { beyond, earlier, limit, messages, query, roles, session, window } = found
  return [
    filtersLine({
      session: session ?? "any",
      since: window.since.text,
      role: roleText(roles),
      query: query === "" ? undefined : JSON.stringify(query),
      limit
    }),
    ...(earlier.count === 0 ? [] : [`[earlier in this window: ${countText(earlier)}; a larger limit shows them]`]),
    ...messages.map((one) => messageLine(one, query, session === undefined)),
    ...(messages.length === 0 ? [nothingIn(window, beyond)] : [])
  ].join("\n")
}

export const messagesJson = ({ beyond, earlier, limit, messages, query, roles, session, window }: MessageListing) => ({
  filters: { session: session ?? "any", since: window.since.text, role: roleText(roles), query, limit },
  messages: messages.map(messageJson),
  earlier: earlier.count,
  beyond: beyond.count
})

/** `ctx paging page-in` without a number. */
export const pagesText = (found: PageListing, full: boolean): string => {
  const { beyond, earlier, limit, pages, query, session, window } = found
  const all = session === undefined
  return [
    filtersLine({
      session: session ?? "any",
      since: window.since.text,
      query: query === "" ? undefined : JSON.stringify(query),
      limit
    }),
    ...(earlier === 0 ? [] : [`[earlier in this window: ${earlier}; a larger limit shows them]`]),
    ...pages.map((page) => (full ? `${pageHead(page, all)}\n${exactText(page.content)}` : pageLine(page, query, all))),
    ...(pages.length === 0 ? [nothingIn(window, { count: beyond, more: false })] : [])
  ].join("\n")
}

export const pageJson = ({ content, created, id, kind, session, tags, topic, updated }: KeptPage) => ({
  id,
  kind,
  session,
  topic,
  tags,
  created: isoTime(created),
  updated: isoTime(updated),
  bytes: content.bytes,
  ...contentJson(content)
})

export const pagesJson = ({ beyond, earlier, limit, pages, query, session, window }: PageListing) => ({
  filters: { session: session ?? "any", since: window.since.text, query, limit },
  pages: pages.map(pageJson),
  earlier,
  beyond
})
