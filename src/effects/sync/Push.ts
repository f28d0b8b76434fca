import { Clock, Context, Data, Effect, Layer, Option, Random, Schema } from "effect"
import { planPush } from "../../model/sync/PushPlan.ts"
import { byteLength } from "../../model/text/Text.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import type { PageType } from "../../model/page/PageType.ts"
import { forAgentLine, hasUnsafe } from "../../model/text/Sanitise.ts"
import { Sha } from "../../model/page/Sha.ts"
import { sha256 } from "../../model/text/Hash.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import type { MergeRequired } from "../../directives/MergeRequired.ts"
import type { PushPaused } from "../../directives/PushPaused.ts"
import { type Credential, Credentials } from "../../services/sync/Credentials.ts"
import type { LockTimeout } from "../../services/project/ProjectLock.ts"
import { type Catalog, PageStore, type StoreFailure } from "../../services/page/PageStore.ts"
import { maxBodyBytes, type PushAnswer, type PushConflict } from "../../services/sync/SyncApi.ts"
import { SyncClient, type SyncFailure, UnexpectedAnswer } from "../../services/sync/SyncClient.ts"
import { type Base, type StateFailure, SyncState } from "../../services/sync/SyncState.ts"
import type { MalformedPage } from "../../model/page/Page.ts"
import { CaseTwin } from "./CaseTwin.ts"
import type { SourcePageMissing, SourceSlugRequired } from "./DistillErrors.ts"

/** One changed page on its way to the server. */
export interface BatchPage {
  readonly path: PagePath
  readonly type: PageType
  readonly tags: ReadonlyArray<string>
  readonly text: string
  /** None: the server must not have the page yet. */
  readonly parent: Option.Option<Sha>
}

/** Answers that a caller may give in advance. */
export interface PushOptions {
  /** Commit message; default `agent push (N pages)`. */
  readonly message?: string | undefined
  /** Merge and push in one step where nothing was changed on both sides. */
  readonly autoMerge?: boolean | undefined
  /** Pages that await a merge go out as they are here. */
  readonly acceptMine?: boolean | undefined
  /** Rules for secrets whose findings a person has looked at: `SecretGuard.layer` does not ask them. */
  readonly allowSecrets?: ReadonlyArray<string> | undefined
  /** Do not pause to distill a session's reasoning first. */
  readonly noDistill?: boolean | undefined
  /** What `Distill.layer` asked for is done: `sourceSlug` names the source page that was written. */
  readonly distillDone?: boolean | undefined
  readonly sourceSlug?: string | undefined
}

/** The batch is empty only where a session was distilled and no other page changed; the operation answers the other cases. */
export interface PushRequest {
  readonly batch: ReadonlyArray<BatchPage>
  readonly options: PushOptions
}

/** A page that the server has in another version than the one it was edited from. */
export interface Conflict {
  readonly page: BatchPage
  /** None: both sides created the page, or nobody has the ancestor any more. */
  readonly ancestor: Option.Option<Base>
  /** None: the server deleted the page. */
  readonly current: Option.Option<Base>
}

export interface PushedPage {
  readonly path: PagePath
  readonly sha: Sha
}

/** What a push came to. A pause, a conflict or a refusal is an answer, not a failure. */
export type PushOutcome = Data.TaggedEnum<{
  Pushed: {
    readonly head: Sha
    readonly pages: ReadonlyArray<PushedPage>
    /** Pages that were merged with the server's version on the way. */
    readonly merged: ReadonlyArray<PagePath>
  }
  NothingToPush: { readonly reason: "no-match" | "all-on-server" }
  /** The plain upload's word; `Merge.layer` turns it into a merge. */
  Rejected: { readonly conflicts: ReadonlyArray<Conflict>; readonly landed: ReadonlyArray<PushedPage> }
  MergeRequired: { readonly directive: MergeRequired; readonly conflicts: ReadonlyArray<Conflict> }
  PushPaused: { readonly directive: PushPaused }
  /** `path` is a page's, or `message` where the commit's message is meant. */
  Refused: {
    readonly findings: ReadonlyArray<{ readonly path: string; readonly line: number; readonly rule: string }>
  }
}>
export const PushOutcome = Data.taggedEnum<PushOutcome>()

/** The batch does not fit into one request. Nothing was sent. */
export class BatchTooLarge extends Schema.TaggedError<BatchTooLarge>()("BatchTooLarge", {
  bytes: Schema.Int,
  limit: Schema.Int,
  advice: Schema.String
}) {
  override get message() {
    return `push: the batch is ${this.bytes} bytes, over the server's limit of ${this.limit}. Nothing was sent. ${this.advice}`
  }
}

export type PushFailure =
  | SyncFailure
  | StateFailure
  | StoreFailure
  | MalformedPage
  | LockTimeout
  | BatchTooLarge
  | CaseTwin
  | SourceSlugRequired
  | SourcePageMissing

/** Sends a batch. Layers decorate it: each wraps the `Push` below and may answer in its place. */
export class Push extends Context.Tag("ctx-mcp/Push")<
  Push,
  {
    readonly run: (request: PushRequest) => Effect.Effect<PushOutcome, PushFailure>
  }
