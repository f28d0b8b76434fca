import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { diff as diffVersions, diffLocal } from "../../effects/history/diff.ts"
import { findPage, findServerPage } from "../../effects/page/findPage.ts"
import { forAgentDiff } from "../../model/merge/SectionDiff.ts"
import { diffText } from "../render/diffText.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, slugArgument, typeOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { reply } from "./frame/Reply.ts"
import { readSha, shaOption } from "./frame/sha.ts"
import { stdoutStyle } from "./frame/style.ts"
import { UsageError } from "./frame/UsageError.ts"

const config = {
  slug: slugArgument,
  type: typeOption("where pages of several types share the name").pipe(Options.optional),
  from: shaOption("from", "the older version (default: the parent of --to)"),
  to: shaOption("to", "the newer version (default: the server's newest)"),
  local: Options.boolean("local").pipe(
    Options.withDescription("compare the file here with the server's newest version")
  ),
  blame: Options.boolean("blame").pipe(Options.withDescription("say which commit introduced each section")),
  json: jsonOption
}

const wrong = (reason: string) => new UsageError({ command: "ctx diff", reason })
const sha = readSha("ctx diff")

export const diff = cliCommand(
  "diff",
  "Shows what changed in a page, section by section.",
  config,
  Command.make("diff", config, ({ blame, from, json, local, slug, to, type }) =>
    Effect.gen(function* () {
      if (local && (Option.isSome(from) || Option.isSome(to))) {
        return yield* wrong("--local compares with the server's newest version: leave --from and --to out")
      }
      if (local && blame) return yield* wrong("--local and --blame do not go together")
      const range = { from: yield* sha("--from", from), to: yield* sha("--to", to), blame }
      const compare = Effect.gen(function* () {
        const path = yield* (local ? findPage : findServerPage)(slug, Option.getOrUndefined(type))
        const found = yield* withProgress("asking the server")(local ? diffLocal(path) : diffVersions(path, range))
        const safe = forAgentDiff(found)
        return { text: diffText(slug, safe, { bodies: true, style: yield* stdoutStyle }), json: safe }
      })
      return yield* reply(json, Effect.provide(compare, projectLayer))
    })
  )
)
