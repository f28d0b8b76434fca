import { HelpDoc, Options, ValidationError } from "@effect/cli"
import { Effect, Option } from "effect"
import { forAgentLine } from "../../../model/Sanitise.ts"

/** How many of a list. */
export const limitOption = (most: number, usual: number) =>
  Options.integer("limit").pipe(
    Options.withPseudoName("N"),
    Options.withDescription(`how many commits, up to ${most} (default ${usual})`),
    Options.mapEffect((limit) =>
      limit >= 1 && limit <= most
        ? Effect.succeed(limit)
        : Effect.fail(ValidationError.invalidValue(HelpDoc.p(`want a number from 1 to ${most}`)))
    ),
    Options.withDefault(usual)
  )

export const cursorOption = Options.text("cursor").pipe(
  Options.withPseudoName("CURSOR"),
  Options.withDescription("where to go on: what the answer before named"),
  Options.optional
)

/** What is said, on stderr, where a list goes on. */
export const moreNote = (next: Option.Option<string>): ReadonlyArray<string> =>
  Option.match(next, {
    onNone: () => [],
    onSome: (cursor) => [`older commits: --cursor ${JSON.stringify(forAgentLine(cursor))}`]
  })
