import { HttpClient } from "@effect/platform"
import { Duration, Effect, Layer, Option, Schema } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import { SectionDiff } from "../../model/merge/SectionDiff.ts"
import { Sha } from "../../model/page/Sha.ts"
import { progress } from "../runtime/Progress.ts"
import {
  ChangesAnswer,
  EvolutionAnswer,
  HistoryAnswer,
  PageList,
  PullAnswer,
  PurgeAnswer,
  PushAnswer,
  RepoList,
  Timeline,
  User
} from "./SyncApi.ts"
import { type ListQuery, NotConfigured, ServerRefused, type SyncConnection, UnknownHistory } from "./SyncClient.ts"
import { ClientName, type Remote, SyncConnect } from "./SyncConnect.ts"
import { type Answer, type Call, endpoint, type HttpFailure, json, send, text, unexpected } from "./SyncHttp.ts"

/** Connections over HTTP; provide `FetchHttpClient.layer` on Node and Deno alike. */
export const layer: Layer.Layer<SyncConnect, never, HttpClient.HttpClient> = Layer.effect(
  SyncConnect,
  Effect.map(HttpClient.HttpClient, (client) => ({ to: (remote) => connect(client, remote) }))
)

const MiB = 1024 * 1024

/** What most calls have in common: a small answer, soon. */
const small = { method: "GET", expects: "json", maxBytes: 4 * MiB, timeout: "10 seconds", repeatable: true } as const

