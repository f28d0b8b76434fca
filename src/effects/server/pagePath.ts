import { Effect } from "effect"
import { type PagePath, parsePagePath } from "../../model/page/PagePath.ts"
import { InvalidRequest } from "./errors.ts"

/** A page's path as it came in. Everything else than the four page folders is refused, `..`, `-x` and `config.json` included. */
export const requirePagePath = (text: string): Effect.Effect<PagePath, InvalidRequest> =>
  Effect.mapError(parsePagePath(text), () => new InvalidRequest({ reason: `invalid file path: ${excerpt(text)}` }))

/** The beginning of a text that somebody sent, on one line. */
export const excerpt = (text: string): string => {
  const line = text.toWellFormed().replace(/[\p{Cc}\u2028\u2029]/gu, "\ufffd")
  return line.length <= 250 ? line : `${line.slice(0, 250).toWellFormed()}…`
}
