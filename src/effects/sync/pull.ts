import { Data, Effect, Either, Option, Schema } from "effect"
import { type PagePath, parsePagePath } from "../../model/page/PagePath.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { Sha } from "../../model/page/Sha.ts"
import { KeepReason, Remote } from "../../model/sync/SyncPlan.ts"
import { type Catalog, PageStore } from "../../services/page/PageStore.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import type { PullAnswer } from "../../services/sync/SyncApi.ts"
import { type ServerRefused, SyncClient } from "../../services/sync/SyncClient.ts"
import { type Base, type Snapshot, type StateChange, SyncState } from "../../services/sync/SyncState.ts"
import { carryOut, type KeptPage, reasonOf, type ServerPages } from "./carryOut.ts"

export type { KeptPage } from "./carryOut.ts"

export interface PullOptions {
  /** Ignore `last_pull_sha`, and bring back files that are gone here. */
  readonly full?: boolean | undefined
}

/** What a pull came to. */
export type PullOutcome = Data.TaggedEnum<{
  /** The server has nothing that is not here. Kept pages are still named. */
  UpToDate: { readonly head: Option.Option<Sha>; readonly kept: ReadonlyArray<KeptPage> }
  Pulled: {
    readonly head: Sha
    /** Written as the server has them. */
    readonly pulled: ReadonlyArray<PagePath>
    /** Written as a merge of both sides. */
    readonly merged: ReadonlyArray<PagePath>
    readonly kept: ReadonlyArray<KeptPage>
    readonly deleted: ReadonlyArray<PagePath>
  }
}>
export const PullOutcome = Data.taggedEnum<PullOutcome>()

/**
 * Brings the server's pages here, and never replaces a local edit (rule 2).
 *
 * Looks at what is new since the last pull, at every page whose recorded sha differs from the server's or whose base is not
 * known, and at what awaits a merge. Each page is read again right before it is replaced.
 *
 * Source: reference.md 2.3; design.md rules 2 to 5; public case A40.
 */
export const pull = Effect.fn("pull")(function* (options: PullOptions) {
  const state = yield* SyncState
  const store = yield* PageStore
  const lock = yield* ProjectLock
  const before = yield* state.snapshot
  const server = yield* fetchServer(before, options)

  const work = yield* lock.run(
    Effect.gen(function* () {
      // What another process recorded while this one was talking to the server counts.
      const snapshot = yield* state.snapshot
      // The pages reach the disk together; what vouches for them is written after.
      const catalog = yield* store.catalog
      const work = yield* store.batch(carryOut(snapshot, server, { restore: options.full === true, catalog }))
      yield* state.apply({ ...work.change, ...headsOf(server.head) })
      // Also for what a hand did, or a process that was killed before it came to this.
      yield* store.regenerateIndexes
      return { ...work, kept: [...work.kept, ...goneHere(snapshot, server, catalog)] }
    })
  )
  const kept = [...server.refused, ...work.kept].toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  const written = work.pulled.length + work.merged.length + work.deleted.length
  return Option.isNone(server.head) || (written === 0 && kept.length === 0)
    ? PullOutcome.UpToDate({ head: server.head, kept })
    : PullOutcome.Pulled({ head: server.head.value, ...work, kept })
})

/** What the server has, page by page, as far as it could matter here. */
interface ServerSide extends ServerPages {
  readonly head: Option.Option<Sha>
  readonly refused: ReadonlyArray<KeptPage>
}

/** How far back the server's log is looked through for a commit. */
const timelineLimit = 500

