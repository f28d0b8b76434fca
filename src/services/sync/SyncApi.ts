import { Schema } from "effect"
import { PagePath } from "../../model/page/PagePath.ts"
import { SectionDiff } from "../../model/merge/SectionDiff.ts"
import { Sha } from "../../model/page/Sha.ts"

/**
 * The JSON of the v1 sync API (reference section 8), shared by server and client. Answers decode leniently (fields that
 * a public Contexo server leaves out are optional), requests strictly.
 */

/** Largest request body, in bytes; more is answered 413. */
export const maxBodyBytes = 8 * 1024 * 1024

export const ErrorBody = Schema.Struct({
  error: Schema.String,
  /** Ours: lets a program tell failures of one status apart (`unknown_history`, ...). */
  code: Schema.optional(Schema.String)
}).annotations({ identifier: "Error" })

export const Health = Schema.Struct({ status: Schema.String })

export const User = Schema.Struct({ id: Schema.String, email: Schema.String, name: Schema.String }).annotations({
  identifier: "User"
})
export type User = typeof User.Type

/** `PATCH /v1/me`. */
export const UserPatch = Schema.Struct({
  name: Schema.optional(Schema.NonEmptyString),
  email: Schema.optional(Schema.NonEmptyString)
})
export type UserPatch = typeof UserPatch.Type

export const RepoId = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, {
    message: () => "a repository id is 1 to 64 letters, digits, '-' and '_', led by a letter or digit"
  }),
  Schema.brand("RepoId")
)
export type RepoId = typeof RepoId.Type

export const CommitInfo = Schema.Struct({
  sha: Sha,
  author: Schema.String,
  email: Schema.String,
  /** RFC 3339, UTC. */
  time: Schema.String,
  message: Schema.String
}).annotations({ identifier: "Commit" })
export type CommitInfo = typeof CommitInfo.Type

export const RepoSummary = Schema.Struct({
  id: Schema.String,
  page_count: Schema.optional(Schema.Int),
  last_commit: Schema.optional(Schema.NullOr(CommitInfo)),
  role: Schema.optional(Schema.String)
}).annotations({ identifier: "Repository" })
export type RepoSummary = typeof RepoSummary.Type
export const RepoList = Schema.Struct({ repos: Schema.NullOr(Schema.Array(RepoSummary)) })
export const CreateRepo = Schema.Struct({ id: RepoId })
export const CreatedRepo = Schema.Struct({ id: Schema.String, role: Schema.String })

/** One line of `GET /v1/repos/:id/pages`: the commit that last touched the page. `path` is checked by who uses it. */
export const PageInfo = Schema.Struct({ path: Schema.String, ...CommitInfo.fields }).annotations({
  identifier: "PageInfo"
})
export type PageInfo = typeof PageInfo.Type
export const PageList = Schema.Struct({ pages: Schema.NullOr(Schema.Array(PageInfo)) })

export const PushFile = Schema.Union(
  Schema.Struct({
    path: PagePath,
    content: Schema.String,
    parent_sha: Schema.optional(Schema.String),
    deleted: Schema.optional(Schema.Literal(false))
  }),
  Schema.Struct({ path: PagePath, deleted: Schema.Literal(true), parent_sha: Schema.optional(Schema.String) })
).annotations({ identifier: "PushFile" })
export type PushFile = typeof PushFile.Type

export const PushBody = Schema.Struct({
  /** Ours: the same id answers a landed push again instead of pushing twice. */
  push_id: Schema.optional(Schema.String.pipe(Schema.minLength(8), Schema.maxLength(64))),
  author_name: Schema.optional(Schema.String),
  author_email: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String),
  files: Schema.Array(PushFile)
})
export type PushBody = typeof PushBody.Type

/** A file that the server refused: somebody else moved it. The contents are base64 of UTF-8 (as Go writes []byte). */
export const PushConflict = Schema.Struct({
  path: Schema.String,
  /** Ours: the page exists under this name, which differs by case only. Another parent does not help: rename to it. */
  existing_path: Schema.optional(Schema.String),
  /** Empty: the server has no such page (any more). */
  current_sha: Schema.String,
  current_content: Schema.optional(Schema.NullOr(Schema.String)),
  expected_parent_sha: Schema.optional(Schema.String),
  ancestor_content: Schema.optional(Schema.NullOr(Schema.String))
}).annotations({ identifier: "PushConflict" })
export type PushConflict = typeof PushConflict.Type

/** Status 200 and 409. Our server does all or nothing; a public one may answer `pushed` and `conflicts` together. */
export const PushAnswer = Schema.Struct({
  new_head: Schema.String,
  pushed: Schema.optional(Schema.NullOr(Schema.Array(Schema.Struct({ path: Schema.String, sha: Sha })))),
  conflicts: Schema.optional(Schema.NullOr(Schema.Array(PushConflict)))
}).annotations({ identifier: "PushAnswer" })
export type PushAnswer = typeof PushAnswer.Type

