import type { FileSystem, Path } from "@effect/platform"
import type { Effect } from "effect"
import type { Request } from "./methods.ts"
import type { RpcFailure } from "./Rpc.ts"
import type { Subscriptions } from "./Subscriptions.ts"

export type Platform = FileSystem.FileSystem | Path.Path

/** Lists of which a client may be told that they changed. */
export type List = "tools" | "resources" | "prompts"

/** One client, as long as it is connected. */
export interface Client {
  readonly subscriptions: Subscriptions
  /** Lists that it may have seen while there was no project, and that are different since. */
  readonly outdated: Set<List>
  /** Says that what is at a URI reads otherwise now. */
  readonly updated: (uri: string) => Effect.Effect<void>
  readonly listChanged: (list: List) => Effect.Effect<void>
}

/** What is served to clients: everything that the SDK does not do itself. */
export interface App {
  readonly answer: (request: Request, client: Client) => Effect.Effect<object, RpcFailure, Platform>
  /** Tells a client what it wants to hear about, for as long as it can be told. */
  readonly follow: (client: Client) => Effect.Effect<never, never, Platform>
  /** Warns, within bounds, of what a client sent that could not be used. */
  readonly odd: (reason: string) => Effect.Effect<void>
}
