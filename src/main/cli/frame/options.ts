import { Args, Options } from "@effect/cli"
import { pageTypes } from "../../../model/PageType.ts"

/** What every command that reads or lists takes. */
export const jsonOption = Options.boolean("json").pipe(Options.withDescription("print one JSON document"))

/** One of the four types of page. */
export const typeOption = (what: string) => Options.choice("type", pageTypes).pipe(Options.withDescription(what))

/** The name of a page. */
export const slugArgument = Args.text({ name: "SLUG" }).pipe(Args.withDescription("the page's name"))
