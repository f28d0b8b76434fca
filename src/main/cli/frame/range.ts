import { Options } from "@effect/cli"
import { Option } from "effect"
import { forAgentLine } from "../../../model/text/Sanitise.ts"
import { numberOption } from "./options.ts"

/** How many of a list. */
export const limitOption = (most: number, usual: number, what = "commits") =>
  numberOption("limit", `how many ${what}, up to ${most} (default ${usual})`, 1, most, usual)

export const cursorOption = Options.text("cursor").pipe(
  Options.withPseudoName("CURSOR"),
  Options.withDescription("where to go on: what the answer before named"),
  Options.optional
)

/** What is said, on stderr, where a list goes on. */
export const moreNote = (next: Option.Option<string>, what = "older commits"): ReadonlyArray<string> =>
  Option.match(next, {
    onNone: () => [],
    onSome: (cursor) => [`${what}: --cursor ${JSON.stringify(forAgentLine(cursor))}`]
  })