>() {
  /** The plain upload: one request, and what the server confirms is recorded. */
  static readonly layer = Layer.effect(
    Push,
    Effect.gen(function* () {
      const client = yield* SyncClient
      const state = yield* SyncState
      const credentials = yield* Credentials
      return {
        run: Effect.fn("Push.upload")(function* ({ batch, options }: PushRequest) {
          if (batch.length === 0) return PushOutcome.NothingToPush({ reason: "all-on-server" })
          const credential = yield* credentials.read
          const body = {
            push_id: yield* pushId,
            message: options.message ?? `agent push (${batch.length} pages)`,
            ...authorOf(credential),
            files: batch.map(({ path, text, parent }) => ({
              path,
              content: text,
              ...(Option.isSome(parent) ? { parent_sha: parent.value } : {})
            }))
          }
          yield* fits(batch, byteLength(JSON.stringify(body)))
          yield* state.apply({ sent: batch.map(({ path, text }) => ({ path, hash: sha256(text) })) })
          const answer = yield* client.push(body)
          const pages = yield* confirmed(batch, answer)
          const head = decodeSha(answer.new_head)
          yield* state.apply({
            ...(Option.isSome(head) ? { lastHead: head.value } : {}),
            known: pages.map(({ path, sha, text }) => ({ path, base: { sha, text } }))
          })
          const landed = pages.map(({ path, sha }) => ({ path, sha }))
          const rejected = answer.conflicts ?? []
          if (rejected.length > 0) {
            const conflicts = yield* Effect.forEach(rejected, (conflict) => readConflict(state, batch, conflict))
            return PushOutcome.Rejected({ conflicts: conflicts.flat(), landed })
          }
          if (Option.isNone(head)) return yield* notAnAnswer("no new_head")
          return PushOutcome.Pushed({ head: head.value, pages: landed, merged: [] })
        })
      }
    })
  )
}

/** What a push may be narrowed to. Tags compare without regard to case; tag and type are ANDed. */
export interface PushFilter {
  readonly tag?: string | undefined
  readonly type?: PageType | undefined
}

/** What would travel, and what a person should know before or after it does. */
export interface PushBatch {
  readonly batch: ReadonlyArray<BatchPage>
  /** How many pages match the filter, changed or not. */
  readonly matched: number
  /** Those of them that are on the server as they are here. */
  readonly same: ReadonlyArray<PagePath>
  /** Pages whose file is gone here though a base exists. They are never pushed as deletions. */
  readonly gone: ReadonlyArray<PagePath>
  /** Pages of the batch that hold characters which are removed before an agent sees them (rule 6). */
  readonly unsafe: ReadonlyArray<PagePath>
  readonly problems: Catalog["problems"]
}

/**
 * The changed pages that match a filter.
 *
 * Reads local files only. Source: agent-directives.md (the batch), design.md rule 4.
 */
export const pushBatch = Effect.fn("pushBatch")(function* (filter: PushFilter) {
  const store = yield* PageStore
  const snapshot = yield* (yield* SyncState).snapshot
  const catalog = yield* store.catalog
  const tag = filter.tag?.toLowerCase()
  const matching = [...catalog.entries.values()].filter(
    ({ page }) =>
      (filter.type === undefined || page.type === filter.type) &&
      (tag === undefined || page.tags.some((one) => one.toLowerCase() === tag))
  )
  const batch: Array<BatchPage> = []
  const same: Array<PagePath> = []
  for (const { hash, page } of matching) {
    const step = planPush({
      hash,
      recorded: Option.fromNullable(snapshot.recorded.get(page.path)),
      base: Option.fromNullable(snapshot.bases.get(page.path))
    })
    if (step._tag === "Same") {
      same.push(page.path)
      continue
    }
    const text = yield* store.read(page.path)
    if (Option.isNone(text)) continue
    batch.push({ path: page.path, type: page.type, tags: page.tags, text: text.value, parent: step.parent })
  }
  const onDisk = new Set(catalog.problems.map(({ path }) => path))
  const gone = [...snapshot.recorded.keys()].filter((path) => !catalog.entries.has(path) && !onDisk.has(path))
  return {
    batch,
    matched: matching.length,
    same,
    gone,
    unsafe: batch.filter(({ text }) => hasUnsafe(text)).map(({ path }) => path),
    problems: catalog.problems
  } satisfies PushBatch
})

/**
 * Shares the changed pages that match a filter, as one commit.
 *
 * @example
 * const outcome = yield* push({ tag: "billing" }, { message: "billing: retry rule" })
 *
 * Source: agent-directives.md; reference.md 2.2.
 */
export const push = Effect.fn("push")(function* (filter: PushFilter, options: PushOptions) {
  const prepared = yield* pushBatch(filter)
  if (prepared.batch.length === 0) yield* (yield* SyncState).catchUp
  return { ...prepared, outcome: yield* run(prepared, options) }
})

