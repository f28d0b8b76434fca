import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { authenticate } from "../../effects/server/authenticate.ts"
import { changes } from "../../effects/server/changes.ts"
import { PushRequest } from "../../effects/server/checkPush.ts"
import { diffPage } from "../../effects/server/diffPage.ts"
import { evolution, history } from "../../effects/server/history.ts"
import { me, updateMe } from "../../effects/server/me.ts"
import { listPages, readPage, timeline } from "../../effects/server/pages.ts"
import { pull } from "../../effects/server/pull.ts"
import { purge } from "../../effects/server/purge.ts"
import { push } from "../../effects/server/push.ts"
import { createRepo, ensureRepo, listRepos } from "../../effects/server/repos.ts"
import { revert } from "../../effects/server/revert.ts"
import { createToken, deleteToken, listTokens } from "../../effects/server/tokens.ts"
import { RateLimit } from "../../services/server/RateLimit.ts"
import { ServerStore } from "../../services/server/ServerStore.ts"
import { CreateRepo, CreateToken, PurgeBody, RevertBody, UserPatch } from "../../services/sync/SyncApi.ts"
import { Authentication, SyncHttpApi } from "../../services/sync/SyncHttpApi.ts"
import { jsonBody } from "./body.ts"
import { callerOf } from "./limits.ts"
import { openApiText } from "./openapi.ts"
import { internalError, refuse, unauthorised } from "./refuse.ts"

/** The routes of `SyncHttpApi`: each decodes, runs one operation and answers. None of them decides anything. */

const open = HttpApiBuilder.group(SyncHttpApi, "open", (handlers) =>
  handlers
    .handle("health", () => Effect.succeed({ status: "ok" }))
    .handle("openapi", () =>
      Effect.sync(() => HttpServerResponse.text(openApiText(), { contentType: "application/json" }))
    )
)

const accounts = HttpApiBuilder.group(SyncHttpApi, "accounts", (handlers) =>
  handlers
    .handle("me", () => me)
    .handleRaw("updateMe", () =>
      refuse(Effect.map(Effect.flatMap(jsonBody(UserPatch), updateMe), (user) => HttpServerResponse.unsafeJson(user)))
    )
    .handleRaw("createToken", () =>
      jsonBody(CreateToken).pipe(
        Effect.flatMap(({ label = "" }) => createToken(label)),
        Effect.map((created) => HttpServerResponse.unsafeJson(created, { status: 201 })),
        refuse
      )
    )
    .handle("listTokens", () => refuse(Effect.map(listTokens, (pats) => ({ pats }))))
    .handle("deleteToken", ({ path }) => refuse(deleteToken(path.id)))
)

const repos = HttpApiBuilder.group(SyncHttpApi, "repos", (handlers) =>
  handlers
    .handle("listRepos", () => refuse(Effect.map(listRepos, (repos) => ({ repos }))))
    .handleRaw("createRepo", () =>
      jsonBody(CreateRepo).pipe(
        Effect.flatMap(({ id }) => createRepo(id)),
        Effect.map((id) => HttpServerResponse.unsafeJson({ id, role: "owner" }, { status: 201 })),
        refuse
      )
    )
    .handle("ensureRepo", ({ path }) => refuse(Effect.map(ensureRepo(path.repo, "read"), (repo_id) => ({ repo_id }))))
    .handle("listPages", ({ path }) => refuse(Effect.map(listPages(path.repo), (pages) => ({ pages }))))
    .handle("readPage", ({ path, urlParams }) =>
      readPage(path.repo, path["*"], urlParams.at).pipe(
        Effect.map(({ content, sha }) =>
          HttpServerResponse.uint8Array(content, {
            contentType: "text/markdown; charset=utf-8",
            headers: {
              "x-page-sha": sha,
              "access-control-expose-headers": "X-Page-SHA, X-Page-At",
              // Says that this server knows the parameter: one that does not gives the page as it is now.
              ...(urlParams.at === undefined ? {} : { "x-page-at": urlParams.at })
            }
          })
        ),
        refuse
      )
    )
    .handle("timeline", ({ path, urlParams: { limit = 50 } }) =>
      refuse(Effect.map(timeline(path.repo, Math.min(limit, 500)), (commits) => ({ commits })))
    )
    .handle("diffPage", ({ path, urlParams }) => refuse(diffPage(path.repo, path["*"], urlParams)))
    .handle("history", ({ path, urlParams }) => refuse(history(path.repo, path["*"], urlParams)))
    // Written as it is, like a pull's.
    .handle("evolution", ({ path, urlParams }) =>
      refuse(Effect.map(evolution(path.repo, path["*"], urlParams), (answer) => HttpServerResponse.unsafeJson(answer)))
    )
    .handleRaw("revert", ({ path }) =>
      jsonBody(RevertBody).pipe(
        Effect.flatMap((body) => revert(path.repo, path["*"], body)),
        Effect.map(({ answer, landed }) => HttpServerResponse.unsafeJson(answer, { status: landed ? 200 : 409 })),
        refuse
      )
    )
    .handleRaw("purge", ({ path }) =>
      jsonBody(PurgeBody).pipe(
        Effect.flatMap((body) => purge(path.repo, path["*"], body)),
        Effect.map((answer) => HttpServerResponse.unsafeJson(answer)),
        refuse
      )
    )
)

const sync = HttpApiBuilder.group(SyncHttpApi, "sync", (handlers) =>
  handlers
    .handleRaw("push", ({ path }) =>
      jsonBody(PushRequest).pipe(
        Effect.flatMap((request) => push(path.repo, request)),
        Effect.map(({ answer, landed }) => HttpServerResponse.unsafeJson(answer, { status: landed ? 200 : 409 })),
        refuse
      )
    )
    // The answer may be large: it is written as it is, without a walk through its schema.
    .handle("pull", ({ path, urlParams }) =>
      refuse(Effect.map(pull(path.repo, urlParams), (answer) => HttpServerResponse.unsafeJson(answer)))
    )
    .handle("changes", ({ path, urlParams }) => refuse(changes(path.repo, urlParams)))
)

const authentication = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const store = yield* ServerStore
    const limits = yield* RateLimit
    return {
      // The header is read whole, because what is wrong with it has a sentence of its own.
      bearer: () =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const caller = callerOf(request)
          return yield* authenticate(Option.fromNullable(request.headers["authorization"])).pipe(
            Effect.tap(() => limits.authenticated(caller, true)),
            Effect.tapErrorTag("NotAuthenticated", () => limits.authenticated(caller, false))
          )
        }).pipe(
          Effect.provideService(ServerStore, store),
          Effect.catchTags({
            NotAuthenticated: (failure) => Effect.fail(unauthorised(failure)),
            StoreUnavailable: ({ message }) => Effect.zipRight(Effect.logError(message), Effect.fail(internalError))
          })
        )
    }
  })
)

/** Every route of the API. */
export const handlers = HttpApiBuilder.api(SyncHttpApi).pipe(
  Layer.provide([open, accounts, repos, sync]),
  Layer.provide(authentication)
)
