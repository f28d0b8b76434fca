import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { writePage } from "../../effects/page/writePage.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import { writtenText } from "../render/write.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { bytesOf, UnreadableInput } from "./frame/content.ts"
import { jsonOption, slugArgument, typeOption } from "./frame/options.ts"
import { projectLayer } from "./frame/project.ts"
import { reply } from "./frame/Reply.ts"
import { Stdio } from "./frame/Stdio.ts"
import { UsageError } from "./frame/UsageError.ts"

const config = {
  slug: slugArgument,
  file: Args.text({ name: "FILE" }).pipe(
    Args.withDescription("markdown, with or without frontmatter; - or nothing: standard input"),
    Args.optional
  ),
  type: typeOption("what kind of page it is"),
  tag: Options.text("tag").pipe(
    Options.withPseudoName("TAG"),
    Options.withDescription("may be given again; without any, a page keeps its tags"),
    Options.repeated
  ),
  summary: Options.text("summary").pipe(
    Options.withPseudoName("TEXT"),
    Options.withDescription("one line for the index (reasoning_summary)"),
    Options.optional
  ),
  json: jsonOption
}

export const write = cliCommand(
  "write",
  "Writes a page. An existing one keeps when it was created and every field that is not given.",
  config,
  Command.make("write", config, ({ file, json, slug, summary, tag, type }) =>
    reply(
      json,
      Effect.gen(function* () {
        const body = yield* content(
          Option.getOrElse(file, () => "-"),
          Option.isNone(file)
        )
        const written = yield* writePage({
          slug,
          type,
          body,
          agent: "ctx-cli",
          ...(tag.length === 0 ? {} : { tags: tag }),
          ...(Option.isSome(summary) ? { reasoning_summary: summary.value } : {})
        })
        const { cleaned, created, dead, merged, path } = written
        return { text: writtenText(written), json: { path, created, merged, cleaned, dead } }
      })
    ).pipe(Effect.provide(projectLayer))
  )
)

/** The content of a file or of standard input, as text. A person who names neither is not left waiting. */
const content = (file: string, unnamed: boolean) =>
  Effect.gen(function* () {
    const stdio = yield* Stdio
    if (unnamed && stdio.stdinIsTty) {
      return yield* new UsageError({ command: "ctx write", reason: "name a FILE, or - to type the page" })
    }
    const text = decodeUtf8(yield* bytesOf(file))
    if (Option.isNone(text)) {
      return yield* new UnreadableInput({ file: file === "-" ? "standard input" : file, reason: "not UTF-8 text" })
    }
    return text.value
  })
