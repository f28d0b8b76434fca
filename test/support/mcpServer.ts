import { Effect } from "effect"
import { PassThrough } from "node:stream"
import { serve } from "../../src/main/mcp/serve.ts"
import { peer } from "./mcp.ts"
import { freshPlace } from "./place.ts"

/** A server in this process over a folder, and a client that has shaken hands with it. */
export const servedAt = Effect.fnUntraced(function* (cwd: string) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  yield* Effect.forkScoped(serve({ where: { cwd }, input, output }))
  const client = peer(input, output)
  yield* client.greet()
  return client
})

/** The same over a new project. */
export const servedProject = Effect.gen(function* () {
  const place = yield* freshPlace
  yield* place.makeFolder(".contexo")
  return { place, client: yield* servedAt(place.folder) }
})

/** The file of a page. */
export const pageFile = (body: string, fields: Readonly<Record<string, string>> = {}): string => {
  const all = { author: "dev", created: "2026-01-01T00:00:00Z", updated: "2026-01-02T00:00:00Z", ...fields }
  return `---\n${Object.entries(all)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join("")}---\n${body}`
}
