import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { findServerPage } from "../../effects/page/findPage.ts"
import { revert as revertPage } from "../../effects/history/revert.ts"
import { revertedJson, revertedText } from "../render/serverEdits.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, messageOption, slugArgument, typeOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { reply } from "./frame/Reply.ts"
import { decodeSha } from "./frame/sha.ts"

const config = {
  slug: slugArgument,
  sha: Args.text({ name: "SHA" }).pipe(
    Args.withDescription("the commit whose version is wanted ('ctx history' lists)")
  ),
  type: typeOption("where pages of several types share the name").pipe(Options.optional),
  message: messageOption,
  json: jsonOption
}

export const revert = cliCommand(
  "revert",
  "Puts an older version of a page in force again, on the server at once, as a new commit. The file here follows.",
  config,
  Command.make("revert", config, ({ json, message, sha, slug, type }) =>
    reply(
      json,
      Effect.gen(function* () {
        const to = yield* decodeSha("ctx revert", "SHA", sha)
        const path = yield* findServerPage(slug, Option.getOrUndefined(type))
        const reverted = yield* withProgress("reverting")(
          revertPage(path, { to, message: Option.getOrUndefined(message) })
        )
        return { text: revertedText(reverted), json: revertedJson(reverted) }
      })
    ).pipe(Effect.provide(projectLayer))
  )
)
