import { Either, Schema } from "effect"
import { isLoopback } from "./Loopback.ts"

/** The text given as a server's address is none that a token may be sent to. Never shows a password. */
export class InvalidServerUrl extends Schema.TaggedError<InvalidServerUrl>()("InvalidServerUrl", {
  url: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `invalid server URL ${JSON.stringify(this.url)}: ${this.reason}`
  }
}

const problemOf = (text: string): string | undefined => {
  if (text === "") return "it is empty"
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) return "it holds blanks, control characters or backslashes"
  if (!/^https?:\/\//i.test(text)) return "it must begin with https:// (or http://, for a server of your own)"
  if (!URL.canParse(text)) return "it is not a URL"
  const url = new URL(text)
  if (url.username !== "" || url.password !== "" || /^https?:\/\/[^/?#]*@/i.test(text)) {
    return "it carries a user name or password; give the address alone, and the token to 'ctx login'"
  }
  return /[?#]/.test(text) ? "it must not have a query or a fragment" : undefined
}

/** The one way in which an address is written: lower-case host, no default port, no trailing slash. */
const normal = (text: string): string => {
  const url = new URL(text)
  return url.origin + url.pathname.replace(/\/+$/, "")
}

/**
 * Address of a sync server, such as `https://ctx.example.com` or `http://127.0.0.1:4848/team`: http or https, a path
 * prefix at most, no credentials, no trailing slash.
 */
export const ServerUrl = Schema.String.pipe(
  Schema.filter((text) => problemOf(text) ?? (normal(text) === text || `write it as ${normal(text)}`)),
  Schema.brand("ServerUrl")
)
export type ServerUrl = typeof ServerUrl.Type

/** The address that a person or a file gave, normalised; blanks around it do not count. */
export const parseServerUrl = (input: string): Either.Either<ServerUrl, InvalidServerUrl> => {
  const text = input.trim()
  const reason = problemOf(text)
  return reason === undefined
    ? Either.right(ServerUrl.make(normal(text)))
    : Either.left(new InvalidServerUrl({ url: withoutPassword(text), reason }))
}

/** What a token is bound to: scheme, host and port. */
export const originOf = (url: ServerUrl): string => new URL(url).origin

/** Whether an address, as a file gives it, has this origin. Text that is no address has none. */
export const isSameOrigin = (url: ServerUrl, text: string): boolean =>
  Either.match(parseServerUrl(text), { onLeft: () => false, onRight: (other) => originOf(other) === originOf(url) })

/**
 * Whether a token would cross a network unencrypted: plain http to another machine. Names below `.localhost` are meant to be
 * this one.
 */
export const isExposed = (url: ServerUrl): boolean => {
  const { hostname, protocol } = new URL(url)
  return protocol === "http:" && !isLoopback(hostname) && !hostname.endsWith(".localhost")
}

const withoutPassword = (text: string): string => text.replace(/^([a-z][a-z0-9+.-]*:\/*)?[^/?#]*@/i, "$1…@")
