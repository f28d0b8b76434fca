import { Config, Effect, Option } from "effect"

/** A variable of the environment. Unset, empty and blank are the same: not given. */
export const environment = (name: string): Effect.Effect<Option.Option<string>> =>
  Effect.map(
    Effect.option(Config.string(name)),
    Option.filter((text) => text.trim() !== "")
  )

/** Whether the environment says who we are to which server: `CONTEXO_TOKEN` together with `CONTEXO_SERVER`. */
export const hasTokenInEnvironment: Effect.Effect<boolean> = Effect.map(
  Effect.all([environment("CONTEXO_TOKEN"), environment("CONTEXO_SERVER")]),
  (pair) => pair.every(Option.isSome)
)