/** The v1 API of one server (reference section 8), as one token sees it. */
export const connect = (client: HttpClient.HttpClient, remote: Remote): SyncConnection => {
  const call = (request: Call) =>
    Effect.flatMap(endpoint(remote.serverUrl, remote.bearer), (to) => send(client, to, request))

  const orUnknownHistory = <A, E>(answer: Effect.Effect<A, E | HttpFailure>) =>
    Effect.catchIf(
      answer,
      (failure) => failure instanceof ServerRefused && failure.status === 409 && failure.code === "unknown_history",
      () => new UnknownHistory({ url: remote.serverUrl })
    )

  /** A call below `/v1/repos/<repo>`. */
  const repoCall = (path: string, request: Omit<Call, "path">): Effect.Effect<Answer, HttpFailure | NotConfigured> =>
    remote.repo === undefined || /^\.*$/.test(remote.repo)
      ? new NotConfigured({ missing: ["repo"] })
      : call({ ...request, path: `/v1/repos/${encodeURIComponent(remote.repo)}${path}` })

  const readPage = Effect.fnUntraced(function* (path: PagePath, query: NonNullable<Call["query"]>) {
    const asked = repoCall(`/pages/${encodePath(path)}`, { ...small, query, expects: "page", maxBytes: 32 * MiB })
    return yield* orNone(asked)
  })

  return {
    me: call({ ...small, path: "/v1/me" }).pipe(Effect.flatMap(asUser), Effect.withSpan("SyncClient.me")),

    updateMe: Effect.fn("SyncClient.updateMe")(function* (patch) {
      const body = JSON.stringify(patch)
      return yield* asUser(yield* call({ ...small, method: "PATCH", path: "/v1/me", body, repeatable: false }))
    }),

    repos: call({ ...small, path: "/v1/repos" }).pipe(
      Effect.flatMap(json(RepoList)),
      Effect.map(({ repos }) => repos ?? []),
      Effect.withSpan("SyncClient.repos")
    ),

    createRepo: Effect.fn("SyncClient.createRepo")(function* (id) {
      yield* call({ ...small, method: "POST", path: "/v1/repos", body: JSON.stringify({ id }), repeatable: false })
    }),

    pages: repoCall("/pages", { ...small, maxBytes: 32 * MiB }).pipe(
      Effect.flatMap(json(PageList)),
      Effect.map(({ pages }) => pages ?? []),
      Effect.withSpan("SyncClient.pages")
    ),

    page: Effect.fn("SyncClient.page")(function* (path) {
      return yield* Effect.transposeMapOption(yield* readPage(path, []), asPage)
    }),

    pageAt: Effect.fn("SyncClient.pageAt")(function* (path, at) {
      const answer = yield* readPage(path, [["at", at]])
      // A server that knows no `at` gives the page as it is now.
      if (Option.exists(answer, ({ headers }) => headers["x-page-at"] !== at)) {
        const reason = "this server does not tell a page as it was at a commit"
        return yield* new ServerRefused({ url: remote.serverUrl, status: 501, reason })
      }
      return yield* Effect.transposeMapOption(answer, asPage)
    }),

    push: Effect.fn("SyncClient.push")(function* (push) {
      yield* progress(`sending ${push.files.length} page(s) to the server`)
      const answer = yield* repoCall("/sync/push", {
        method: "POST",
        body: JSON.stringify(push),
        expects: "json",
        answers: [409],
        // Two versions of every page of the largest batch, in base64.
        maxBytes: 32 * MiB,
        timeout: "60 seconds",
        repeatable: true
      })
      return yield* json(PushAnswer)(answer)
    }),

    pull: Effect.fn("SyncClient.pull")(function* ({ known, since }) {
      yield* progress("asking the server what is new")
      const answer = yield* repoCall("/sync/pull", {
        method: "GET",
        query: [
          ...(since === undefined ? [] : [["since", since] as const]),
          ...(known === undefined ? [] : [["known", known] as const])
        ],
        headers: { "x-contexo-client": headerText(yield* ClientName) },
        expects: "json",
        maxBytes: 256 * MiB,
        timeout: "60 seconds",
        repeatable: true
      }).pipe(orUnknownHistory)
      return yield* json(PullAnswer)(answer)
    }),

    changes: Effect.fn("SyncClient.changes")(function* ({ limit, since, wait = 0 }) {
      const answer = yield* repoCall("/changes", {
        method: "GET",
        query: [
          ...(since === undefined ? [] : [["since", since] as const]),
          ...(wait > 0 ? [["wait", String(wait)] as const] : []),
          ...(limit === undefined ? [] : [["limit", String(limit)] as const])
        ],
        expects: "json",
        maxBytes: 32 * MiB,
        // The server answers in its own time; only then it is late.
        timeout: Duration.seconds(wait + 15),
        repeatable: true
      }).pipe(orUnknownHistory)
      return yield* json(ChangesAnswer)(answer)
    }),

    timeline: Effect.fn("SyncClient.timeline")(function* (limit) {
      const answer = yield* repoCall("/timeline", { ...small, query: [["limit", String(limit)]] })
      return (yield* json(Timeline)(answer)).commits ?? []
    }),

    diff: Effect.fn("SyncClient.diff")(function* (path, { blame, from, to }) {
      const answer = yield* repoCall(`/diff/${encodePath(path)}`, {
        ...small,
        query: [
          ...(from === undefined ? [] : [["from", from] as const]),
          ...(to === undefined ? [] : [["to", to] as const]),
          ...(blame === true ? [["blame", "true"] as const] : [])
        ],
        // Both versions of a page, section by section and line by line.
        maxBytes: 64 * MiB
      })
      return yield* json(SectionDiff)(answer)
    }),

    history: Effect.fn("SyncClient.history")(function* (path, query) {
      const answer = yield* repoCall(`/history/${encodePath(path)}`, { ...small, query: listQuery(query) })
      const { commits, next_cursor } = yield* json(HistoryAnswer)(answer)
      return { commits: commits ?? [], nextCursor: Option.fromNullable(next_cursor) }
    }),

    evolution: Effect.fn("SyncClient.evolution")(function* (path, { blame, lines, ...list }) {
      const asked = repoCall(`/evolution/${encodePath(path)}`, {
        ...small,
        query: [
          ...listQuery(list),
          ...(blame === true ? [["blame", "true"] as const] : []),
          ...(lines === false ? [["lines", "false"] as const] : [])
        ],
        maxBytes: 64 * MiB,
        timeout: "30 seconds"
      })
      const answer = yield* orNone(asked)
      if (Option.isNone(answer)) return { path, entries: [], nextCursor: Option.none() }
      const { entries, next_cursor } = yield* json(EvolutionAnswer)(answer.value)
      return { path, entries: entries ?? [], nextCursor: Option.fromNullable(next_cursor) }
    }),

    revert: Effect.fn("SyncClient.revert")(function* (path, { message, parent, push_id, to }) {
      const answer = yield* repoCall(`/revert/${encodePath(path)}`, {
        ...small,
        method: "POST",
        body: JSON.stringify({ to, parent_sha: parent, push_id, ...(message === undefined ? {} : { message }) }),
        answers: [409],
        maxBytes: 32 * MiB
      })
      return yield* json(PushAnswer)(answer)
    }),

    purge: Effect.fn("SyncClient.purge")(function* (path, { keepCurrent, reason }) {
      const body = JSON.stringify({ keep_current: keepCurrent === true, ...(reason === undefined ? {} : { reason }) })
      const answer = yield* repoCall(`/purge/${encodePath(path)}`, { ...small, method: "POST", body })
      return yield* json(PurgeAnswer)(answer)
    })
  }
}

const listQuery = ({ cursor, limit }: ListQuery) => [
  ...(limit === undefined ? [] : [["limit", String(limit)] as const]),
  ...(cursor === undefined ? [] : [["cursor", cursor] as const])
]

const orNone = <A, E>(answer: Effect.Effect<A, E>) =>
  Effect.catchIf(
    Effect.asSome(answer),
    (failure) => failure instanceof ServerRefused && failure.status === 404,
    () => Effect.succeedNone
  )

const asUser = json(User)
const decodeSha = Schema.decodeUnknownOption(Sha)

const asPage = Effect.fnUntraced(function* (answer: Answer) {
  const sha = decodeSha(answer.headers["x-page-sha"])
  if (Option.isNone(sha)) return yield* unexpected(answer, "a page without its X-Page-SHA header")
  return { sha: sha.value, text: yield* text(answer) }
})

const encodePath = (path: PagePath): string => path.split("/").map(encodeURIComponent).join("/")

const headerText = (name: string): string =>
  name
    .replace(/[^\x20-\x7e]/g, "")
    .trim()
    .slice(0, 64) || "ctx-mcp"