const fetchServer = Effect.fnUntraced(function* (before: Snapshot, options: PullOptions) {
  const client = yield* SyncClient
  const since = options.full === true ? Option.none<Sha>() : before.lastPull
  const known = Option.getOrUndefined(Option.orElse(before.lastHead, () => before.lastPull))
  const everything = client.pull({})
  const asked = client.pull({ since: Option.getOrUndefined(since), known })
  /**
   * A public server fails with 500 on a `since` that it does not know, and any server may on a bad day. History counts as
   * replaced only if the server fails again on this and on nothing else, and does not list that commit.
   */
  const failing = Effect.fnUntraced(function* (refused: ServerRefused, since: Sha) {
    const again = yield* Effect.either(asked)
    if (Either.isRight(again)) return { answer: again.right, historyReplaced: false }
    const answer = yield* Effect.mapError(everything, () => refused)
    const commits = yield* Effect.orElseSucceed(client.timeline(timelineLimit), () => [])
    return { answer, historyReplaced: !commits.some(({ sha }) => sha === since) }
  })
  const { answer, historyReplaced } = yield* asked.pipe(
    Effect.map((answer) => ({ answer, historyReplaced: false })),
    Effect.catchTags({
      UnknownHistory: () => Effect.map(everything, (answer) => ({ answer, historyReplaced: true })),
      ServerRefused: (refused) =>
        Option.isSome(since) && refused.status === 500 ? failing(refused, since.value) : refused
    })
  )
  const pages = new Map<PagePath, Remote>()
  const refused: Array<KeptPage> = []
  collect(answer, pages, refused)

  const listed = yield* client.pages
  const present = new Map<PagePath, Sha>()
  for (const { path, sha } of listed) {
    const parsed = parsePagePath(path)
    if (Option.isSome(parsed)) present.set(parsed.value, sha)
    else if (!refused.some((one) => one.path === forAgentLine(path))) refused.push(notAPage(path))
  }
  const named = new Set(refused.map(({ path }) => path))
  const isKnown = (path: PagePath, sha: Sha) => before.recorded.get(path) === sha && before.bases.get(path)?.sha === sha
  const wanted = [...present].filter(([path, sha]) => !pages.has(path) && !named.has(path) && !isKnown(path, sha))
  const fetched = yield* fetchPages(wanted.map(([path]) => path))
  for (const [path, page] of fetched) collectPage(path, page, pages, refused)
  for (const path of before.recorded.keys()) {
    if (!pages.has(path) && !present.has(path)) pages.set(path, Remote.Absent())
  }
  return { head: Schema.decodeOption(Sha)(answer.new_head), pages, historyReplaced, refused } satisfies ServerSide
})

/** More pages than this come in one request: all of a folder that another client made, say. */
const fewPages = 50

/** The server's text of some pages. */
const fetchPages = Effect.fnUntraced(function* (paths: ReadonlyArray<PagePath>) {
  const client = yield* SyncClient
  const found = new Map<PagePath, Base>()
  if (paths.length <= fewPages) {
    const fetch = (path: PagePath) =>
      Effect.map(client.page(path), (page) => {
        if (Option.isSome(page)) found.set(path, page.value)
      })
    yield* Effect.forEach(paths, fetch, { concurrency: 8, discard: true })
    return found
  }
  const wanted = new Set<string>(paths)
  for (const { content, path, sha } of (yield* client.pull({})).files ?? []) {
    const parsed = parsePagePath(path)
    if (Option.isSome(parsed) && wanted.has(path)) found.set(parsed.value, { sha, text: content })
  }
  return found
})

const collect = (answer: PullAnswer, pages: Map<PagePath, Remote>, refused: Array<KeptPage>) => {
  for (const { path, content, sha } of answer.files ?? []) {
    const parsed = parsePagePath(path)
    if (Option.isNone(parsed)) refused.push(notAPage(path))
    else collectPage(parsed.value, { sha, text: content }, pages, refused)
  }
  for (const { path } of answer.deleted ?? []) {
    const parsed = parsePagePath(path)
    if (Option.isSome(parsed)) pages.set(parsed.value, Remote.Deleted())
  }
}

const collectPage = (path: PagePath, page: Base, pages: Map<PagePath, Remote>, refused: Array<KeptPage>) => {
  if (page.text.includes("\0")) refused.push({ path, reason: "the server's text holds a NUL character" })
  // A public server sends a removed page as an empty file.
  else pages.set(path, page.text === "" ? Remote.Deleted() : Remote.Present(page))
}

const notAPage = (path: string): KeptPage => ({
  path: forAgentLine(path),
  reason: "refused: the server named a path that is not a page's"
})

/** Gone here, unchanged there: nothing to decide, but a person should know. */
const goneHere = (snapshot: Snapshot, server: ServerSide, catalog: Catalog): ReadonlyArray<KeptPage> => {
  const onDisk = new Set<string>([...catalog.entries.keys(), ...catalog.problems.map(({ path }) => path)])
  return [...snapshot.recorded.keys()]
    .filter((path) => !server.pages.has(path) && !onDisk.has(path))
    .map((path) => ({ path, reason: reasonOf(KeepReason.GoneHere()) }))
}

const headsOf = (head: Option.Option<Sha>): StateChange =>
  Option.isSome(head) ? { lastPull: head.value, lastHead: head.value } : {}
