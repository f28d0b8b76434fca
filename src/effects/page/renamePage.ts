import { Effect, Option } from "effect"
import {
  type Reference,
  type ReferenceKind,
  renameReferences,
  renameSelf,
  resolveReference
} from "../../model/page/Links.ts"
import { identityOf, pagePath, type PagePath, slugOf, typeOf } from "../../model/page/PagePath.ts"
import type { PageType } from "../../model/page/PageType.ts"
import { planPush } from "../../model/sync/PushPlan.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import type { Sha } from "../../model/page/Sha.ts"
import { foldSlug, isPortable } from "../../model/page/Slug.ts"
import { byteLength } from "../../model/text/Text.ts"
import { Credentials } from "../../services/sync/Credentials.ts"
import { type Catalog, PageStore } from "../../services/page/PageStore.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import { maxBodyBytes, type PushAnswer } from "../../services/sync/SyncApi.ts"
import { SyncClient, UnexpectedAnswer } from "../../services/sync/SyncClient.ts"
import { type Snapshot, SyncState } from "../../services/sync/SyncState.ts"
import { hasPage, namesakes } from "./deadReferences.ts"
import { checkSlug } from "./findPage.ts"
import { authorOf, BatchTooLarge, pushId } from "../sync/Push.ts"
import { readPage } from "./readPage.ts"
import { refuseSecret } from "../capture/refuseSecret.ts"
import {
  EditedHere,
  headOf,
  MovedOnServer,
  NeverPushed,
  NotOnServer,
  refusePublicServer,
  SameName,
  TargetExists
} from "../sync/serverEdits.ts"
import { UnportableSlug } from "./writePage.ts"

export interface RenameOptions {
  /** The new slug; default: the old one. */
  readonly slug?: string | undefined
  /** The new type; default: the old one. */
  readonly type?: PageType | undefined
  /** What the commit says; default `rename <old path> to <new path>`. */
  readonly message?: string | undefined
}

/** A page that has another name, here and on the server. */
export interface RenamedPage {
  readonly from: PagePath
  readonly to: PagePath
  readonly head: Option.Option<Sha>
  /** Pages that named it and were changed in the same commit. */
  readonly updated: ReadonlyArray<PagePath>
  /** Pages that were never pushed and named it: changed here. */
  readonly drafts: ReadonlyArray<PagePath>
  /** Files that somebody changed meanwhile: kept as they are, and the next pull merges them. */
  readonly kept: ReadonlyArray<PagePath>
  /** Pages that are newer on the server than here, in which nobody looked for the old name. */
  readonly unseen: number
}

/** A page's text before and after. */
interface Change {
  readonly path: PagePath
  readonly before: string
  readonly after: string
}

/**
 * Gives a page another slug, type, or both: one commit with the deletion of the old, the creation of the new, and every
 * page whose `related`, `sources` or `[[links]]` named it. Files, bases and indexes here follow.
 *
 * All or nothing. Pages that would be touched and hold edits which were not pushed are refused by name, so that the commit
 * says what it is and no edit travels by the way.
 *
 * Errors: `EditedHere`, `NeverPushed`, `NotOnServer`, `MovedOnServer`, `TargetExists`, `SameName`, `SecretInMessage`; nothing
 * was changed then.
 *
 * @example yield* renamePage(path, { slug: "retry-policy" })
 *
 * Source: issue 4; design.md section 12.
 */
