import { Context, Data, type Effect, type Option, Schema } from "effect"
import type { Identity } from "../../model/page/GitObject.ts"
import type { OfferedPage } from "../../model/sync/Landing.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import type { Sha } from "../../model/page/Sha.ts"
import type { CommitInfo, PageInfo, RepoId, RepoSummary, TokenInfo, User } from "../sync/SyncApi.ts"

/** The store could not answer. What was asked for did not happen, in no part. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  reason: Schema.String
}) {
  override get message() {
    return `the server's store could not answer (${this.reason})`
  }
}

/** A push id came back with other files than the push that it landed with. */
export class PushIdReused extends Schema.TaggedError<PushIdReused>()("PushIdReused", { pushId: Schema.String }) {
  override get message() {
    return `push_id ${JSON.stringify(this.pushId)} already landed with other files; give each push an id of its own`
  }
}

/** Another user has the address. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", { email: Schema.String }) {
  override get message() {
    return `another user of this server has the address ${this.email}`
  }
}

export const Role = Schema.Literal("owner", "member", "reader")
export type Role = typeof Role.Type

/** What a user is to a repository. */
export type Standing = Role | "stranger" | "no-such-repo"

/** A token as it is kept: its hash, never itself. Times are milliseconds since the epoch. */
export interface NewToken {
  readonly id: string
  readonly hash: string
  readonly label: string
  readonly createdAt: number
}

export interface StoredPage {
  readonly path: PagePath
  /** The commit that last touched the page. */
  readonly sha: Sha
  readonly content: Uint8Array
}

/** One version of a page. */
export interface PageVersion {
  readonly sha: Sha
  /** None: this version is the page's deletion, or its content was purged. */
  readonly content: Option.Option<Uint8Array>
  readonly purged: boolean
}

/** A version as the log has it. */
export interface Revision extends CommitInfo {
  /** The number of its commit. */
  readonly seq: number
  readonly deleted: boolean
  readonly purged: boolean
}

