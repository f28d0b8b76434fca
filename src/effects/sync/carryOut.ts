import { Effect, Option } from "effect"
import { sha256 } from "../../model/text/Hash.ts"
import { identityOf, type PagePath } from "../../model/page/PagePath.ts"
import { forAgentLine, removeUnsafeKeepingBom } from "../../model/text/Sanitise.ts"
import { KeepReason, planPull, type PullStep, type Remote } from "../../model/sync/SyncPlan.ts"
import { type Catalog, PageStore } from "../../services/page/PageStore.ts"
import { progress } from "../../services/runtime/Progress.ts"
import { type Base, type Snapshot, type StateChange, SyncState } from "../../services/sync/SyncState.ts"

/** A page that was left as it is, and why, in one sentence. */
export interface KeptPage {
  /** As the server or the disk names it; sanitised, since a server may name anything. */
  readonly path: string
  readonly reason: string
}

/** What the server has of some pages. */
export interface ServerPages {
  readonly pages: ReadonlyMap<PagePath, Remote>
  /** The server no longer knows what this clone last saw. */
  readonly historyReplaced: boolean
}

/** So many pages are one step of the work, as people hear of it. */
const stride = 250

/**
 * Does with each page what the plan says, each read again right before. Call under the project lock, in a batch of the
 * store; what vouches for the pages is the answer's `change`, to be applied after.
 */
export const carryOut = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  server: ServerPages,
  options: { readonly restore: boolean; readonly catalog: Catalog }
) {
  const store = yield* PageStore
  const state = yield* SyncState
  const twins = new Map([...options.catalog.entries.keys()].map((path) => [identityOf(path), path]))
  const pulled: Array<PagePath> = []
  const merged: Array<PagePath> = []
  const deleted: Array<PagePath> = []
  const kept: Array<KeptPage> = []
  const known: Array<{ readonly path: PagePath; readonly base: Base }> = []
  const forget: Array<PagePath> = []
  const settle: Array<PagePath> = []

  const learn = (path: PagePath, base: Base) => {
    known.push({ path, base })
    settle.push(path)
  }

  const apply = Effect.fnUntraced(function* (path: PagePath, step: PullStep) {
    switch (step._tag) {
      case "Nothing":
        return
      case "Take":
        yield* store.write(path, step.text)
        pulled.push(path)
        learn(path, { sha: step.sha, text: step.text })
        return
      case "Merge":
        yield* store.write(path, step.text)
        merged.push(path)
        learn(path, { sha: step.sha, text: step.base })
        return
      case "Adopt":
        learn(path, { sha: step.sha, text: step.text })
        return
      case "LocalEdit":
        learn(path, { sha: step.sha, text: step.base })
        return
      case "Rebase":
        kept.push({ path, reason: reasonOf(KeepReason.HistoryReplaced()) })
        learn(path, { sha: step.sha, text: step.base })
        return
      case "Forget":
        if (step.named) kept.push({ path, reason: reasonOf(KeepReason.HistoryReplaced()) })
        forget.push(path)
        return
      case "Delete":
        yield* store.remove(path)
        deleted.push(path)
        forget.push(path)
        return
      case "Keep":
        kept.push({ path, reason: reasonOf(step.reason) })
        return
    }
  })

  const look = Effect.fnUntraced(function* (path: PagePath, remote: Remote) {
    const twin = twins.get(identityOf(path))
    if (twin !== undefined && twin !== path) {
      kept.push({ path, reason: `differs only by case from ${twin} here: rename one of them` })
      return
    }
    const local = yield* store.read(path)
    const base = yield* baseOf(state, snapshot, path, remote)
    const awaiting = Option.fromNullable(snapshot.awaiting.get(path)).pipe(
      Option.map(({ ancestor }) => ({ ancestor: Option.map(ancestor, ({ text }) => text) }))
    )
    const step = planPull({
      base,
      recorded: snapshot.recorded.has(path),
      awaiting,
      local,
      remote,
      historyReplaced: server.historyReplaced,
      restore: options.restore
    })
    if (step._tag === "Delete") twins.delete(identityOf(path))
    if (step._tag === "Take") twins.set(identityOf(path), path)
    yield* apply(path, step)
  })

  let looked = 0
  for (const [path, remote] of [...server.pages].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (looked % stride === 0) yield* progress(`page ${looked + 1} of ${server.pages.size}`)
    looked++
    yield* look(path, remote).pipe(
      // One page that cannot be read or written never blocks the others; it is looked at again by the next pull.
      Effect.catchTags({
        FileFailure: (failure) => Effect.sync(() => kept.push({ path, reason: failure.message })),
        LeavesStore: (failure) => Effect.sync(() => kept.push({ path, reason: failure.message })),
        MalformedPage: (failure) => Effect.sync(() => kept.push({ path, reason: failure.message }))
      })
    )
  }
  const change: StateChange = { known, forget, settle }
  return { pulled, merged, deleted, kept, change }
})

/** The base that the plan compares with: a push of our own whose answer was lost counts as one. */
const baseOf = Effect.fnUntraced(function* (
  state: SyncState["Type"],
  { bases, sent }: Snapshot,
  path: PagePath,
  remote: Remote
) {
  if (remote._tag === "Present" && (sent.get(path)?.has(sha256(remote.text)) ?? false)) {
    return Option.some(removeUnsafeKeepingBom(remote.text))
  }
  if (!bases.has(path)) return Option.none<string>()
  return Option.map(yield* state.base(path), ({ text }) => text)
})

/** What a person is told. */
export const reasonOf = KeepReason.$match({
  BothChanged: ({ regions }) =>
    `changed here and on the server (${forAgentLine(regions.join(", "))}); push hands over the merge`,
  BothCreated: () => "created here and on the server with different texts; push hands over the merge",
  UnknownBase: () =>
    "differs from the server's, and what it was based on is not known; push hands over the merge where the server moved on",
  GoneHere: () => "the file is gone here; 'ctx rm' deletes it on the server, 'ctx pull --full' brings it back",
  DeletedThere: () => "deleted on the server, edited here; push hands over the decision",
  HistoryReplaced: () =>
    "the server no longer knows the version this copy came from (restored from a backup?); kept, and a push brings it back"
})
