import { Clock, Effect, Either } from "effect"
import { type PagePath, typeOf } from "../../model/page/PagePath.ts"
import { folderOf, type PageType, pageTypes } from "../../model/page/PageType.ts"
import type { CatalogCache } from "./CatalogCache.ts"
import { FileFailure, LeavesStore } from "../files/FileFailure.ts"
import { scanFolder } from "./FolderScan.ts"
import type { SeenFile } from "./PageFile.ts"
import { assemble, type FolderView, type Listing } from "./PageListingView.ts"
import { namesIn, sameStamp, type Stamp, stampOf } from "./PageScanDriver.ts"
import { locate, Place } from "../project/StorePathDriver.ts"

/** What is in the page folders, kept in memory between listings. */
export interface PageListing {
  /** Looks at every file. */
  readonly full: Effect.Effect<Listing, FileFailure | LeavesStore>
  /**
   * The same in a project of up to 2,000 pages. In a larger one it looks only into folders where a name was added, removed
   * or replaced since the last listing, and misses, until the next full one, a file that an editor changed in place.
   */
  readonly quick: Effect.Effect<Listing, FileFailure | LeavesStore>
  /** Runs a write or removal of one page, so that the next quick listing looks at that page and no other. */
  readonly touching: <A, E, R>(path: PagePath, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

interface Folder {
  /** The folder's real path; undefined: there is none. */
  readonly real: string | undefined
  /** Of the folder itself, taken before its names were. Undefined: not to be relied on. */
  readonly stamp: Stamp | undefined
  readonly view: FolderView
}

/** With more pages than this, looking at every file takes longer than a write should. */
const large = 2_000

/** The types in the order of their folders' paths. */
const inPathOrder = pageTypes.toSorted((one, other) => (folderOf[one] < folderOf[other] ? -1 : 1))

export const make = Effect.fnUntraced(function* (contexo: string, cache: CatalogCache) {
  const turn = yield* Effect.makeSemaphore(1)
  const folders = new Map<PageType, Folder>()
  const touched = new Map<PageType, Set<string>>()
  /** What the cache does not have yet; undefined: what it must forget. */
  const unsaved = new Map<string, SeenFile | undefined>()
  let loaded = false
  let last: { readonly views: ReadonlyArray<readonly [string, FolderView]>; readonly listing: Listing } | undefined

  /** What the last process saw is where this one begins. */
  const load = Effect.map(cache.load, (files) => {
    for (const type of pageTypes) folders.set(type, { ...missing, view: viewOf(folderOf[type], files) })
    loaded = true
  })

  const scan = Effect.fnUntraced(function* (type: PageType, real: string, quick: boolean) {
    const { stamp: last, view: before } = folders.get(type) ?? missing
    const stamp = stampOf(real)
    const mine = touched.get(type) ?? new Set<string>()
    touched.delete(type)
    const task = { contexo, type, real, before, now: yield* Clock.currentTimeMillis }
    if (quick && sameStamp(last, stamp)) {
      const { read, same, view } = yield* scanFolder(task, [...mine].toSorted())
      return { stamp, read, view: same ? before : patched(before, mine, view) }
    }
    const names = yield* Either.mapLeft(
      namesIn(real),
      (reason) => new FileFailure({ path: real, operation: "list", reason })
    )
    const { read, same, view } = yield* scanFolder(task, names.toSorted())
    return { stamp, read, view: same && view.names.length === before.names.length ? before : view }
  })

  const refresh = Effect.fnUntraced(
    function* (type: PageType, quick: boolean) {
      const folder = folderOf[type]
      const real = yield* realFolder(contexo, folder)
      const before = folders.get(type)?.view
      const { read, stamp, view } = real === undefined ? missing : yield* scan(type, real, quick)
      for (const file of read) unsaved.set(file.path, file)
      for (const name of before === undefined ? [] : gone(before, view)) unsaved.set(`${folder}/${name}`, undefined)
      folders.set(type, { real, stamp, view })
      return [folder, view] as const
    },
    // Without what was touched, the next listing must look at everything in there.
    (effect, type) => Effect.onError(effect, () => Effect.sync(() => setStamp(folders, type, undefined)))
  )

  const list = Effect.fn("PageStore.list")(function* (quick: boolean) {
    if (!loaded) yield* load
    const views = yield* Effect.forEach(inPathOrder, (type) => refresh(type, quick))
    if (last === undefined || views.some(([, view], index) => view !== last?.views[index]?.[1])) {
      last = { views, listing: assemble(views) }
    }
    if (unsaved.size > 0 && (yield* cache.save(unsaved))) unsaved.clear()
    return last.listing
  })

  const touching: PageListing["touching"] = (path, effect) =>
    Effect.suspend(() => {
      const type = typeOf(path)
      const before = folders.get(type)
      const real = before?.real
      const alone = before !== undefined && real !== undefined && sameStamp(before.stamp, stampOf(real))
      return Effect.ensuring(
        effect,
        Effect.sync(() => {
          touched.set(type, (touched.get(type) ?? new Set()).add(path.slice(path.lastIndexOf("/") + 1)))
          // Nobody renamed anything in there since the listing: what the folder's time shows now is this very change.
          if (alone && folders.get(type) === before) setStamp(folders, type, stampOf(real))
        })
      )
    })

  const pages = () => [...folders.values()].reduce((sum, { view }) => sum + view.names.length, 0)
  return {
    full: turn.withPermits(1)(list(false)),
    quick: turn.withPermits(1)(Effect.suspend(() => list(pages() > large))),
    touching
  } satisfies PageListing
})

const missing = { real: undefined, stamp: undefined, view: { names: [], seen: [] }, read: [] } satisfies Folder & {
  read: ReadonlyArray<SeenFile>
}

/** Undefined: there is no such folder, and so no page in it. Anything else that hinders a look is a failure (A20). */
const realFolder = (contexo: string, folder: string): Effect.Effect<string | undefined, FileFailure | LeavesStore> => {
  const path = `${contexo}/${folder}`
  const refuse = (reason: string) => new FileFailure({ path, operation: "list", reason })
  return Place.$match(locate(contexo, folder), {
    Folder: (place) => Effect.succeed(place.path),
    Absent: () => Effect.succeed(undefined),
    File: () => refuse("ENOTDIR"),
    Outside: ({ target }) => new LeavesStore({ path, target }),
    Refused: ({ reason }) => refuse(reason)
  })
}

const setStamp = (folders: Map<PageType, Folder>, type: PageType, stamp: Stamp | undefined) => {
  const folder = folders.get(type)
  if (folder !== undefined) folders.set(type, { ...folder, stamp })
}

/** The files of one folder. The cache promises no order, and everything relies on one. */
const viewOf = (folder: string, files: ReadonlyArray<SeenFile>): FolderView => {
  const seen = files.filter(({ path }) => path.startsWith(`${folder}/`))
  const names = seen.map(({ path }) => path.slice(folder.length + 1))
  return names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name) ? { names, seen } : missing.view
}

/** Names that a view has and a later one has not. */
const gone = (before: FolderView, after: FolderView): ReadonlyArray<string> => {
  if (before === after) return []
  const left = new Set(after.names)
  return before.names.filter((name) => !left.has(name))
}

/** A view after a look at some of its names. */
const patched = (view: FolderView, names: ReadonlySet<string>, found: FolderView): FolderView => {
  const both = [
    ...view.names.flatMap((name, index) => (names.has(name) ? [] : [{ name, seen: view.seen[index] }])),
    ...found.names.map((name, index) => ({ name, seen: found.seen[index] }))
  ].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return { names: both.map(({ name }) => name), seen: both.flatMap(({ seen }) => (seen === undefined ? [] : [seen])) }
}
