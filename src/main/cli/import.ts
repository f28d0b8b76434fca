import { Args, Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { importPages } from "../../effects/page/importPages.ts"
import { maxArchiveBytes } from "../../model/archive/Archive.ts"
import { importJson, importText } from "../render/import.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { bytesOf } from "./frame/content.ts"
import { jsonOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"

const config = {
  file: Args.text({ name: "FILE" }).pipe(
    Args.withDescription("what 'ctx export --format archive' wrote; -: standard input")
  ),
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("say what would happen, and write nothing")),
  overwrite: Options.boolean("overwrite").pipe(Options.withDescription("replace pages that differ here")),
  json: jsonOption
}

export const importCommand = cliCommand(
  "import",
  "Brings the pages of an archive back, byte for byte. A page that differs here is kept and named (exit 3).",
  config,
  Command.make("import", config, ({ dryRun, file, json, overwrite }) =>
    reply(
      json,
      Effect.gen(function* () {
        const bytes = yield* bytesOf(file, maxArchiveBytes)
        const imported = yield* withProgress("importing")(
          importPages(file === "-" ? "standard input" : file, bytes, { dryRun, overwrite })
        )
        return {
          text: importText(imported, dryRun),
          json: importJson(imported, dryRun),
          exit: imported.conflicts.length > 0 ? 3 : 0
        } satisfies Answer
      })
    ).pipe(Effect.provide(projectLayer))
  )
)
