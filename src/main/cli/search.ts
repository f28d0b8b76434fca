import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { search as searchPages } from "../../effects/page/search.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { hitText, searchHead, searchJson } from "../render/search.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, typeOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { cursorOption, limitOption, moreNote } from "./frame/range.ts"
import { reply } from "./frame/Reply.ts"

const config = {
  query: Args.text({ name: "QUERY" }).pipe(Args.withDescription("any text; without a word in it, every page")),
  type: typeOption("only pages of this type").pipe(Options.optional),
  tag: Options.text("tag").pipe(
    Options.withPseudoName("TAG"),
    Options.withDescription("only pages with this tag"),
    Options.optional
  ),
  limit: limitOption(100, 10, "pages"),
  cursor: cursorOption,
  json: jsonOption
}

export const search = cliCommand(
  "search",
  "Finds pages by what they say, best first.",
  config,
  Command.make("search", config, ({ cursor, json, limit, query, tag, type }) =>
    reply(
      json,
      Effect.gen(function* () {
        const found = yield* withProgress("searching")(
          searchPages(query, {
            type: Option.getOrUndefined(type),
            tag: Option.getOrUndefined(tag),
            limit,
            cursor: Option.getOrUndefined(cursor)
          })
        )
        return {
          text: [searchHead(forAgentLine(query), found.total), ...found.hits.map(hitText)].join("\n\n"),
          json: searchJson(found),
          notes: json ? [] : moreNote(found.nextCursor, "more pages")
        }
      })
    ).pipe(Effect.provide(projectLayer))
  )
)
