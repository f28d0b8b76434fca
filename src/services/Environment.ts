import { Config, Effect, Option } from "effect"

/** A variable of the environment. Unset, empty and blank are the same: not given. */
export const environment = (name: string): Effect.Effect<Option.Option<string>> =>
  Effect.map(
    Effect.option(Config.string(name)),
    Option.filter((text) => text.trim() !== "")
  )