const run = (prepared: PushBatch, options: PushOptions): Effect.Effect<PushOutcome, PushFailure, Push> => {
  const { batch } = prepared
  if (options.distillDone === true) return Effect.flatMap(Push, (service) => service.run({ batch, options }))
  if (prepared.matched === 0) return Effect.succeed(PushOutcome.NothingToPush({ reason: "no-match" }))
  if (batch.length === 0) return Effect.succeed(PushOutcome.NothingToPush({ reason: "all-on-server" }))
  return Effect.flatMap(Push, (service) => service.run({ batch, options }))
}

const decodeSha = Schema.decodeUnknownOption(Sha)

/** Unique over processes and time, so that a repeated request is known for the same push. */
export const pushId = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const high = yield* Random.nextIntBetween(0, 2 ** 31)
  const low = yield* Random.nextIntBetween(0, 2 ** 31)
  return [now, high, low].map((part) => part.toString(36).padStart(7, "0")).join("-")
})

/** Who a commit names, where the server does not know better. */
export const authorOf = (credential: Option.Option<Credential>) => ({
  ...(Option.isSome(credential) && credential.value.userName !== undefined
    ? { author_name: credential.value.userName }
    : {}),
  ...(Option.isSome(credential) && credential.value.userEmail !== undefined
    ? { author_email: credential.value.userEmail }
    : {})
})

const fits = (batch: ReadonlyArray<BatchPage>, bytes: number) => {
  if (bytes <= maxBodyBytes) return Effect.void
  return new BatchTooLarge({ bytes, limit: maxBodyBytes, advice: smallerFilter(batch) })
}

/** Names the largest type or tag whose pages fit into one request. */
const smallerFilter = (batch: ReadonlyArray<BatchPage>): string => {
  // JSON escapes and the envelope cost something; a quarter of the limit is left for them.
  const room = maxBodyBytes * 0.75
  const sizes = new Map<string, number>()
  const add = (key: string, size: number) => sizes.set(key, (sizes.get(key) ?? 0) + size)
  for (const page of batch) {
    const size = byteLength(page.text)
    add(`--type ${page.type}`, size)
    for (const tag of page.tags) add(`--tag ${tag}`, size)
  }
  const fitting = [...sizes]
    .filter(([, size]) => size <= room)
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const best = fitting[0]
  const largest = [...batch].toSorted((a, b) => b.text.length - a.text.length)[0]
  return best === undefined
    ? `No type or tag alone fits; the largest page is ${largest?.path ?? "unknown"}: split it, or tag pages in smaller groups.`
    : `A filter that fits: ${best[0]}.`
}

const notAnAnswer = (reason: string) => new UnexpectedAnswer({ url: "sync/push", status: 200, reason })

/** What landed. A server that names pages which were not sent, or forgets one, is not believed. */
const confirmed = Effect.fnUntraced(function* (batch: ReadonlyArray<BatchPage>, answer: PushAnswer) {
  const shas = new Map((answer.pushed ?? []).map(({ path, sha }) => [path, sha]))
  const refused = new Set((answer.conflicts ?? []).map(({ path }) => path))
  const pages = batch.flatMap(({ path, text }) => {
    const sha = shas.get(path)
    return sha === undefined ? [] : [{ path, sha, text }]
  })
  const unheard = batch.find(({ path }) => !shas.has(path) && !refused.has(path))
  // All or nothing: beside conflicts, the other pages of a batch may be unnamed because they did not land.
  if (unheard !== undefined && refused.size === 0) return yield* notAnAnswer(`it did not confirm ${unheard.path}`)
  return pages
})

const readConflict = Effect.fnUntraced(function* (
  state: Context.Tag.Service<SyncState>,
  batch: ReadonlyArray<BatchPage>,
  conflict: PushConflict
) {
  const page = batch.find(({ path }) => path === conflict.path)
  if (page === undefined) return []
  if (conflict.existing_path !== undefined) {
    return yield* new CaseTwin({ path: page.path, existing: forAgentLine(conflict.existing_path) })
  }
  const local = yield* state.base(page.path)
  const theirs = fromBase64(conflict.ancestor_content)
  const parent = Option.orElse(decodeSha(conflict.expected_parent_sha), () => page.parent)
  const ancestor = Option.filter(local, (base) => Option.contains(parent, base.sha)).pipe(
    Option.orElse(() => Option.zipWith(parent, theirs, (sha, text) => ({ sha, text })))
  )
  const current = Option.zipWith(
    decodeSha(conflict.current_sha),
    Option.orElse(fromBase64(conflict.current_content), () => Option.some("")),
    (sha, text) => ({ sha, text })
  )
  return [{ page, ancestor, current }] satisfies ReadonlyArray<Conflict>
})

const fromBase64 = (text: string | null | undefined): Option.Option<string> =>
  text === null || text === undefined ? Option.none() : decodeBase64(text)

// Bytes first: decoding straight to a string would drop a BOM.
const decodeBase64 = (text: string) =>
  Option.flatMap(Schema.decodeOption(Schema.Uint8ArrayFromBase64)(text), decodeUtf8)
