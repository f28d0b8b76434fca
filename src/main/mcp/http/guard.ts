import { Option } from "effect"
import { sha256 } from "../../../model/text/Hash.ts"
import { isLoopback } from "../../../model/sync/Loopback.ts"

/** What a request says of itself. */
export interface Claims {
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly authorization: string | undefined
}

export interface Refusal {
  readonly status: 401 | 403
  readonly reason: string
}

/**
 * Whether a request is listened to. Anybody's page in a browser on this machine can send requests here, under a name that
 * it lets resolve to 127.0.0.1: so the `Host` must be loopback, whose names and addresses nobody can lead elsewhere, or the one
 * that is served; and an `Origin`, which browsers send, as well (A29).
 *
 * @param served the `--host`
 * @param token None: no token is asked for
 */
export const refusalOf = (
  { authorization, host, origin }: Claims,
  served: string,
  token: Option.Option<string>
): Option.Option<Refusal> => {
  const allowed = (url: string) =>
    Option.exists(hostnameOf(url), (name) => isLoopback(name) || name === served || name === `[${served}]`)
  if (host === undefined || !allowed(`http://${host}`)) {
    return Option.some({ status: 403, reason: "this Host is not served here" })
  }
  if (origin !== undefined && !allowed(origin)) {
    return Option.some({ status: 403, reason: "pages of this Origin are not served here" })
  }
  // Hashes of equal length say nothing, by the time that comparing takes, of the token.
  const given = sha256(/^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "")
  return Option.exists(token, (wanted) => sha256(wanted) !== given)
    ? Option.some({ status: 401, reason: "want the token of CONTEXO_HTTP_TOKEN as Authorization: Bearer" })
    : Option.none()
}

const hostnameOf = (url: string): Option.Option<string> =>
  URL.canParse(url) ? Option.some(new URL(url).hostname) : Option.none()
