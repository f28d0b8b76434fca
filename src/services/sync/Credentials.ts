import { Context, type Effect, type Option, type Redacted } from "effect"
import type { CorruptFile, FileFailure } from "../files/FileFailure.ts"
import type { LockTimeout } from "../project/ProjectLock.ts"

/** Who we are to which server. The bearer leaves this value only towards the origin of `serverUrl`. */
export interface Credential {
  readonly bearer: Redacted.Redacted<string>
  /** `personal access token`, `session token`, `legacy API key` or `invite key (NOT for CLI use)`. */
  readonly kind: string
  readonly serverUrl: string
  readonly userName?: string | undefined
  readonly userEmail?: string | undefined
}

/** `.contexo/credentials.json` (0600), or `CONTEXO_TOKEN` together with `CONTEXO_SERVER`, which win. */
export class Credentials extends Context.Tag("ctx-mcp/Credentials")<
  Credentials,
  {
    /** None: no file, or one without a bearer. */
    readonly read: Effect.Effect<Option.Option<Credential>, CorruptFile | FileFailure>
    readonly write: (
      credential: Omit<Credential, "kind">
    ) => Effect.Effect<void, CorruptFile | FileFailure | LockTimeout>
  }
>() {}
