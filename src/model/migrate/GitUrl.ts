import { Either, Option } from "effect"

/** The address of a repository that somebody named, taken apart. */
export interface GitUrl {
  /** What git is told: without a password, so that no process list, no config and no message holds one. */
  readonly address: string
  /** What a person is shown: without query too, which may hold a token. */
  readonly shown: string
  /** The scheme, `ssh` for `git@host:path`. */
  readonly scheme: (typeof schemes)[number]
  /** Of an `http` or `https` address. */
  readonly login: Option.Option<{ readonly user: string; readonly password: string }>
}

const schemes = ["https", "http", "ssh", "git", "file"] as const

/**
 * Whether a text is meant as an address and not as a folder: it has a scheme, or a transport (`ext::`), or is written as
 * `user@host:path`. A drive (`C:\notes`) is none.
 */
export const isGitUrl = (text: string): boolean =>
  /^[A-Za-z][A-Za-z0-9+.-]+:(?:\/\/|:)/.test(text) || /^[^@/\\:]+@[^/\\:]+:/.test(text)

/**
 * Reads an address. Left says, in words, why it is refused: a scheme that could run a command (`ext::`), a host or a path
 * that a program would take for an option, or characters that end a line.
 *
 * @example parseGitUrl("https://ada:pw@git.example/acme/api.git") // address and shown: "https://git.example/acme/api.git"
 *
 * Source: public case A30.
 */
export const parseGitUrl = (text: string): Either.Either<GitUrl, string> => {
  if (text.startsWith("-")) return Either.left("an address does not begin with '-'")
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]|%(?:[01][0-9a-f]|7f)/iu.test(text)) {
    return Either.left("it holds a control character or a backslash")
  }
  const whole = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(.*)$/.exec(text)
  if (whole !== null) return readWhole(whole[1] ?? "", whole[2] ?? "", whole[3] ?? "", whole[4] ?? "")
  const short = /^([^@/:]+)@([^/:@]+):(.+)$/.exec(text)
  if (short !== null) return readShort(text, short[1] ?? "", short[2] ?? "", short[3] ?? "")
  return Either.left(`want ${schemes.map((scheme) => `${scheme}://`).join(", ")} or user@host:path`)
}

const readWhole = (scheme: string, authority: string, path: string, rest: string): Either.Either<GitUrl, string> => {
  const known = schemes.find((one) => one === scheme.toLowerCase().replace(/^git\+ssh$|^ssh\+git$/, "ssh"))
  if (known === undefined) {
    return Either.left(`${scheme}:// is not a scheme that is fetched from (want ${schemes.join(", ")})`)
  }
  const at = authority.lastIndexOf("@")
  const [login, host] = at === -1 ? ["", authority] : [authority.slice(0, at), authority.slice(at + 1)]
  if (known === "file" ? !/^(?:localhost)?$/i.test(authority) : !isHost(host)) return Either.left("it names no host")
  if (/^\/*$/.test(path)) return Either.left("it names no repository")
  const colon = login.indexOf(":")
  const user = colon === -1 ? login : login.slice(0, colon)
  if (user.startsWith("-")) return Either.left("a user's name does not begin with '-'")
  const http = known === "https" || known === "http"
  const bare = `${known}://${http || user === "" ? "" : `${user}@`}${host}${path}`
  return Either.right({
    address: bare + rest,
    shown: bare,
    scheme: known,
    login:
      http && login !== ""
        ? Option.some({ user: plain(user), password: plain(colon === -1 ? "" : login.slice(colon + 1)) })
        : Option.none()
  })
}

const readShort = (text: string, user: string, host: string, path: string): Either.Either<GitUrl, string> => {
  if (!isHost(host) || user.startsWith("-")) return Either.left("it names no host")
  if (path.startsWith("-")) return Either.left("a path does not begin with '-'")
  return Either.right({ address: text, shown: text, scheme: "ssh", login: Option.none() })
}

/** A name, a number or `[::1]`, with a port; never what ssh would take for an option. */
const isHost = (host: string): boolean =>
  /^(?:\[[0-9a-f:.]+\]|[\p{L}\p{N}_][\p{L}\p{N}._~-]*)(?::\d{1,5})?$/iu.test(host)

const plain = (text: string): string => Option.getOrElse(Option.liftThrowable(decodeURIComponent)(text), () => text)

/** A message of git without what an address holds and nobody is to see. */
export const withoutLogins = (message: string): string =>
  message.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/'"]*@/gi, "$1").replace(/(:\/\/[^\s'"?#]+)[?#][^\s'"]*/g, "$1")
