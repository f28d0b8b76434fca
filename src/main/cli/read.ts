import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { findPage } from "../../effects/page/findPage.ts"
import { readPage, readPageFramed } from "../../effects/page/readPage.ts"
import { slugOf, typeOf } from "../../model/page/PagePath.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, slugArgument, typeOption } from "./frame/options.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"

const config = {
  slug: slugArgument,
  type: typeOption("where pages of several types share the name").pipe(Options.optional),
  framed: Options.boolean("framed").pipe(
    Options.withDescription("as an agent sees it: drift notice, banner, text made safe")
  ),
  offset: Options.integer("offset").pipe(
    Options.withPseudoName("N"),
    Options.withDescription("with --framed: where to read on in a page that did not fit"),
    Options.withDefault(0)
  ),
  json: jsonOption
}

export const read = cliCommand(
  "read",
  "Prints a page, byte for byte.",
  config,
  Command.make("read", config, ({ framed, json, offset, slug, type }) =>
    reply(
      json,
      Effect.gen(function* () {
        const path = yield* findPage(slug, Option.getOrUndefined(type))
        const page = { path, type: typeOf(path), slug: slugOf(path) }
        if (!framed) {
          const text = yield* readPage(path)
          return { text, exact: true, json: { ...page, text } } satisfies Answer
        }
        const { nextOffset, text } = yield* readPageFramed(path, offset)
        const next = Option.isSome(nextOffset) ? { next_offset: nextOffset.value } : {}
        return { text, json: { ...page, text, ...next } } satisfies Answer
      })
    ).pipe(Effect.provide(projectLayer))
  )
)
