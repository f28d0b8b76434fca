import { Args, Command, HelpDoc, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { parseId } from "../../../effects/paging/arguments.ts"
import { around } from "../../../effects/paging/around.ts"
import { listMessages } from "../../../effects/paging/listMessages.ts"
import { addMessage, forgetMessage } from "../../../effects/paging/messages.ts"
import { search } from "../../../effects/paging/search.ts"
import { messageRoles } from "../../../model/paging/Role.ts"
import {
  aroundJson,
  aroundText,
  messagesJson,
  messagesText,
  searchJson,
  searchText
} from "../../render/paging/search.ts"
import { cliCommand } from "../frame/CliCommand.ts"
import { jsonOption, numberOption } from "../frame/options.ts"
import { withProgress } from "../frame/progress.ts"
import { reply } from "../frame/Reply.ts"
import { allOption, contentArgument, contentOf, fullOption, pagingLayer, roleOption, sinceOption } from "./frame.ts"

const addConfig = {
  role: Args.text({ name: "ROLE" }).pipe(Args.withDescription(messageRoles.join(", "))),
  content: contentArgument,
  json: jsonOption
}

export const messageAdd = cliCommand(
  "paging message-add",
  "Adds a message to the current session.",
  addConfig,
  Command.make("message-add", addConfig, ({ content, json, role }) =>
    reply(
      json,
      Effect.map(
        Effect.flatMap(contentOf(content), (exact) => addMessage(role, exact)),
        (made) => ({ text: `message ${made.id}`, json: made })
      )
    ).pipe(Effect.provide(pagingLayer))
  )
)

/** A whole number as an argument. */
const count = (name: string, about: string, most: number) =>
  Args.integer({ name }).pipe(
    Args.withDescription(about),
    Args.mapEffect((number) =>
      number >= 0 && number <= most ? Effect.succeed(number) : Effect.fail(HelpDoc.p(`want a number from 0 to ${most}`))
    ),
    Args.optional
  )

const listConfig = {
  query: Args.text({ name: "QUERY" }).pipe(Args.withDescription("what a message holds; empty: any"), Args.optional),
  limit: count("LIMIT", "how many, the newest (default 20)", 10_000),
  since: sinceOption,
  role: roleOption,
  all: allOption("every session"),
  json: jsonOption
}

export const messageList = cliCommand(
  "paging message-list",
  "Lists the current session's messages, or those that hold a text, the oldest first.",
  listConfig,
  Command.make("message-list", listConfig, ({ all, json, limit, query, role, since }) =>
    reply(
      json,
      Effect.map(
        listMessages({
          query: Option.getOrUndefined(query),
          limit: Option.getOrUndefined(limit),
          since: Option.getOrUndefined(since),
          role: Option.getOrUndefined(role),
          all
        }),
        (found) => ({ text: messagesText(found), json: messagesJson(found) })
      )
    ).pipe(Effect.provide(pagingLayer))
  )
)

const searchConfig = {
  query: Args.text({ name: "QUERY" }).pipe(
    Args.withDescription("any text, in any script; found exactly, capitals aside")
  ),
  since: sinceOption,
  offset: numberOption("offset", "matches to pass over", 0, 1_000_000_000, 0),
  limit: numberOption("limit", "how many (default 20)", 1, 1_000, 20),
  role: Options.text("role").pipe(
    Options.withPseudoName("R,R"),
    Options.withDescription("only these roles, or kinds of pages"),
    Options.optional
  ),
  case: Options.boolean("case").pipe(Options.withDescription("capitals and small letters differ")),
  rank: Options.boolean("rank").pipe(
    Options.withDescription("messages by how well their words answer, the best first")
  ),
  json: jsonOption
}

export const searchCommand = cliCommand(
  "paging search",
  "Finds what was said and kept in this project: references, the oldest first.",
  searchConfig,
  Command.make("search", searchConfig, ({ json, limit, offset, query, rank, role, since, ...given }) =>
    reply(
      json,
      Effect.map(
        withProgress("searching")(
          search(query, {
            since: Option.getOrUndefined(since),
            offset,
            limit,
            role: Option.getOrUndefined(role),
            matchCase: given.case,
            rank
          })
        ),
        (found) => ({ text: searchText(found), json: searchJson(found) })
      )
    ).pipe(Effect.provide(pagingLayer))
  )
)

const messageId = Args.text({ name: "MESSAGE_ID" }).pipe(Args.withDescription("number of a message: 12 or m12"))

const aroundConfig = {
  id: messageId,
  count: count("COUNT", "how many on each side (default 5)", 1_000),
  full: fullOption,
  json: jsonOption
}

export const aroundCommand = cliCommand(
  "paging around",
  "Shows the messages around one, in order.",
  aroundConfig,
  Command.make("around", aroundConfig, ({ count, full, id, json }) =>
    reply(
      json,
      Effect.map(
        Effect.flatMap(parseId(id, "m"), (number) => around(number, Option.getOrUndefined(count))),
        (found) => ({ text: aroundText(found, full), json: aroundJson(found) })
      )
    ).pipe(Effect.provide(pagingLayer))
  )
)

const forgetConfig = { id: messageId, json: jsonOption }

export const forget = cliCommand(
  "paging forget",
  "Deletes one message for good; no sweep brings it back.",
  forgetConfig,
  Command.make("forget", forgetConfig, ({ id, json }) =>
    reply(
      json,
      Effect.map(Effect.flatMap(parseId(id, "m"), forgetMessage), (gone) => ({
        text: `message ${gone.id} forgotten`,
        json: gone
      }))
    ).pipe(Effect.provide(pagingLayer))
  )
)
