import { FetchHttpClient, type HttpClient } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import process from "node:process"
import { environment } from "./Environment.ts"

const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"] as const

/**
 * Node's fetch goes through the proxy that the environment names only when it is told to; Deno's does by itself. Where
 * this Node cannot be told (before 22.21 and 24.5), connections stay direct.
 */
const honourProxy = Effect.gen(function* () {
  if ("Deno" in globalThis) return
  const given = yield* Effect.forEach(names, (name) =>
    Effect.map(
      environment(name),
      Option.map((value) => [name, value] as const)
    )
  )
  const variables = Object.fromEntries(given.flatMap(Option.toArray))
  if (Object.keys(variables).every((name) => /^no_/i.test(name))) return
  // Not imported: an import reads every export of node:http, and with that loads all of fetch and WebSocket (120 ms).
  const http = process.getBuiltinModule("node:http")
  const set: unknown = Reflect.get(http, "setGlobalProxyFromEnv")
  if (typeof set !== "function") return
  yield* Effect.acquireRelease(
    Effect.sync(() => http.setGlobalProxyFromEnv(variables)),
    (restore) => Effect.sync(restore)
  )
})

/** HTTP for whatever talks to a server: fetch, through `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` where they are set (A38). */
export const layer: Layer.Layer<HttpClient.HttpClient> = Layer.merge(
  FetchHttpClient.layer,
  Layer.scopedDiscard(honourProxy)
)
