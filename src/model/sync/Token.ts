import { Either, Redacted, Schema } from "effect"

/** What a bearer is, as `ctx auth status` says it. Told by its shape alone. */
export const TokenKind = Schema.Literal(
  "personal access token",
  "invite key (NOT for CLI use)",
  "session token",
  "legacy API key"
)
export type TokenKind = typeof TokenKind.Type

/** The kind of a bearer: `ctxp_...`, `ctxi_...`, two dots (a JWT), else a key of an old server. */
export const kindOf = (bearer: Redacted.Redacted<string>): TokenKind => {
  const text = Redacted.value(bearer)
  if (text.startsWith("ctxp_")) return "personal access token"
  if (text.startsWith("ctxi_")) return "invite key (NOT for CLI use)"
  return text.split(".").length === 3 ? "session token" : "legacy API key"
}

/** The text is no token. The text itself is not shown: it may be most of one. */
export class InvalidToken extends Schema.TaggedError<InvalidToken>()("InvalidToken", { reason: Schema.String }) {
  override get message() {
    return `invalid token: ${this.reason}. Copy it again, on one line, and run 'ctx login --token <token>'.`
  }
}

const maxLength = 8192

/** A token as a person or a file gave it. Blanks and line ends around it do not count; inside, nothing invisible may be. */
export const parseToken = (input: string): Either.Either<Redacted.Redacted<string>, InvalidToken> => {
  const text = input.trim()
  if (text === "") return Either.left(new InvalidToken({ reason: "it is empty" }))
  if (text.length > maxLength)
    return Either.left(new InvalidToken({ reason: `it is longer than ${maxLength} characters` }))
  return /^[\x20-\x7e]+$/.test(text)
    ? Either.right(Redacted.make(text))
    : Either.left(new InvalidToken({ reason: "it holds line breaks, control characters or characters outside ASCII" }))
}

/** `abcd...wxyz`: enough to tell two tokens apart, too little to use one. Short ones are not shown at all. */
export const hintOf = (bearer: Redacted.Redacted<string>): string => {
  const text = Redacted.value(bearer)
  return text.length < 16 ? "****" : `${text.slice(0, 4)}...${text.slice(-4)}`
}