/** A page whose texts are to go, but for the one in force. */
export interface EraseCommand {
  readonly repo: RepoId
  readonly path: PagePath
  /** Who asked for it, by id. */
  readonly by: string
  readonly reason: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** What is left of a page's texts. */
export interface Erased {
  /** How many versions of the page have no text now. */
  readonly versions: number
  /** Other pages that live and say one of its texts, word for word, by path: that text stays. */
  readonly stillIn: ReadonlyArray<PagePath>
  /** Names that the page had before it was renamed, under which texts are held, by path: those stay. */
  readonly formerly: ReadonlyArray<PagePath>
}

/** A page's version in force at a commit, and the one before it. */
export interface VersionAt {
  readonly version: PageVersion
  readonly before: Option.Option<Sha>
}

/** What changed after a commit, or everything. */
export interface Changes {
  readonly head: Option.Option<Sha>
  readonly pages: ReadonlyArray<StoredPage>
  /** Pages that were there at that commit, or came since, and are no more, with the commit that deleted them. */
  readonly deleted: ReadonlyArray<{ readonly path: PagePath; readonly sha: Sha }>
}

/** A commit as the feed tells it. */
export interface FeedCommit extends CommitInfo {
  /** Its number in the repository, from 1. */
  readonly seq: number
  /** Pages that it wrote, by path. */
  readonly paths: ReadonlyArray<PagePath>
  /** Pages that it deleted, by path. */
  readonly deleted: ReadonlyArray<PagePath>
}

/** Commits after a point, oldest first, and the head at that moment. */
export interface Feed {
  readonly head: Option.Option<Sha>
  /** 0: there is no commit yet. */
  readonly headSeq: number
  readonly commits: ReadonlyArray<FeedCommit>
}

/** One page of a push: its content is there exactly when `hash` is. */
export interface PushedFile extends OfferedPage {
  readonly content: Uint8Array
}

export interface PushCommand {
  readonly repo: RepoId
  readonly pushId: Option.Option<string>
  readonly author: Identity
  readonly message: string
  /** Seconds since the epoch. */
  readonly seconds: number
  /** Each identity once. */
  readonly files: ReadonlyArray<PushedFile>
}

export interface LandedPage {
  readonly path: PagePath
  readonly sha: Sha
}

/** A page that somebody else moved. */
export interface RefusedPage {
  readonly offered: OfferedPage
  /** The page as it lives; None: it does not. Its path differs from the offered one where the two are case twins. */
  readonly current: Option.Option<StoredPage>
  /** The page at the offered parent, where the store knows that commit and the page lived there. */
  readonly ancestor: Option.Option<Uint8Array>
}

/** A push lands whole or is refused whole. */
export type PushResult = Data.TaggedEnum<{
  Landed: { readonly head: Option.Option<Sha>; readonly pages: ReadonlyArray<LandedPage> }
  Refused: { readonly head: Option.Option<Sha>; readonly conflicts: ReadonlyArray<RefusedPage> }
}>
export const PushResult = Data.taggedEnum<PushResult>()

type Stored<A, E = never> = Effect.Effect<A, E | StoreUnavailable>

/**
 * What the server remembers. Every method is one transaction. SQLite is one implementation, PostgreSQL can be another;
 * `test/services/server/serverStoreSuite.ts` is what each must pass.
 *
 * - Commits of a repository are numbered from 1 without gaps, in the order in which they landed.
 * - Identity of a page is its path case-folded; the path in force is the one of its last creation.
 * - A commit's id is the one that git would give it over the tree of all pages at that commit.
 */
export class ServerStore extends Context.Tag("ctx-mcp/ServerStore")<
  ServerStore,
  {
    /** Adds the first user with a token. False, and nothing is added, where there is a user already. */
    readonly addFirstUser: (user: User, token: NewToken) => Stored<boolean>
    readonly addUser: (user: User) => Stored<void, EmailTaken>
    /** The user whose token has this hash. Notes the use, at most once a minute. */
    readonly userOfToken: (hash: string, now: number) => Stored<Option.Option<User>>
    readonly updateUser: (user: User) => Stored<void, EmailTaken>
    readonly addToken: (userId: string, token: NewToken) => Stored<TokenInfo>
    /** Oldest first. */
    readonly tokens: (userId: string) => Stored<ReadonlyArray<TokenInfo>>
    /** False: that user has no such token. */
    readonly removeToken: (userId: string, tokenId: string) => Stored<boolean>

    /** Makes an empty repository with its owner. False: it exists. */
    readonly createRepo: (repo: RepoId, ownerId: string, now: number) => Stored<boolean>
    readonly standingOf: (repo: RepoId, userId: string) => Stored<Standing>
    readonly addMember: (repo: RepoId, userId: string, role: Role, now: number) => Stored<void>
    /** The repositories of a user, by id. */
    readonly reposOf: (userId: string) => Stored<ReadonlyArray<RepoSummary>>

    /** Living pages by path. */
    readonly pages: (repo: RepoId) => Stored<ReadonlyArray<PageInfo>>
    /** The living page of exactly this path. */
    readonly page: (repo: RepoId, path: PagePath) => Stored<Option.Option<StoredPage>>
    /** Newest first. */
    readonly commits: (repo: RepoId, limit: number) => Stored<ReadonlyArray<CommitInfo>>
    /** Commits whose id begins so, at most two. */
    readonly findCommits: (repo: RepoId, prefix: string) => Stored<ReadonlyArray<Sha>>
    /** The last version of a page up to a commit of the repository (None: the head); None where it has none. */
    readonly versionAt: (repo: RepoId, path: PagePath, commit: Option.Option<Sha>) => Stored<Option.Option<VersionAt>>
    /** The versions of a page before a commit's number (None: all), newest first. */
    readonly revisions: (
      repo: RepoId,
      path: PagePath,
      before: Option.Option<number>,
      limit: number
    ) => Stored<ReadonlyArray<Revision>>
    /** What the page said in the version of that commit. */
    readonly contentAt: (repo: RepoId, path: PagePath, seq: number) => Stored<Option.Option<Uint8Array>>
    /** None: one of `known` is no commit of the repository. The changes are those after `since`. */
    readonly changes: (
      repo: RepoId,
      since: Option.Option<Sha>,
      known: ReadonlyArray<Sha>
    ) => Stored<Option.Option<Changes>>
    /**
     * At most `limit` commits after a commit, given by its id or by its number (0: from the beginning); fewer where they
     * touch very many pages, but at least one where there is one. No point: the head alone. None: there is no such commit.
     */
    readonly feed: (repo: RepoId, after: Option.Option<Sha | number>, limit: number) => Stored<Option.Option<Feed>>
    /** Compare-and-swap of a batch, by `landing`, under the repository's lock. */
    readonly push: (command: PushCommand) => Stored<PushResult, PushIdReused>
    /** Takes a page's texts out of the store, for good, but for those that a page says which lives. Again is harmless. */
    readonly erase: (command: EraseCommand) => Stored<Erased>
  }
>() {}
