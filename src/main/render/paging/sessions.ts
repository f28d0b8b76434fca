import { Option } from "effect"
import type { Session } from "../../../effects/paging/sessions.ts"
import { forAgentLine } from "../../../model/text/Sanitise.ts"
import { isoTime, timeText } from "./lines.ts"

/** `ctx paging session-list`. */
export const sessionsText = (sessions: ReadonlyArray<Session>): string =>
  sessions.length === 0
    ? "No sessions."
    : sessions
        .map(
          ({ active, ended, key, messages, pages, topics }) =>
            `${forAgentLine(key)} ${Option.isSome(ended) ? `ended ${timeText(ended.value)}` : `active ${timeText(active)}`}: ${messages} message(s), ${topics} topic(s), ${pages} page(s)`
        )
        .join("\n")

export const sessionsJson = (sessions: ReadonlyArray<Session>) => ({
  sessions: sessions.map(({ active, ended, key, messages, pages, started, topics }) => ({
    key,
    started: isoTime(started),
    active: isoTime(active),
    ended: Option.getOrNull(Option.map(ended, isoTime)),
    messages,
    topics,
    pages
  }))
})

export interface ListedTopic {
  readonly name: string
  readonly session: string
  readonly pages: number
}

/** `ctx paging topic-list`. */
export const topicsText = (topics: ReadonlyArray<ListedTopic>, all: boolean): string =>
  topics.length === 0
    ? "No topics."
    : topics
        .map(
          ({ name, pages, session }) =>
            `${forAgentLine(name)}${all ? ` (${forAgentLine(session)})` : ""}: ${pages} page(s)`
        )
        .join("\n")
