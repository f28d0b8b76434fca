import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { findServerPage } from "../../effects/page/findPage.ts"
import { purge as purgePage } from "../../effects/history/purge.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import { purgedJson, purgedText } from "../render/serverEdits.ts"
import { agreed, canAsk } from "./frame/ask.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, slugArgument, typeOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"

const config = {
  slug: slugArgument,
  type: typeOption("where pages of several types share the name").pipe(Options.optional),
  keepCurrent: Options.boolean("keep-current").pipe(
    Options.withDescription("erase older versions only; the page stays as it is now")
  ),
  reason: Options.text("reason").pipe(
    Options.withPseudoName("TEXT"),
    Options.withDescription("why, for the log that stays"),
    Options.optional
  ),
  yes: Options.boolean("yes").pipe(Options.withAlias("y"), Options.withDescription("do not ask")),
  json: jsonOption
}

export const purge = cliCommand(
  "purge",
  "Erases what a page said, in every version, from the server for good: for a secret that got in. For owners.",
  config,
  Command.make("purge", config, ({ json, keepCurrent, reason, slug, type, yes }) =>
    reply(
      json,
      Effect.gen(function* () {
        const path = yield* findServerPage(slug, Option.getOrUndefined(type))
        const question = ask(path, keepCurrent)
        if (!yes && !(yield* canAsk)) {
          return {
            text: `${question} Answer with --yes.`,
            json: { outcome: "unanswered", question },
            exit: 3
          } satisfies Answer
        }
        if (!yes && !(yield* agreed(`${question} Proceed?`)))
          return { text: "Aborted.", json: { outcome: "aborted" } } satisfies Answer
        const purged = yield* withProgress("purging")(
          purgePage(path, { keepCurrent, reason: Option.getOrUndefined(reason) })
        )
        // A script that goes on believes that the text is gone.
        const gone = purged.stillIn.length === 0 && purged.formerly.length === 0
        return { text: purgedText(purged), json: purgedJson(purged), exit: gone ? 0 : 3 } satisfies Answer
      })
    ).pipe(Effect.provide(projectLayer))
  )
)

const ask = (path: PagePath, keepCurrent: boolean): string =>
  keepCurrent
    ? `This erases all older versions of ${path} from the server, and cannot be undone.`
    : `This deletes ${path} for everybody and erases all its versions from the server, and cannot be undone.`
