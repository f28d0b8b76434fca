import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { evolution as pageEvolution } from "../../effects/history/evolution.ts"
import { findServerPage } from "../../effects/page/findPage.ts"
import { evolutionJson, evolutionText } from "../render/evolution.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, slugArgument, typeOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { cursorOption, limitOption, moreNote } from "./frame/range.ts"
import { reply } from "./frame/Reply.ts"
import { stdoutStyle } from "./frame/style.ts"

const config = {
  slug: slugArgument,
  type: typeOption("where pages of several types share the name").pipe(Options.optional),
  limit: limitOption(100, 20),
  cursor: cursorOption,
  showDiff: Options.boolean("show-diff").pipe(Options.withDescription("show which lines each commit changed")),
  blame: Options.boolean("blame").pipe(Options.withDescription("say which commit introduced each section")),
  json: jsonOption
}

export const evolution = cliCommand(
  "evolution",
  "Shows what each commit changed in a page, newest first.",
  config,
  Command.make("evolution", config, ({ blame, cursor, json, limit, showDiff, slug, type }) =>
    reply(
      json,
      Effect.gen(function* () {
        const path = yield* findServerPage(slug, Option.getOrUndefined(type))
        const found = yield* withProgress("asking the server")(
          pageEvolution(path, { limit, cursor: Option.getOrUndefined(cursor), blame, lines: true })
        )
        return {
          text: evolutionText(path, found, { showDiff, style: yield* stdoutStyle }),
          json: evolutionJson(path, found),
          notes: json ? [] : moreNote(found.nextCursor)
        }
      })
    ).pipe(Effect.provide(projectLayer))
  )
)
