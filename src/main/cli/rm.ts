import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { deletePage } from "../../effects/page/deletePage.ts"
import { findServerPage } from "../../effects/page/findPage.ts"
import { deletedJson, deletedText } from "../render/serverEdits.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, messageOption, slugArgument, typeOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { reply } from "./frame/Reply.ts"

const config = {
  slug: slugArgument,
  type: typeOption("where pages of several types share the name").pipe(Options.optional),
  message: messageOption,
  force: Options.boolean("force").pipe(
    Options.withDescription("also where the page was edited here and not pushed: the edit goes")
  ),
  json: jsonOption
}

export const rm = cliCommand(
  "rm",
  "Deletes a page for the whole team, on the server at once, and here. 'ctx revert' brings it back.",
  config,
  Command.make("rm", config, ({ force, json, message, slug, type }) =>
    reply(
      json,
      Effect.gen(function* () {
        const path = yield* findServerPage(slug, Option.getOrUndefined(type))
        const deleted = yield* withProgress("deleting")(
          deletePage(path, { force, message: Option.getOrUndefined(message) })
        )
        return { text: deletedText(deleted), json: deletedJson(deleted) }
      })
    ).pipe(Effect.provide(projectLayer))
  )
)
