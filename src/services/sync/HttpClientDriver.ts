import { FetchHttpClient, type HttpClient } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import process from "node:process"
import { type Asker, type ProxySettings, proxyVariables, usableVariables } from "../../model/sync/Proxy.ts"
import { environment } from "../runtime/Environment.ts"

// Not imported: an import reads every export of node:http, and with that loads all of fetch and WebSocket (120 ms).
const builtin = () => process.getBuiltinModule("node:http")

const asker = Effect.sync((): Asker => {
  if ("Deno" in globalThis) return "deno"
  return typeof Reflect.get(builtin(), "setGlobalProxyFromEnv") === "function" ? "node" : "old-node"
})

/** What the environment says of proxies, and who is to honour it. */
export const proxySettings: Effect.Effect<ProxySettings> = Effect.gen(function* () {
  const given = yield* Effect.forEach(proxyVariables, (name) =>
    Effect.map(
      environment(name),
      Option.map((value) => [name, value] as const)
    )
  )
  const variables = new Map(given.flatMap(Option.toArray))
  return { asker: variables.size === 0 ? "node" : yield* asker, variables }
})

/**
 * Node's fetch goes through the proxy that the environment names only when it is told to; Deno's does by itself. Where
 * this Node cannot be told (before 22.21 and 24.5), connections stay direct; so they do where a variable is no proxy's URL:
 * `proxyHint` and `ctx doctor` say so.
 */
const honourProxy = Effect.gen(function* () {
  const settings = yield* proxySettings
  const variables = Object.fromEntries(usableVariables(settings))
  if (settings.asker !== "node" || Object.keys(variables).every((name) => /^no_/i.test(name))) return
  yield* Effect.acquireRelease(
    Effect.sync(() => builtin().setGlobalProxyFromEnv(variables)),
    (restore) => Effect.sync(restore)
  )
})

/** HTTP for whatever talks to a server: fetch, through `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` where they are set (A38). */
export const layer: Layer.Layer<HttpClient.HttpClient> = Layer.merge(
  FetchHttpClient.layer,
  Layer.scopedDiscard(honourProxy)
)
