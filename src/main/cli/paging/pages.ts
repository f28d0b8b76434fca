import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { parseId } from "../../../effects/paging/arguments.ts"
import { listPages } from "../../../effects/paging/listPages.ts"
import { deletePage, listTopics, pageIn, pageOut, tagPage, topic, updatePage } from "../../../effects/paging/pages.ts"
import { exactBytes } from "../../../model/paging/Content.ts"
import { pageKinds } from "../../../model/paging/Role.ts"
import { forAgentLine } from "../../../model/text/Sanitise.ts"
import { exactText, pageHead } from "../../render/paging/lines.ts"
import { pageJson, pagesJson, pagesText } from "../../render/paging/search.ts"
import { topicsText } from "../../render/paging/sessions.ts"
import { cliCommand } from "../frame/CliCommand.ts"
import { jsonOption } from "../frame/options.ts"
import { type Answer, reply } from "../frame/Reply.ts"
import {
  allOption,
  contentArgument,
  contentOf,
  fullOption,
  pageLimitOption,
  pagingLayer,
  sinceOption
} from "./frame.ts"

const topicConfig = {
  name: Args.text({ name: "NAME" }).pipe(Args.withDescription("default: CP_TOPIC, else general"), Args.optional),
  json: jsonOption
}

export const topicCommand = cliCommand(
  "paging topic",
  "Gets or makes a topic of the current session.",
  topicConfig,
  Command.make("topic", topicConfig, ({ json, name }) =>
    reply(
      json,
      Effect.map(topic(Option.getOrUndefined(name)), (made) => ({
        text: `topic ${forAgentLine(made.name)}`,
        json: made
      }))
    ).pipe(Effect.provide(pagingLayer))
  )
)

const topicListConfig = { all: allOption("of every session"), json: jsonOption }

export const topicList = cliCommand(
  "paging topic-list",
  "Lists the topics of the current session, with how many pages each has.",
  topicListConfig,
  Command.make("topic-list", topicListConfig, ({ all, json }) =>
    reply(
      json,
      Effect.map(listTopics(all), (topics) => ({ text: topicsText(topics, all), json: { topics } }))
    ).pipe(Effect.provide(pagingLayer))
  )
)

const pageOutConfig = {
  content: contentArgument,
  topic: Args.text({ name: "TOPIC" }).pipe(Args.withDescription("default: CP_TOPIC, else general"), Args.optional),
  tags: Args.text({ name: "TAG" }).pipe(Args.withDescription("default: CP_TAGS"), Args.repeated),
  kind: Options.text("kind").pipe(
    Options.withPseudoName(pageKinds.join("|")),
    Options.withDescription("what it is (default note)"),
    Options.withDefault("note")
  ),
  json: jsonOption
}

export const pageOutCommand = cliCommand(
  "paging page-out",
  "Keeps exact content as a page, to be found again.",
  pageOutConfig,
  Command.make("page-out", pageOutConfig, ({ content, json, kind, tags, topic }) =>
    reply(
      json,
      Effect.map(
        Effect.flatMap(contentOf(content), (exact) =>
          pageOut(exact, { kind, tags, topic: Option.getOrUndefined(topic) })
        ),
        (made) => ({ text: `page ${made.id}`, json: made })
      )
    ).pipe(Effect.provide(pagingLayer))
  )
)

const pageInConfig = {
  query: Args.text({ name: "QUERY" }).pipe(Args.withDescription("what content, topic or a tag holds"), Args.optional),
  id: Options.text("id").pipe(
    Options.withPseudoName("N"),
    Options.withDescription("this page, whole"),
    Options.optional
  ),
  all: allOption("every session, whenever"),
  full: fullOption,
  raw: Options.boolean("raw").pipe(Options.withDescription("with --id: the content alone, byte for byte")),
  limit: pageLimitOption,
  since: sinceOption,
  json: jsonOption
}

export const pageInCommand = cliCommand(
  "paging page-in",
  "Reloads pages: recent ones, matching ones, or one by its number.",
  pageInConfig,
  Command.make("page-in", pageInConfig, ({ all, full, id, json, limit, query, raw, since }) =>
    reply(
      json,
      Effect.gen(function* () {
        if (Option.isSome(id)) {
          const page = yield* pageIn(yield* parseId(id.value, "p"))
          if (raw) return { text: "", bytes: exactBytes(page.content), json: pageJson(page) } satisfies Answer
          return { text: `${pageHead(page)}\n${exactText(page.content)}`, json: pageJson(page) } satisfies Answer
        }
        const found = yield* listPages({
          query: Option.getOrUndefined(query),
          all,
          limit,
          since: Option.getOrUndefined(since)
        })
        return { text: pagesText(found, full), json: pagesJson(found) } satisfies Answer
      })
    ).pipe(Effect.provide(pagingLayer))
  )
)

const idArgument = Args.text({ name: "ID" }).pipe(Args.withDescription("number of the page: 12 or p12"))
const pageUpdateConfig = { id: idArgument, content: contentArgument, json: jsonOption }

export const pageUpdate = cliCommand(
  "paging page-update",
  "Replaces a page's content; its number stays.",
  pageUpdateConfig,
  Command.make("page-update", pageUpdateConfig, ({ content, id, json }) =>
    reply(
      json,
      Effect.gen(function* () {
        const number = yield* parseId(id, "p")
        const updated = yield* updatePage(number, yield* contentOf(content))
        return { text: `page ${updated.id} updated`, json: updated }
      })
    ).pipe(Effect.provide(pagingLayer))
  )
)

const pageDeleteConfig = { id: idArgument, json: jsonOption }

export const pageDelete = cliCommand(
  "paging page-delete",
  "Deletes a page.",
  pageDeleteConfig,
  Command.make("page-delete", pageDeleteConfig, ({ id, json }) =>
    reply(
      json,
      Effect.map(Effect.flatMap(parseId(id, "p"), deletePage), (deleted) => ({
        text: `page ${deleted.id} deleted`,
        json: deleted
      }))
    ).pipe(Effect.provide(pagingLayer))
  )
)

const tagConfig = {
  id: idArgument,
  tag: Args.text({ name: "TAG" }).pipe(Args.withDescription("a word to find the page by")),
  json: jsonOption
}

export const tagCommand = cliCommand(
  "paging tag",
  "Attaches a tag to a page.",
  tagConfig,
  Command.make("tag", tagConfig, ({ id, json, tag }) =>
    reply(
      json,
      Effect.map(
        Effect.flatMap(parseId(id, "p"), (number) => tagPage(number, tag)),
        (tagged) => ({ text: `page ${tagged.id} tagged ${forAgentLine(tagged.tag)}`, json: tagged })
      )
    ).pipe(Effect.provide(pagingLayer))
  )
)
