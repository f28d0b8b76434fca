import {
  HttpApi,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema,
  HttpApiSecurity,
  OpenApi
} from "@effect/platform"
import { Context, Schema } from "effect"
import { SectionDiff } from "../../model/merge/SectionDiff.ts"
import { CurrentUser } from "./CurrentUser.ts"
import {
  ChangesAnswer,
  CreatedRepo,
  CreatedToken,
  CreateRepo,
  CreateToken,
  ErrorBody,
  EvolutionAnswer,
  Health,
  HistoryAnswer,
  PageList,
  PullAnswer,
  PurgeAnswer,
  PurgeBody,
  PushAnswer,
  PushBody,
  RepoList,
  RevertBody,
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
  410: refusal(410),
  413: refusal(413),
  415: refusal(415),
  429: refusal(429),
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

type Status = keyof typeof refusals

/** The statuses of an endpoint's own refusals. Any endpoint behind the token also has 401, and any at all 429 and 500. */
export class Refuses extends Context.Tag("ctx-mcp/SyncHttpApi/Refuses")<Refuses, ReadonlyArray<Status>>() {}

/** What the OpenAPI document says about an endpoint. */
const about = (summary: string, ...refuses: ReadonlyArray<Status>) =>
  Context.make(OpenApi.Summary, summary).pipe(Context.add(Refuses, refuses))

const repo = Schema.Struct({ repo: Schema.String })
const pageOfRepo = Schema.Struct({ repo: Schema.String, "*": Schema.String })
/** A whole number in a URL, and what the OpenAPI document says about it. */
const whole = (minimum: number, description: string) =>
  Schema.NumberFromString.pipe(Schema.int(), Schema.greaterThanOrEqualTo(minimum)).annotations({
    description,
    jsonSchema: { type: "integer", minimum, description }
  })
const limit = (usual: number, most = 500) =>
  Schema.optional(whole(1, `At most so many; ${usual} unless given, never more than ${most}`))
const sha = Schema.optional(Schema.String)
const blame = Schema.optional(Schema.String.annotations({ description: "true: which commit introduced each section" }))
const cursor = Schema.optional(Schema.String.annotations({ description: "next_cursor of the answer before" }))

const open = HttpApiGroup.make("open", { topLevel: true })
  .add(HttpApiEndpoint.get("health", "/health").addSuccess(Health).annotateContext(about("Whether the server answers")))
  .add(
    HttpApiEndpoint.get("openapi", "/openapi.json")
      .addSuccess(Schema.Struct({ openapi: Schema.String }))
      .annotateContext(about("This document"))
  )

const accounts = HttpApiGroup.make("accounts")
  .add(HttpApiEndpoint.get("me", "/v1/me").addSuccess(User).annotateContext(about("Whose token this is")))
  .add(
    HttpApiEndpoint.patch("updateMe", "/v1/me")
      .setPayload(UserPatch)
      .addSuccess(User)
      .annotateContext(about("Changes the user's name or address", 400, 409, 413, 415))
  )
  .add(
    HttpApiEndpoint.post("createToken", "/v1/pats")
      .setPayload(CreateToken)
      .addSuccess(CreatedToken, { status: 201 })
      .annotateContext(about("Makes a token of the user; its text is shown this once", 400, 413, 415))
  )
  .add(
    HttpApiEndpoint.get("listTokens", "/v1/pats")
      .addSuccess(TokenList)
      .annotateContext(about("The user's tokens, without their texts"))
  )
  .add(
    HttpApiEndpoint.del("deleteToken", "/v1/pats/:id")
      .setPath(Schema.Struct({ id: Schema.String }))
      .annotateContext(about("Revokes one of the user's tokens", 404))
  )

const repos = HttpApiGroup.make("repos")
  .add(
    HttpApiEndpoint.get("listRepos", "/v1/repos")
      .addSuccess(RepoList)
      .annotateContext(about("The repositories that the user is a member of"))
  )
  .add(
    HttpApiEndpoint.post("createRepo", "/v1/repos")
      .setPayload(CreateRepo)
      .addSuccess(CreatedRepo, { status: 201 })
      .annotateContext(about("Makes an empty repository, owned by the user", 400, 409, 413, 415))
  )
  .add(
    HttpApiEndpoint.post("ensureRepo", "/v1/repos/:repo")
      .setPath(repo)
      .addSuccess(Schema.Struct({ repo_id: Schema.String }), { status: 201 })
      .annotateContext(about("Makes the repository where it is unknown", 400, 403))
  )
  .add(
    HttpApiEndpoint.get("listPages", "/v1/repos/:repo/pages")
      .setPath(repo)
      .addSuccess(PageList)
      .annotateContext(about("The pages by path, each with the commit that last touched it", 400, 403, 404))
  )
  .add(
    HttpApiEndpoint.get("readPage", "/v1/repos/:repo/pages/*")
      .setPath(pageOfRepo)
      .setUrlParams(Schema.Struct({ at: sha }))
      .addSuccess(HttpApiSchema.Uint8Array({ contentType: "text/markdown; charset=utf-8" }))
      .annotateContext(about("A page, byte for byte; its sha is in X-Page-SHA, ?at in X-Page-At", 400, 403, 404, 410))
  )
  .add(
    HttpApiEndpoint.get("timeline", "/v1/repos/:repo/timeline")
      .setPath(repo)
      .setUrlParams(Schema.Struct({ limit: limit(50) }))
      .addSuccess(Timeline)
      .annotateContext(about("The newest commits first", 400, 403, 404))
  )
  .add(
    HttpApiEndpoint.get("diffPage", "/v1/repos/:repo/diff/*")
      .setPath(pageOfRepo)
      .setUrlParams(Schema.Struct({ from: sha, to: sha, blame }))
      .addSuccess(SectionDiff)
      .annotateContext(about("What changed in a page between two commits, by section", 400, 403, 404))
  )
  .add(
    HttpApiEndpoint.get("history", "/v1/repos/:repo/history/*")
      .setPath(pageOfRepo)
      .setUrlParams(Schema.Struct({ limit: limit(50), cursor }))
      .addSuccess(HistoryAnswer)
      .annotateContext(about("The commits that touched a page, newest first", 400, 403, 404))
  )
  .add(
    HttpApiEndpoint.get("evolution", "/v1/repos/:repo/evolution/*")
      .setPath(pageOfRepo)
      .setUrlParams(
        Schema.Struct({
          limit: limit(20, 1_000),
          cursor,
          blame,
          lines: Schema.optional(Schema.String.annotations({ description: "false: without the sections' texts" }))
        })
      )
      .addSuccess(EvolutionAnswer)
      .annotateContext(about("What each commit changed in a page, newest first", 400, 403, 404))
  )
  .add(
    HttpApiEndpoint.post("revert", "/v1/repos/:repo/revert/*")
      .setPath(pageOfRepo)
      .setPayload(RevertBody)
      .addSuccess(PushAnswer)
      .addError(PushAnswer, { status: 409 })
      .annotateContext(about("The page as it was at a commit, as a new commit", 400, 403, 404, 409, 410, 413, 415))
  )
  .add(
    HttpApiEndpoint.post("purge", "/v1/repos/:repo/purge/*")
      .setPath(pageOfRepo)
      .setPayload(PurgeBody)
      .addSuccess(PurgeAnswer)
      .annotateContext(about("Erases what a page ever said; for owners, and for good", 400, 403, 404, 413, 415))
  )

const sync = HttpApiGroup.make("sync")
  .add(
    HttpApiEndpoint.post("push", "/v1/repos/:repo/sync/push")
      .setPath(repo)
      .setPayload(PushBody)
      .addSuccess(PushAnswer)
      .addError(PushAnswer, { status: 409 })
      .annotateContext(about("Lands a batch as one commit; 409: nothing of it, and why", 400, 403, 409, 413, 415))
  )
  .add(
    HttpApiEndpoint.get("pull", "/v1/repos/:repo/sync/pull")
      .setPath(repo)
      .setUrlParams(Schema.Struct({ since: sha, known: sha }))
      .addSuccess(PullAnswer)
      .annotateContext(about("The pages that changed after a commit, or all", 400, 403, 404, 409))
  )
  .add(
    HttpApiEndpoint.get("changes", "/v1/repos/:repo/changes")
      .setPath(repo)
      .setUrlParams(
        Schema.Struct({
          since: Schema.optional(
            Schema.String.annotations({ description: "A commit's id or number (0: from the beginning)" })
          ),
          wait: Schema.optional(whole(0, "Seconds to wait for news, up to 55")),
          limit: limit(100)
        })
      )
      .addSuccess(ChangesAnswer)
      .annotateContext(about("The commits after a point, oldest first; waits where there is none", 400, 403, 404, 409))
  )

export class SyncHttpApi extends HttpApi.make("ctx-sync")
  .add(open)
  .add(accounts.middleware(Authentication))
  .add(repos.middleware(Authentication))
  .add(sync.middleware(Authentication))
  .addError(Refusal) {}
