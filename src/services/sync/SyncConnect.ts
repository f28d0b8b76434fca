import { Context, type Redacted } from "effect"
import type { SyncConnection } from "./SyncClient.ts"

/** A server, and who we are to it. */
export interface Remote {
  /** With or without a path prefix or a trailing slash. */
  readonly serverUrl: string
  /** Sent to the origin of `serverUrl` only, as `Authorization: Bearer`. */
  readonly bearer: Redacted.Redacted<string>
  /** Needed by the calls that concern one repository: without it they fail with `NotConfigured`. */
  readonly repo?: string | undefined
}

/** Opens connections to servers that need not be the project's own: what `ctx login` checks a token with. */
export class SyncConnect extends Context.Tag("ctx-mcp/SyncConnect")<
  SyncConnect,
  {
    /** Asks nothing yet: each call of the connection is one request. */
    readonly to: (remote: Remote) => SyncConnection
  }
>() {}

/** Who asks, as the server's activity log names it (`X-Contexo-Client` on pulls). Provide another to change it. */
export class ClientName extends Context.Reference<ClientName>()("ctx-mcp/ClientName", {
  defaultValue: () => "ctx-mcp"
}) {}
