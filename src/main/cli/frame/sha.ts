import { Options } from "@effect/cli"
import { Effect, Option, Schema } from "effect"
import { Sha } from "../../../model/page/Sha.ts"
import { UsageError } from "./UsageError.ts"

/** An option that names a commit. */
export const shaOption = (name: string, what: string) =>
  Options.text(name).pipe(Options.withPseudoName("SHA"), Options.withDescription(what), Options.optional)

/** Only hex ever becomes part of a URL (A30). */
export const decodeSha = (command: string, name: string, text: string): Effect.Effect<Sha, UsageError> =>
  Effect.mapError(
    Schema.decode(Sha)(text.toLowerCase()),
    () =>
      new UsageError({
        command,
        reason: `${name} wants a commit id of 7 to 64 hex digits, not ${JSON.stringify(text)}`
      })
  )

/** The value of a `shaOption`. */
export const readSha =
  (command: string) =>
  (name: string, text: Option.Option<string>): Effect.Effect<Sha | undefined, UsageError> =>
    Option.match(text, {
      onNone: () => Effect.succeed(undefined),
      onSome: (given) => decodeSha(command, name, given)
    })