/**
 * `GET .../sync/pull?since=<sha>&known=<sha>`. `known` is ours: the newest head that the client saw; where the server
 * knows `since` or `known` no more, it answers 409 with code `unknown_history`.
 */
export const PullAnswer = Schema.Struct({
  new_head: Schema.String,
  files: Schema.NullOr(Schema.Array(Schema.Struct({ path: Schema.String, content: Schema.String, sha: Sha }))),
  deleted: Schema.optional(Schema.NullOr(Schema.Array(Schema.Struct({ path: Schema.String, sha: Sha }))))
})
export type PullAnswer = typeof PullAnswer.Type

/** One commit of `GET .../changes`. */
export const Change = Schema.Struct({
  /** The commit's number in its repository, from 1, without gaps. */
  seq: Schema.Int,
  ...CommitInfo.fields,
  /** Pages that it wrote. */
  paths: Schema.Array(Schema.String),
  /** Pages that it deleted. */
  deleted: Schema.Array(Schema.String)
}).annotations({ identifier: "Change" })
export type Change = typeof Change.Type

/**
 * Ours. `GET .../changes?since=<sha or number>&wait=<seconds>&limit=<n>`: the commits after `since`, oldest first. Ask with
 * `next_since` next; a commit that the server does not know is answered 409 with code `unknown_history`.
 */
export const ChangesAnswer = Schema.Struct({
  /** Empty: the repository has no commit yet. */
  head: Schema.String,
  head_seq: Schema.Int,
  commits: Schema.Array(Change),
  next_since: Schema.String,
  /** Whether there are more commits than this answer holds. */
  more: Schema.Boolean
})
export type ChangesAnswer = typeof ChangesAnswer.Type

export const Timeline = Schema.Struct({ commits: Schema.NullOr(Schema.Array(CommitInfo)) })

/** One commit that touched a page. */
export const HistoryCommit = Schema.Struct({
  ...CommitInfo.fields,
  /** Ours: it deleted the page. */
  deleted: Schema.optional(Schema.Boolean),
  /** Ours: its content was purged. */
  purged: Schema.optional(Schema.Boolean)
}).annotations({ identifier: "HistoryCommit" })
export type HistoryCommit = typeof HistoryCommit.Type

const nextCursor = Schema.optional(Schema.NullOr(Schema.String))

/** `GET .../history/*`, newest first. `next_cursor` is ours: ask with it for the older ones. */
export const HistoryAnswer = Schema.Struct({
  commits: Schema.NullOr(Schema.Array(HistoryCommit)),
  next_cursor: nextCursor
}).annotations({ identifier: "History" })

/** `GET .../evolution/*`: what each commit changed in a page, newest first. */
export const EvolutionAnswer = Schema.Struct({
  path: Schema.String,
  entries: Schema.NullOr(Schema.Array(Schema.Struct({ commit: CommitInfo, diff: SectionDiff }))),
  next_cursor: nextCursor
}).annotations({ identifier: "Evolution" })
export type EvolutionEntry = NonNullable<typeof EvolutionAnswer.Type.entries>[number]

/** Ours. `POST .../revert/*`: the page as it was at `to`, as a new commit. `parent_sha` empty: it does not live. */
export const RevertBody = Schema.Struct({
  to: Schema.String,
  parent_sha: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String),
  push_id: Schema.optional(Schema.String.pipe(Schema.minLength(8), Schema.maxLength(64)))
})
export type RevertBody = typeof RevertBody.Type

/** Ours. `POST .../purge/*`. */
export const PurgeBody = Schema.Struct({
  /** The version in force stays. */
  keep_current: Schema.optional(Schema.Boolean),
  reason: Schema.optional(Schema.String.pipe(Schema.maxLength(1_000)))
})
export type PurgeBody = typeof PurgeBody.Type

export const PurgeAnswer = Schema.Struct({
  new_head: Schema.String,
  /** Versions whose content is gone now. */
  purged: Schema.Int,
  /** Other pages that live and say one of its texts, word for word: to be edited, or purged too. */
  still_in: Schema.optional(Schema.Array(Schema.String)),
  /** Names that the page had before it was renamed, under which older texts of it are held: to be purged too. */
  formerly: Schema.optional(Schema.Array(Schema.String))
}).annotations({ identifier: "Purge" })
export type PurgeAnswer = typeof PurgeAnswer.Type

export const TokenInfo = Schema.Struct({
  id: Schema.String,
  label: Schema.String,
  created_at: Schema.String,
  last_used_at: Schema.optional(Schema.NullOr(Schema.String))
}).annotations({ identifier: "Token" })
export type TokenInfo = typeof TokenInfo.Type
export const CreateToken = Schema.Struct({ label: Schema.optional(Schema.String) })
export const CreatedToken = Schema.Struct({ pat: TokenInfo, token: Schema.String })
export const TokenList = Schema.Struct({ pats: Schema.Array(TokenInfo) })
