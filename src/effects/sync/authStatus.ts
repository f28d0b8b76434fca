import { Effect, Option } from "effect"
import { hintOf } from "../../model/sync/Token.ts"
import { Credentials } from "../../services/sync/Credentials.ts"
import { environment, hasTokenInEnvironment } from "../../services/runtime/Environment.ts"

/** Who this project is, to which server, as far as the stored token says. */
export interface AuthStatus {
  /** None: not authenticated. */
  readonly credential: Option.Option<{
    readonly serverUrl: string
    readonly kind: string
    readonly user: Option.Option<{ readonly name: string; readonly email: string }>
    /** `abcd...wxyz`, never the token. */
    readonly token: string
    readonly source: "environment" | "file"
  }>
  readonly notes: ReadonlyArray<string>
}

/** Reads the credentials; asks no server. Source: reference section 7, auth status. */
export const authStatus = Effect.fn("authStatus")(function* () {
  const stored = yield* (yield* Credentials).read
  const isPair = yield* hasTokenInEnvironment
  const hasLoneToken = !isPair && Option.isSome(yield* environment("CONTEXO_TOKEN"))
  return {
    credential: Option.map(stored, ({ bearer, kind, serverUrl, userEmail, userName }) => ({
      serverUrl,
      kind,
      user: Option.map(Option.fromNullable(userName || undefined), (name) => ({ name, email: userEmail ?? "" })),
      token: hintOf(bearer),
      source: isPair ? "environment" : "file"
    })),
    notes: hasLoneToken
      ? ["CONTEXO_TOKEN is set without CONTEXO_SERVER, so it is not used: a token is sent to the server it names only."]
      : []
  } satisfies AuthStatus
})
