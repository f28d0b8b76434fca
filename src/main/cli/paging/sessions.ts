import { Args, Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { deleteSession, endSession, listSessions, startSession } from "../../../effects/paging/sessions.ts"
import { forAgentLine } from "../../../model/text/Sanitise.ts"
import { sessionsJson, sessionsText } from "../../render/paging/sessions.ts"
import { cliCommand } from "../frame/CliCommand.ts"
import { jsonOption } from "../frame/options.ts"
import { reply } from "../frame/Reply.ts"
import { pagingLayer } from "./frame.ts"

const key = Args.text({ name: "SESSION_KEY" }).pipe(Args.withDescription("default: CP_SESSION, else manual"))
const named = { key: Args.optional(key), json: jsonOption }

export const sessionStart = cliCommand(
  "paging session-start",
  "Gets or makes a session, and marks it active.",
  named,
  Command.make("session-start", named, ({ json, key }) =>
    reply(
      json,
      Effect.map(startSession(Option.getOrUndefined(key)), (session) => ({
        text: `session ${forAgentLine(session.key)}`,
        json: session
      }))
    ).pipe(Effect.provide(pagingLayer))
  )
)

export const sessionEnd = cliCommand(
  "paging session-end",
  "Marks a session as ended.",
  named,
  Command.make("session-end", named, ({ json, key }) =>
    reply(
      json,
      Effect.map(endSession(Option.getOrUndefined(key)), (session) => ({
        text: `session ${forAgentLine(session.key)} ended`,
        json: session
      }))
    ).pipe(Effect.provide(pagingLayer))
  )
)

const none = { json: jsonOption }

export const sessionList = cliCommand(
  "paging session-list",
  "Lists the sessions, with what each holds.",
  none,
  Command.make("session-list", none, ({ json }) =>
    reply(
      json,
      Effect.map(listSessions(), (sessions) => ({ text: sessionsText(sessions), json: sessionsJson(sessions) }))
    ).pipe(Effect.provide(pagingLayer))
  )
)

const one = {
  key: Args.text({ name: "SESSION_KEY" }).pipe(Args.withDescription("the session to delete")),
  json: jsonOption
}

export const sessionDelete = cliCommand(
  "paging session-delete",
  "Deletes a session with all its messages, topics, tags and pages.",
  one,
  Command.make("session-delete", one, ({ json, key }) =>
    reply(
      json,
      Effect.map(deleteSession(key), (deleted) => ({
        text: `session ${forAgentLine(deleted.key)} deleted: ${deleted.messages} message(s), ${deleted.pages} page(s)`,
        json: deleted
      }))
    ).pipe(Effect.provide(pagingLayer))
  )
)
