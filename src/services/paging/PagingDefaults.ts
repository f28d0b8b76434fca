import { Context, Effect, Option } from "effect"
import { environment } from "../runtime/Environment.ts"

/** Whose session it is, where nobody names one: None for what the environment says. */
export class PagingSession extends Context.Reference<PagingSession>()("ctx-mcp/PagingSession", {
  defaultValue: () => Option.none<string>()
}) {}

const variable = (name: string) =>
  Effect.map(
    environment(name),
    Option.filter((text: string) => text.trim() !== "")
  )

/** The current session's key: `CP_SESSION`, else `manual`. */
export const currentSession = Effect.gen(function* () {
  const given = yield* PagingSession
  return Option.isSome(given) ? given.value : Option.getOrElse(yield* variable("CP_SESSION"), () => "manual")
})

/** The topic of a page that names none: `CP_TOPIC`, else `general`. */
export const defaultTopic = Effect.map(
  variable("CP_TOPIC"),
  Option.getOrElse(() => "general")
)

/** The tags of a page that names none: `CP_TAGS`, parted by commas. */
export const defaultTags = Effect.map(variable("CP_TAGS"), (tags) =>
  Option.getOrElse(tags, () => "")
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "")
)
