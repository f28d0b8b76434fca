import { Context, type Effect, type Option, Schema } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import type { SectionDiff } from "../../model/merge/SectionDiff.ts"
import type { Sha } from "../../model/page/Sha.ts"
import type { CorruptFile, FileFailure } from "../files/FileFailure.ts"
import type {
  ChangesAnswer,
  CommitInfo,
  EvolutionEntry,
  HistoryCommit,
  PageInfo,
  PullAnswer,
  PurgeAnswer,
  PushAnswer,
  PushBody,
  RepoSummary,
  RevertBody,
  User,
  UserPatch
} from "./SyncApi.ts"

/** No server, no repository or no credentials: there is nobody to ask. */
export class NotConfigured extends Schema.TaggedError<NotConfigured>()("NotConfigured", {
  missing: Schema.Array(Schema.Literal("server", "repo", "credentials"))
}) {
  override get message() {
    return "server not configured (run 'ctx remote set <url>', 'ctx remote set-repo <id>', 'ctx auth login')"
  }
}

/** The stored token belongs to another origin, and is not sent to this one. */
export class ForeignToken extends Schema.TaggedError<ForeignToken>()("ForeignToken", {
  url: Schema.String,
  tokenOrigin: Schema.String
}) {
  override get message() {
    return `the stored token is for ${this.tokenOrigin} and was not sent to ${this.url}. Run 'ctx login --server ${this.url}', or 'ctx remote set ${this.tokenOrigin}'.`
  }
}

/** No answer: refused, reset, timed out, no name. Whether a push landed is unknown; pushing again is safe (same push_id). */
export class ServerUnreachable extends Schema.TaggedError<ServerUnreachable>()("ServerUnreachable", {
  url: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.url} did not answer (${this.reason}). Check 'ctx status', or work on: nothing was changed here.`
  }
}

/** 401. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {
  url: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.url} refused the token (${this.reason}). Run 'ctx login'.`
  }
}

/** Any other failure status: 403, 404, 413, 429, 5xx. `reason` is the server's sentence, or a short excerpt of its body. */
export class ServerRefused extends Schema.TaggedError<ServerRefused>()("ServerRefused", {
  url: Schema.String,
  status: Schema.Int,
  reason: Schema.String,
  code: Schema.optional(Schema.String)
}) {
  /** Of a 402 only the server's sentence: it is written for the person who reads it. */
  override get message() {
    return this.status === 402 ? this.reason : `${this.url} answered ${this.status}: ${this.reason}`
  }
}

/** A success status with a body that is not the API's: a gateway's page, malformed or too much JSON, a redirect. */
export class UnexpectedAnswer extends Schema.TaggedError<UnexpectedAnswer>()("UnexpectedAnswer", {
  url: Schema.String,
  status: Schema.Int,
  reason: Schema.String
}) {
  override get message() {
    return `${this.url} answered ${this.status}, but not as a ctx server does (${this.reason}). Check the server URL with 'ctx remote get'.`
  }
}

/** The server does not know what we last saw of it: restored from a backup, or another server. */
export class UnknownHistory extends Schema.TaggedError<UnknownHistory>()("UnknownHistory", {
  url: Schema.String
}) {
  override get message() {
    return `${this.url} no longer knows the version this project last saw (its history was replaced, perhaps restored from a backup).`
  }
}

export type SyncFailure =
  | NotConfigured
  | ForeignToken
  | ServerUnreachable
  | Unauthorized
  | ServerRefused
  | UnexpectedAnswer
  | CorruptFile
  | FileFailure

/** Where to begin in a list, and how much of it. */
export interface ListQuery {
  readonly limit?: number | undefined
  /** What the answer before named as the next. */
  readonly cursor?: string | undefined
}

/** One answer of a list that may go on. */
export interface PageHistory {
  readonly commits: ReadonlyArray<HistoryCommit>
  readonly nextCursor: Option.Option<string>
}

/** The same of what each commit changed. */
export interface PageEvolution {
  readonly path: string
  readonly entries: ReadonlyArray<EvolutionEntry>
  readonly nextCursor: Option.Option<string>
}

/** One server, as a program with a token sees it. */
export interface SyncConnection {
  readonly me: Effect.Effect<User, SyncFailure>
  readonly updateMe: (patch: UserPatch) => Effect.Effect<User, SyncFailure>
  readonly repos: Effect.Effect<ReadonlyArray<RepoSummary>, SyncFailure>
  readonly createRepo: (id: string) => Effect.Effect<void, SyncFailure>
  readonly pages: Effect.Effect<ReadonlyArray<PageInfo>, SyncFailure>
  /** None: the server has no such page. */
  readonly page: (
    path: PagePath
  ) => Effect.Effect<Option.Option<{ readonly sha: Sha; readonly text: string }>, SyncFailure>
  /** Status 409 is an answer here, not a failure. Retried only because `push_id` makes that safe. */
  readonly push: (body: PushBody & { readonly push_id: string }) => Effect.Effect<PushAnswer, SyncFailure>
  readonly pull: (since: {
    readonly since?: Sha | undefined
    readonly known?: Sha | undefined
  }) => Effect.Effect<PullAnswer, SyncFailure | UnknownHistory>
  /**
   * The repository's commits after one, oldest first; from one answer to the next by `next_since`. Without `since`, where
   * the head is. `wait`: seconds that the server waits for news, 55 at most. A public Contexo server has no such route.
   */
  readonly changes: (query: {
    readonly since?: string | undefined
    readonly wait?: number | undefined
    readonly limit?: number | undefined
  }) => Effect.Effect<ChangesAnswer, SyncFailure | UnknownHistory>
  readonly timeline: (limit: number) => Effect.Effect<ReadonlyArray<CommitInfo>, SyncFailure>
  readonly diff: (
    path: PagePath,
    range: {
      readonly from?: Sha | undefined
      readonly to?: Sha | undefined
      /** Say of each section which commit introduced it. */
      readonly blame?: boolean | undefined
    }
  ) => Effect.Effect<SectionDiff, SyncFailure>
  /** Newest first; none where the server never had the page. */
  readonly history: (path: PagePath, query: ListQuery) => Effect.Effect<PageHistory, SyncFailure>
  /** Newest first; none where the server never had the page. `lines` false: without the sections' texts. */
  readonly evolution: (
    path: PagePath,
    query: ListQuery & { readonly blame?: boolean | undefined; readonly lines?: boolean | undefined }
  ) => Effect.Effect<PageEvolution, SyncFailure>
  /** The page at a commit. None: it was not there then. Purged content is a `ServerRefused` with the code `purged`. */
  readonly pageAt: (
    path: PagePath,
    at: Sha
  ) => Effect.Effect<Option.Option<{ readonly sha: Sha; readonly text: string }>, SyncFailure>
  /** Status 409 is an answer here, as in `push`. */
  readonly revert: (
    path: PagePath,
    request: {
      readonly to: Sha
      /** Empty: the page does not live. */
      readonly parent: Sha | ""
      readonly message?: string | undefined
      readonly push_id: NonNullable<RevertBody["push_id"]>
    }
  ) => Effect.Effect<PushAnswer, SyncFailure>
  readonly purge: (
    path: PagePath,
    options: { readonly keepCurrent?: boolean | undefined; readonly reason?: string | undefined }
  ) => Effect.Effect<PurgeAnswer, SyncFailure>
}

/**
 * The sync server, as this project sees it. Config and credentials are read anew for each call, so a long-lived process
 * follows a login. What names a repository uses the config's.
 */
export class SyncClient extends Context.Tag("ctx-mcp/SyncClient")<SyncClient, SyncConnection>() {}
