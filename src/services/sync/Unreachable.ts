import type { HttpClientError } from "@effect/platform"
import { Effect } from "effect"
import { proxyHint } from "../../model/sync/Proxy.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { proxySettings } from "./HttpClientDriver.ts"
import { ServerUnreachable } from "./SyncClient.ts"

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the host name could not be looked up",
  ETIMEDOUT: "connecting timed out",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "the network is unreachable",
  UND_ERR_SOCKET: "the connection was closed before the answer was complete",
  UND_ERR_CONNECT_TIMEOUT: "connecting timed out"
}

/** The innermost known reason. Fetch hides it in `cause`, behind "fetch failed". */
export const whyUnreachable = (error: HttpClientError.HttpClientError): string => {
  let reason = "no connection"
  let cause: unknown = error.cause
  for (let depth = 0; cause instanceof Error && depth < 5; depth++) {
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined
    reason = (code === undefined ? undefined : causes[code]) ?? (cause.message || code || reason)
    cause = cause.cause
  }
  const status = /^Proxy response \((\d{3})\)/.exec(reason)?.[1]
  return status === undefined ? reason : refusedByProxy(Number(status))
}

/** What a proxy's own answer means. */
export const refusedByProxy = (status: number): string =>
  `the proxy answered ${status}${status === 407 ? ", it wants a name and a password" : ""}`

/** Adds what the environment says of proxies: it may be the reason, and it is easily forgotten (A38). */
export const withProxyHint = (failure: ServerUnreachable): Effect.Effect<never, ServerUnreachable> =>
  Effect.flatMap(proxySettings, (settings) => {
    const hint = forAgentLine(proxyHint(settings, new URL(failure.url)))
    return hint === ""
      ? failure
      : new ServerUnreachable({ url: failure.url, reason: `${failure.reason}; ${hint.slice(0, 600)}` })
  })
