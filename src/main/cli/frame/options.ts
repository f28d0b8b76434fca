import { Args, HelpDoc, Options, ValidationError } from "@effect/cli"
import { Effect } from "effect"
import { pageTypes } from "../../../model/page/PageType.ts"

/** What every command that reads or lists takes. */
export const jsonOption = Options.boolean("json").pipe(Options.withDescription("print one JSON document"))

/** One of the four types of page. */
export const typeOption = (what: string) => Options.choice("type", pageTypes).pipe(Options.withDescription(what))

/** The name of a page. */
export const slugArgument = Args.text({ name: "SLUG" }).pipe(Args.withDescription("the page's name"))

/** `-m`: what a commit says. */
export const messageOption = Options.text("message").pipe(
  Options.withAlias("m"),
  Options.withPseudoName("TEXT"),
  Options.withDescription("the commit's message"),
  Options.optional
)

/** A whole number between two others, both included. */
export const numberOption = (name: string, about: string, least: number, most: number, usual: number) =>
  Options.integer(name).pipe(
    Options.withPseudoName("N"),
    Options.withDescription(about),
    Options.mapEffect((number) =>
      number >= least && number <= most
        ? Effect.succeed(number)
        : Effect.fail(ValidationError.invalidValue(HelpDoc.p(`want a number from ${least} to ${most}`)))
    ),
    Options.withDefault(usual)
  )

/** Where a server listens. */
export const portOption = (usual: number) =>
  numberOption("port", `default ${usual}; 0 picks a free one`, 0, 65_535, usual)

export const hostOption = (usual: string) =>
  Options.text("host").pipe(
    Options.withPseudoName("H"),
    Options.withDescription(`default ${usual}, which only this machine reaches`),
    Options.withDefault(usual)
  )