export const renamePage = Effect.fn("renamePage")(function* (from: PagePath, options: RenameOptions) {
  yield* refuseSecret("message", options.message)
  const store = yield* PageStore
  const state = yield* SyncState
  const client = yield* SyncClient
  const slug = yield* checkSlug(options.slug ?? slugOf(from))
  const to = pagePath(options.type ?? typeOf(from), slug)
  if (identityOf(to) === identityOf(from)) return yield* new SameName({ path: to })
  if (!isPortable(slug)) return yield* new UnportableSlug({ slug })
  if (Option.isSome(yield* store.find(to))) return yield* new TargetExists({ path: to, where: "here" })

  const text = yield* readPage(from)
  const snapshot = yield* state.snapshot
  const recorded = snapshot.recorded.get(from)
  if (recorded === undefined) {
    return yield* new NeverPushed({ path: from, advice: "Push it first, then rename it." })
  }
  const catalog = yield* store.catalog
  const kinds = yield* kindsThatMean(from)
  const self = yield* renameReferences(from, text, slugOf(from), slug, kinds)
  const moved: Change = { path: from, before: text, after: yield* renameSelf(self, from, to) }
  const touched = kinds.size === 0 || slug === slugOf(from) ? [] : yield* touchedPages(catalog, from, slug, kinds)
  const shared = touched.filter(({ path }) => snapshot.recorded.has(path))
  const drafts = touched.filter(({ path }) => !snapshot.recorded.has(path))
  yield* refuseEdited(catalog, snapshot, [moved, ...shared])
  const unseen = yield* askServer(snapshot, to, from, shared)

  const parentOf = (path: PagePath) => snapshot.recorded.get(path) ?? recorded
  const body = {
    push_id: yield* pushId,
    message: options.message ?? `rename ${from} to ${to}`,
    ...authorOf(yield* (yield* Credentials).read),
    files: [
      { path: from, deleted: true as const, parent_sha: recorded },
      { path: to, content: moved.after },
      ...shared.map(({ after, path }) => ({ path, content: after, parent_sha: parentOf(path) }))
    ]
  }
  const bytes = byteLength(JSON.stringify(body))
  if (bytes > maxBodyBytes) {
    const advice = `${shared.length} page(s) name it: change some of them first, with a push of their own.`
    return yield* new BatchTooLarge({ bytes, limit: maxBodyBytes, advice })
  }
  yield* refusePublicServer("rename a page")
  const answer = yield* client.push(body)
  const refused = (answer.conflicts ?? []).map(({ path }) => forAgentLine(path))
  if (refused.length > 0) return yield* new MovedOnServer({ paths: refused })
  const shas = yield* confirmed(answer, [to, ...shared.map(({ path }) => path)])
  const { head, kept } = yield* follow(moved, to, shared, drafts, shas, answer)
  return {
    from,
    to,
    head,
    updated: shared.map(({ path }) => path),
    drafts: drafts.map(({ path }) => path).filter((path) => !kept.includes(path)),
    kept,
    unseen
  } satisfies RenamedPage
})

const allKinds: ReadonlyArray<ReferenceKind> = ["related", "sources", "link"]

/** The kinds of reference that mean this page by its slug: another type may have the same one, and come first. */
const kindsThatMean = Effect.fnUntraced(function* (path: PagePath) {
  const has = hasPage(yield* (yield* PageStore).existing(namesakes([slugOf(path)])))
  const means = (kind: ReferenceKind) =>
    Option.contains(resolveReference({ kind, slug: slugOf(path) } satisfies Reference, has), typeOf(path))
  return new Set(allKinds.filter(means))
})

/** Every other page that names it, with its new text. */
const touchedPages = Effect.fnUntraced(function* (
  catalog: Catalog,
  from: PagePath,
  slug: string,
  kinds: ReadonlySet<ReferenceKind>
) {
  const store = yield* PageStore
  const folded = foldSlug(slugOf(from))
  const touched: Array<Change> = []
  for (const [path, { page }] of catalog.entries) {
    if (path === from) continue
    const before = Option.getOrElse(yield* store.read(path), () => "")
    const listed = [...page.related, ...page.sources].some((one) => foldSlug(one) === folded)
    if (!listed && !before.includes("[[")) continue
    const after = yield* renameReferences(path, before, slugOf(from), slug, kinds)
    if (after !== before) touched.push({ path, before, after })
  }
  return touched
})

