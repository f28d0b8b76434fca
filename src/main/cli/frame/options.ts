import { Args, HelpDoc, Options, ValidationError } from "@effect/cli"
import { Effect } from "effect"
import { pageTypes } from "../../../model/PageType.ts"

/** What every command that reads or lists takes. */
export const jsonOption = Options.boolean("json").pipe(Options.withDescription("print one JSON document"))

/** One of the four types of page. */
export const typeOption = (what: string) => Options.choice("type", pageTypes).pipe(Options.withDescription(what))

/** The name of a page. */
export const slugArgument = Args.text({ name: "SLUG" }).pipe(Args.withDescription("the page's name"))

/** Where a server listens. */
export const portOption = (usual: number) =>
  Options.integer("port").pipe(
    Options.withPseudoName("N"),
    Options.withDescription(`default ${usual}; 0 picks a free one`),
    Options.mapEffect((port) =>
      port >= 0 && port <= 65_535
        ? Effect.succeed(port)
        : Effect.fail(ValidationError.invalidValue(HelpDoc.p("want a number from 0 to 65535")))
    ),
    Options.withDefault(usual)
  )

export const hostOption = (usual: string) =>
  Options.text("host").pipe(
    Options.withPseudoName("H"),
    Options.withDescription(`default ${usual}, which only this machine reaches`),
    Options.withDefault(usual)
  )
