import { Option } from "effect"

/** What HTTP requests are made with. Each heeds other variables, in other forms; an old Node heeds none. */
export type Asker = "node" | "old-node" | "deno"

export const proxyVariables = [
  "https_proxy",
  "HTTPS_PROXY",
  "http_proxy",
  "HTTP_PROXY",
  "all_proxy",
  "ALL_PROXY",
  "no_proxy",
  "NO_PROXY"
] as const
export type ProxyVariable = (typeof proxyVariables)[number]

/** What the environment says of proxies. Values may hold a name and a password: they are never shown. */
export interface ProxySettings {
  readonly asker: Asker
  /** Those that are set, and not to blanks. */
  readonly variables: ReadonlyMap<ProxyVariable, string>
}

/** A variable that is set, and why nothing, or not all of it, comes of it. */
export interface Unheeded {
  readonly variable: ProxyVariable
  readonly reason: string
  readonly advice: string
}

/** The proxy that a server is asked through: scheme, host and port. */
export interface ProxyInUse {
  readonly variable: ProxyVariable
  readonly address: string
}

type Names = ReadonlyArray<ProxyVariable>
const bypass: Names = ["no_proxy", "NO_PROXY"]
const forAny: Names = ["all_proxy", "ALL_PROXY"]
const forHttp: Names = ["http_proxy", "HTTP_PROXY"]
const forHttps: Names = ["https_proxy", "HTTPS_PROXY"]

const schemes: Readonly<Record<Asker, ReadonlyArray<string>>> = {
  node: ["http", "https"],
  "old-node": [],
  deno: ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
}

/** Which variables say something that does not happen. Source: public case A38. */
export const unheeded = ({ asker, variables }: ProxySettings): ReadonlyArray<Unheeded> => {
  const usable = usableVariables({ asker, variables })
  const proxied = [...usable.keys()].some((name) => !bypass.includes(name))
  return [...variables].flatMap(([variable, text]) => {
    if (bypass.includes(variable)) return proxied ? unheededBypass(asker, variable, text) : []
    if (usable.has(variable)) return []
    if (asker === "old-node") {
      return [{ variable, reason: "this Node honours no proxy variables", advice: "use Node 22.21, 24.5 or newer" }]
    }
    if (asker === "node" && forAny.includes(variable)) {
      return proxied ? [] : [{ variable, reason: "Node does not honour it", advice: "set HTTPS_PROXY and HTTP_PROXY" }]
    }
    const scheme = /^\s*([a-z][a-z0-9+.-]{0,19}):\/\//i.exec(text)?.[1]?.toLowerCase()
    return scheme === undefined || schemes[asker].includes(scheme)
      ? [{ variable, reason: "it is not the URL of a proxy", advice: `write ${variable} as http://host:port` }]
      : [{ variable, reason: `${scheme}:// is no kind of proxy that works here`, advice: "name an http:// proxy" }]
  })
}

const unheededBypass = (asker: Asker, variable: ProxyVariable, text: string): ReadonlyArray<Unheeded> => {
  const strange = entriesOf(text).filter((entry) => (asker === "deno" ? strangeToDeno : strangeToNode).test(entry))
  if (strange.length === 0) return []
  const shown = strange
    .slice(0, 3)
    .map((entry) => (entry.includes("@") ? "an entry with an @" : entry))
    .join(", ")
  const reason = `what it says of ${shown}${strange.length > 3 ? ` and ${strange.length - 3} more` : ""} is not understood here`
  return [{ variable, reason, advice: "name each host in full, or a domain as .example.com" }]
}

/** Ranges and networks, and a star within a name. */
const strangeToNode = /[/]|^[\d.]+-[\d.]+$|.\*/
/** Ranges, ports, and a star within a name. */
const strangeToDeno = /^[\d.]+-[\d.]+$|^[^:]+:\d+$|.\*|^\*./

const entriesOf = (text: string) => text.split(/[,\s]+/).filter((entry) => entry !== "")

/**
 * The variables that can be heeded, as they are to be heeded: those that a runtime would stumble over left out, and the forms
 * of `NO_PROXY` that only mean the same put in those that it knows.
 */
export const usableVariables = ({ asker, variables }: ProxySettings): ReadonlyMap<ProxyVariable, string> => {
  const usable = new Map<ProxyVariable, string>()
  for (const [name, text] of variables) {
    if (bypass.includes(name)) usable.set(name, asker === "node" ? plainBypass(text) : text)
    else if (asker === "node" && forAny.includes(name)) continue
    else if (Option.isSome(proxyUrl(asker, text))) usable.set(name, text.trim())
  }
  return usable
}

const plainBypass = (text: string) => {
  const entries = entriesOf(text)
  return entries.includes("*") ? "*" : entries.map((entry) => (isBareIpv6(entry) ? `[${entry}]` : entry)).join(",")
}

const isBareIpv6 = (entry: string) => /^[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*$/i.test(entry)

const proxyUrl = (asker: Asker, text: string): Option.Option<URL> => {
  // Deno takes a host without a scheme.
  const whole = asker === "deno" && !/:\/\//.test(text) ? `http://${text.trim()}` : text
  if (!URL.canParse(whole)) return Option.none()
  const url = new URL(whole)
  return url.hostname !== "" && schemes[asker].includes(url.protocol.slice(0, -1)) ? Option.some(url) : Option.none()
}

/** The proxy that a server is asked through. None: directly. */
export const proxyFor = (settings: ProxySettings, server: URL): Option.Option<ProxyInUse> => {
  const usable = usableVariables(settings)
  const names =
    settings.asker === "deno"
      ? [...(server.protocol === "https:" ? forHttps : forHttp), ...forAny]
      : [...(server.protocol === "https:" ? forHttps : []), ...forHttp]
  const variable = names.find((name) => usable.has(name))
  const exempt = bypass.map((name) => usable.get(name)).find((text) => text !== undefined)
  if (variable === undefined || (exempt !== undefined && isExempt(exempt, server))) return Option.none()
  return Option.map(proxyUrl(settings.asker, usable.get(variable) ?? ""), ({ host, protocol }) => ({
    variable,
    address: `${protocol}//${host}`
  }))
}

const isExempt = (list: string, { hostname, port, protocol }: URL): boolean =>
  entriesOf(list).some((entry) => {
    const [, name = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? []
    if (only !== undefined && only !== (port || (protocol === "https:" ? "443" : "80"))) return false
    const domain = name.replace(/^\*?\./, "").toLowerCase()
    return entry === "*" || hostname === domain || hostname.endsWith(`.${domain}`)
  })

/** What a person should know of proxies when a server did not answer. Empty: nothing. */
export const proxyHint = (settings: ProxySettings, server: URL): string => {
  const via = Option.map(
    proxyFor(settings, server),
    ({ address, variable }) =>
      `${variable} names the proxy ${address}: correct it if that is wrong, or name ${server.hostname} in NO_PROXY`
  )
  return [
    ...Option.toArray(via),
    ...unheeded(settings).map(({ advice, reason, variable }) => `${variable} is set, but ${reason}: ${advice}`)
  ].join("; ")
}
