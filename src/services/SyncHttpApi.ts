import {
  HttpApi,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema,
  HttpApiSecurity
} from "@effect/platform"
import { Schema } from "effect"
import { SectionDiff } from "../model/SectionDiff.ts"
import { CurrentUser } from "./server/CurrentUser.ts"
import {
  CreatedRepo,
  CreatedToken,
  CreateRepo,
  CreateToken,
  ErrorBody,
  Health,
  PageList,
  PullAnswer,
  PushAnswer,
  PushBody,
  RepoList,
  Timeline,
  TokenList,
  User,
  UserPatch
} from "./SyncApi.ts"

/**
 * The v1 sync API (reference section 8) as a value: what the server implements and what describes it to others.
 *
 * Paths that end in `*` take a page's path, each segment percent-encoded. The client that `HttpApiClient` derives sends a
 * literal `*` there, so our own client builds its URLs by hand.
 */

/** A refusal with one status; on the wire `{"error", "code"?}`. */
const refusal = <const Status extends number>(status: Status) =>
  Schema.transform(
    ErrorBody,
    Schema.Struct({
      status: Schema.Literal(status),
      error: Schema.String,
      code: Schema.optional(Schema.String)
    }),
    {
      strict: true,
      decode: (body) => ({ status, ...body }),
      encode: ({ code, error }) => ({ error, ...(code === undefined ? {} : { code }) })
    }
  ).annotations(HttpApiSchema.annotations({ status }))

const refusals = {
  400: refusal(400),
  401: refusal(401),
  403: refusal(403),
  404: refusal(404),
  409: refusal(409),
  413: refusal(413),
  500: refusal(500)
} as const

/** Why a request was not carried out. */
export const Refusal = Schema.Union(...Object.values(refusals))
export type Refusal = typeof Refusal.Type

/** Finds the user of the bearer token. */
export class Authentication extends HttpApiMiddleware.Tag<Authentication>()("ctx-mcp/Authentication", {
  failure: Schema.Union(refusals[401], refusals[500]),
  provides: CurrentUser,
  security: { bearer: HttpApiSecurity.bearer }
}) {}

const repo = Schema.Struct({ repo: Schema.String })
const pageOfRepo = Schema.Struct({ repo: Schema.String, "*": Schema.String })
const limit = Schema.optional(Schema.NumberFromString.pipe(Schema.int(), Schema.positive()))
const sha = Schema.optional(Schema.String)

const open = HttpApiGroup.make("open", { topLevel: true }).add(
  HttpApiEndpoint.get("health", "/health").addSuccess(Health)
)

const accounts = HttpApiGroup.make("accounts")
  .add(HttpApiEndpoint.get("me", "/v1/me").addSuccess(User))
  .add(HttpApiEndpoint.patch("updateMe", "/v1/me").setPayload(UserPatch).addSuccess(User))
  .add(
    HttpApiEndpoint.post("createToken", "/v1/pats").setPayload(CreateToken).addSuccess(CreatedToken, { status: 201 })
  )
  .add(HttpApiEndpoint.get("listTokens", "/v1/pats").addSuccess(TokenList))
  .add(HttpApiEndpoint.del("deleteToken", "/v1/pats/:id").setPath(Schema.Struct({ id: Schema.String })))

const repos = HttpApiGroup.make("repos")
  .add(HttpApiEndpoint.get("listRepos", "/v1/repos").addSuccess(RepoList))
  .add(HttpApiEndpoint.post("createRepo", "/v1/repos").setPayload(CreateRepo).addSuccess(CreatedRepo, { status: 201 }))
  .add(
    HttpApiEndpoint.post("ensureRepo", "/v1/repos/:repo")
      .setPath(repo)
      .addSuccess(Schema.Struct({ repo_id: Schema.String }), { status: 201 })
  )
  .add(HttpApiEndpoint.get("listPages", "/v1/repos/:repo/pages").setPath(repo).addSuccess(PageList))
  .add(
    HttpApiEndpoint.get("readPage", "/v1/repos/:repo/pages/*")
      .setPath(pageOfRepo)
      .addSuccess(HttpApiSchema.Uint8Array({ contentType: "text/markdown; charset=utf-8" }))
  )
  .add(
    HttpApiEndpoint.get("timeline", "/v1/repos/:repo/timeline")
      .setPath(repo)
      .setUrlParams(Schema.Struct({ limit }))
      .addSuccess(Timeline)
  )
  .add(
    HttpApiEndpoint.get("diffPage", "/v1/repos/:repo/diff/*")
      .setPath(pageOfRepo)
      .setUrlParams(Schema.Struct({ from: sha, to: sha }))
      .addSuccess(SectionDiff)
  )

const sync = HttpApiGroup.make("sync")
  .add(
    HttpApiEndpoint.post("push", "/v1/repos/:repo/sync/push")
      .setPath(repo)
      .setPayload(PushBody)
      .addSuccess(PushAnswer)
      .addError(PushAnswer, { status: 409 })
  )
  .add(
    HttpApiEndpoint.get("pull", "/v1/repos/:repo/sync/pull")
      .setPath(repo)
      .setUrlParams(Schema.Struct({ since: sha, known: sha }))
      .addSuccess(PullAnswer)
  )

export class SyncHttpApi extends HttpApi.make("ctx-sync")
  .add(open)
  .add(accounts.middleware(Authentication))
  .add(repos.middleware(Authentication))
  .add(sync.middleware(Authentication))
  .addError(Refusal) {}
