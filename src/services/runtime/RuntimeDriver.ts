/** Driver for what this program runs on. */
import { Effect } from "effect"

/** Versions as the runtime tells them. Deno tells a Node version of its own choosing too. */
export interface Runtime {
  readonly node: string
  readonly deno?: string | undefined
}

export const runtime: Effect.Effect<Runtime> = Effect.sync(() => ({
  node: process.versions.node,
  deno: process.versions["deno"]
}))