const refuseEdited = (catalog: Catalog, { bases, recorded }: Snapshot, changes: ReadonlyArray<Change>) => {
  const edited = changes.filter(({ path }) => {
    const hash = catalog.entries.get(path)?.hash ?? ""
    const known = { recorded: Option.fromNullable(recorded.get(path)), base: Option.fromNullable(bases.get(path)) }
    return planPush({ hash, ...known })._tag !== "Same"
  })
  if (edited.length === 0) return Effect.void
  return new EditedHere({
    paths: edited.map(({ path }) => path),
    advice: "The rename changes these pages too: push or undo the edits first ('ctx pull' where you made none)"
  })
}

/** Refuses what the server would, before anything is sent. Answers how many pages are newer there. */
const askServer = Effect.fnUntraced(function* (
  { recorded }: Snapshot,
  to: PagePath,
  from: PagePath,
  shared: ReadonlyArray<Change>
) {
  const listed = yield* (yield* SyncClient).pages
  const there = new Map<string, Sha>(listed.map(({ path, sha }) => [path, sha]))
  if (listed.some(({ path }) => path.toLowerCase() === identityOf(to))) {
    return yield* new TargetExists({ path: to, where: "on the server" })
  }
  if (!there.has(from)) return yield* new NotOnServer({ path: from })
  const moved = [from, ...shared.map(({ path }) => path)].filter((path) => there.get(path) !== recorded.get(path))
  if (moved.length > 0) return yield* new MovedOnServer({ paths: moved })
  const known = new Map<string, Sha>(recorded)
  return listed.filter(({ path, sha }) => known.get(path) !== sha).length
})

/** The shas of what landed; all of it did, or the answer is no answer. */
const confirmed = Effect.fnUntraced(function* (answer: PushAnswer, paths: ReadonlyArray<PagePath>) {
  const shas = new Map<string, Sha>((answer.pushed ?? []).map(({ path, sha }) => [path, sha]))
  const unheard = paths.find((path) => !shas.has(path))
  if (unheard === undefined) return shas
  return yield* new UnexpectedAnswer({ url: "sync/push", status: 200, reason: `it did not confirm ${unheard}` })
})

/** Files, bases and indexes follow the commit. A file that is not what was looked at any more stays for the next pull. */
const follow = Effect.fnUntraced(function* (
  moved: Change,
  to: PagePath,
  shared: ReadonlyArray<Change>,
  drafts: ReadonlyArray<Change>,
  shas: ReadonlyMap<string, Sha>,
  answer: PushAnswer
) {
  const store = yield* PageStore
  const state = yield* SyncState
  const head = headOf(answer)
  const isStill = ({ before, path }: Change) => Effect.map(store.read(path), Option.contains(before))
  const known = (path: PagePath, text: string) => {
    const sha = shas.get(path)
    return sha === undefined ? [] : [{ path, base: { sha, text } }]
  }
  const carryOut = Effect.gen(function* () {
    const bases: Array<ReturnType<typeof known>> = []
    const kept: Array<PagePath> = []
    for (const change of [...shared, ...drafts]) {
      if (!(yield* isStill(change))) {
        kept.push(change.path)
        continue
      }
      yield* store.write(change.path, change.after)
      bases.push(known(change.path, change.after))
    }
    if (Option.isNone(yield* store.find(to))) {
      yield* store.write(to, moved.after)
      bases.push(known(to, moved.after))
    } else kept.push(to)
    const gone = Option.isNone(yield* store.read(moved.path)) || (yield* isStill(moved))
    if (gone) yield* store.remove(moved.path)
    else kept.push(moved.path)
    return { known: bases.flat(), kept, forget: gone ? [moved.path] : [] }
  })
  return yield* (yield* ProjectLock).run(
    Effect.gen(function* () {
      const { forget, kept, known } = yield* store.batch(carryOut)
      yield* state.apply({ ...(Option.isSome(head) ? { lastHead: head.value } : {}), known, forget })
      yield* store.regenerateIndexes
      return { head, kept }
    })
  )
})
