import { Command, Options } from "@effect/cli"
import { Path } from "@effect/platform"
import { Effect, Option } from "effect"
import { archivePages, exportArchive, type ExportFilter, exportPages } from "../../effects/page/exportPages.ts"
import { exportJson, exportText, leftOutLines } from "../render/export.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, typeOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"
import { UsageError } from "./frame/UsageError.ts"

const formats = ["markdown", "obsidian", "archive"] as const

const config = {
  format: Options.choice("format", formats).pipe(
    Options.withDescription("plain files, an Obsidian vault, or one file that 'ctx import' takes; default markdown"),
    Options.withDefault("markdown")
  ),
  out: Options.text("out").pipe(
    Options.withPseudoName("PATH"),
    Options.withDescription(
      "default contexo-export, or contexo-export.jsonl for an archive; - sends an archive to standard output"
    ),
    Options.optional
  ),
  type: typeOption("only pages of this type").pipe(Options.optional),
  tag: Options.text("tag").pipe(
    Options.withPseudoName("TAG"),
    Options.withDescription("only pages with this tag"),
    Options.optional
  ),
  json: jsonOption
}

export const exportCommand = cliCommand(
  "export",
  "Writes the pages somewhere else. Nothing that stands there and is not ours is overwritten; it is named (exit 3).",
  config,
  Command.make("export", config, ({ format, json, out, tag, type }) =>
    reply(
      json,
      Effect.gen(function* () {
        const filter = { type: Option.getOrUndefined(type), tag: Option.getOrUndefined(tag) }
        const wrong = (reason: string) => new UsageError({ command: "ctx export", reason })
        if (Option.contains(out, "")) return yield* wrong("--out: want a path")
        if (Option.contains(out, "-")) {
          if (format !== "archive") return yield* wrong("--out - takes one file: add --format archive")
          if (json) return yield* wrong("--json and --out - both want standard output: leave one out")
          return yield* toStandardOutput(filter)
        }
        const place = (yield* Path.Path).resolve(
          Option.getOrElse(out, () => (format === "archive" ? "contexo-export.jsonl" : "contexo-export"))
        )
        const exported = yield* withProgress("exporting")(
          format === "archive" ? exportArchive(place, filter) : exportPages(format, place, filter)
        )
        return {
          text: exportText(place, exported),
          json: exportJson(format, place, exported),
          exit: exported.kept.length > 0 ? 3 : 0
        } satisfies Answer
      })
    ).pipe(Effect.provide(projectLayer))
  )
)

const toStandardOutput = (filter: ExportFilter) =>
  Effect.map(
    archivePages(filter),
    ({ leftOut, text }) => ({ text, exact: true, notes: leftOutLines(leftOut) }) satisfies Answer
  )
