import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { findServerPage } from "../../effects/page/findPage.ts"
import { history as pageHistory } from "../../effects/history/history.ts"
import { historyJson, historyText } from "../render/history.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, slugArgument, typeOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { cursorOption, limitOption, moreNote } from "./frame/range.ts"
import { reply } from "./frame/Reply.ts"

const config = {
  slug: slugArgument,
  type: typeOption("where pages of several types share the name").pipe(Options.optional),
  limit: limitOption(500, 50),
  cursor: cursorOption,
  json: jsonOption
}

export const history = cliCommand(
  "history",
  "Lists the commits that touched a page, newest first.",
  config,
  Command.make("history", config, ({ cursor, json, limit, slug, type }) =>
    reply(
      json,
      Effect.gen(function* () {
        const path = yield* findServerPage(slug, Option.getOrUndefined(type))
        const found = yield* withProgress("asking the server")(
          pageHistory(path, { limit, cursor: Option.getOrUndefined(cursor) })
        )
        return {
          text: historyText(path, found),
          json: historyJson(path, found),
          notes: json ? [] : moreNote(found.nextCursor)
        }
      })
    ).pipe(Effect.provide(projectLayer))
  )
)
