import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { findPage } from "../../effects/page/findPage.ts"
import { renamePage } from "../../effects/page/renamePage.ts"
import { type PageType, pageTypes } from "../../model/page/PageType.ts"
import { renamedJson, renamedText } from "../render/serverEdits.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption, messageOption, typeOption } from "./frame/options.ts"
import { withProgress } from "./frame/progress.ts"
import { projectLayer } from "./frame/project.ts"
import { reply } from "./frame/Reply.ts"

const config = {
  old: Args.text({ name: "OLD" }).pipe(Args.withDescription("the page's name, or type/name (concept/retry-rule)")),
  new: Args.text({ name: "NEW" }).pipe(Args.withDescription("its new name; the same one with --type")),
  type: typeOption("the new type; default: it stays").pipe(Options.optional),
  message: messageOption,
  json: jsonOption
}

export const mv = cliCommand(
  "mv",
  "Renames a page for the whole team, on the server at once. Pages that name it are changed in the same commit.",
  config,
  Command.make("mv", config, ({ json, message, new: slug, old, type }) =>
    reply(
      json,
      Effect.gen(function* () {
        const path = yield* findPage(...named(old))
        const renamed = yield* withProgress("renaming")(
          renamePage(path, { slug, type: Option.getOrUndefined(type), message: Option.getOrUndefined(message) })
        )
        return { text: renamedText(renamed), json: renamedJson(renamed) }
      })
    ).pipe(Effect.provide(projectLayer))
  )
)

/** `concept/retry-rule` says which one, where pages of several types share the name: `--type` is the new type here. */
const named = (old: string): readonly [slug: string, type?: PageType] => {
  const type = pageTypes.find((one) => old.startsWith(`${one}/`))
  return type === undefined ? [old] : [old.slice(type.length + 1), type]
}
