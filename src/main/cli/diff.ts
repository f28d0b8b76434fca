import { Command, Options } from "@effect/cli"
import { Effect, Option, Schema } from "effect"
import { diff as diffVersions, diffLocal } from "../../effects/diff.ts"
import { findPage } from "../../effects/findPage.ts"
import { forAgentDiff } from "../../model/SectionDiff.ts"
import { Sha } from "../../model/Sha.ts"
import { diffText } from "../render/diffText.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, slugArgument, typeOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { reply } from "./frame/Reply.ts"
import { stdoutStyle } from "./frame/style.ts"
import { UsageError } from "./frame/UsageError.ts"

const version = (name: string, what: string) =>
  Options.text(name).pipe(Options.withPseudoName("SHA"), Options.withDescription(what), Options.optional)

const config = {
  slug: slugArgument,
  type: typeOption("where pages of several types share the name").pipe(Options.optional),
  from: version("from", "the older version (default: the parent of --to)"),
  to: version("to", "the newer version (default: the server's newest)"),
  local: Options.boolean("local").pipe(
    Options.withDescription("compare the file here with the server's newest version")
  ),
  json: jsonOption
}

const wrong = (reason: string) => new UsageError({ command: "ctx diff", reason })

export const diff = cliCommand(
  "diff",
  "Shows what changed in a page, section by section.",
  config,
  Command.make("diff", config, ({ from, json, local, slug, to, type }) =>
    Effect.gen(function* () {
      if (local && (Option.isSome(from) || Option.isSome(to))) {
        return yield* wrong("--local compares with the server's newest version: leave --from and --to out")
      }
      const range = { from: yield* sha("--from", from), to: yield* sha("--to", to) }
      const compare = Effect.gen(function* () {
        const path = yield* findPage(slug, Option.getOrUndefined(type))
        const found = yield* withProgress("asking the server")(local ? diffLocal(path) : diffVersions(path, range))
        const safe = forAgentDiff(found)
        return { text: diffText(slug, safe, { bodies: true, style: yield* stdoutStyle }), json: safe }
      })
      return yield* reply(json, Effect.provide(compare, projectLayer))
    })
  )
)

/** Only hex ever becomes part of a URL. */
const sha = (option: string, text: Option.Option<string>) =>
  Option.match(text, {
    onNone: () => Effect.succeed(undefined),
    onSome: (given) =>
      Effect.mapError(Schema.decode(Sha)(given.toLowerCase()), () =>
        wrong(`${option} wants a commit id of 7 to 64 hex digits, not ${JSON.stringify(given)}`)
      )
  })
