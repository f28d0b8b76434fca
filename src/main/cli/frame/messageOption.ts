import { Options } from "@effect/cli"

/** `-m`: what a commit says. */
export const messageOption = Options.text("message").pipe(
  Options.withAlias("m"),
  Options.withPseudoName("TEXT"),
  Options.withDescription("the commit's message"),
  Options.optional
)
