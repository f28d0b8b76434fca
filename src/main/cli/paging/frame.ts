import { Args, Options } from "@effect/cli"
import { Path } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { ofBytes, ofText } from "../../../model/paging/Content.ts"
import { PagingDatabase } from "../../../services/paging/PagingDatabase.ts"
import { PagingPlace } from "../../../services/paging/PagingPlace.ts"
import { RootOption } from "../frame/CliCommand.ts"
import { numberOption } from "../frame/options.ts"
import { Stdio } from "../frame/Stdio.ts"

/** The paging database of the folder that a command runs in, or that `--root` names. No `.contexo/` is needed. */
export const pagingLayer = PagingDatabase.layer.pipe(
  Layer.provideMerge(
    Layer.unwrapEffect(
      Effect.gen(function* () {
        const path = yield* Path.Path
        const root = yield* RootOption
        return PagingPlace.layer(path.resolve(Option.getOrElse(root, () => ".")))
      })
    )
  )
)

export const contentArgument = Args.text({ name: "CONTENT" }).pipe(
  Args.withDescription("exact content; - for standard input")
)

/** The content that the command line carries or, of `-`, standard input, byte for byte. */
export const contentOf = (given: string) =>
  given === "-"
    ? Effect.map(
        Effect.flatMap(Stdio, ({ input }) => input),
        ofBytes
      )
    : Effect.succeed(ofText(given))

export const sinceOption = Options.text("since").pipe(
  Options.withPseudoName("DUR"),
  Options.withDescription("how far back: 30m, 24h, 7d or any (default: the past hour)"),
  Options.optional
)

export const roleOption = Options.text("role").pipe(
  Options.withPseudoName("R,R"),
  Options.withDescription("only these: user, thinking, assistant, tool_call, tool, system"),
  Options.optional
)

export const allOption = (about: string) => Options.boolean("all").pipe(Options.withDescription(about))

export const fullOption = Options.boolean("full").pipe(Options.withDescription("whole contents, exactly"))

export const pageLimitOption = numberOption("limit", "how many, the newest (default 20)", 1, 1_000, 20)
