import { Effect, Either } from "effect"
import { pagePath } from "../../model/page/PagePath.ts"
import { folderOf, type PageType } from "../../model/page/PageType.ts"
import { Slug } from "../../model/page/Slug.ts"
import { type SeenFile, seenFile } from "./PageFile.ts"
import type { FolderView, Seen } from "./PageListingView.ts"
import { classify } from "./PageNames.ts"
import { bytesOf, look, sameStamp, type Stamp, unreadable } from "./PageScanDriver.ts"

export interface FolderToScan {
  readonly contexo: string
  readonly type: PageType
  /** The folder's real path. */
  readonly real: string
  /** What was seen before. */
  readonly before: FolderView
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface Scanned {
  readonly view: FolderView
  /** What was read anew. */
  readonly read: ReadonlyArray<SeenFile>
  /** Whether every name shows what it showed before. */
  readonly same: boolean
}

/** So many files are read before others get their turn. */
const chunk = 100

/**
 * Looks at files of one folder, and reads those whose stamp changed or cannot be trusted. What did not change is the same
 * object as before. `names` must be sorted.
 */
export const scanFolder = Effect.fnUntraced(function* (task: FolderToScan, names: ReadonlyArray<string>) {
  const view = { names: new Array<string>(), seen: new Array<Seen>() }
  const read: Array<SeenFile> = []
  const priorOf = walk(task.before)
  let same = true
  for (const name of names) {
    const prior = priorOf(name)
    const seen = see(task, name, prior)
    if (seen !== undefined) {
      view.names.push(name)
      view.seen.push(seen)
    }
    if (seen === prior) continue
    same = false
    if (seen?._tag !== "Page" && seen?._tag !== "Malformed") continue
    read.push(seen)
    if (read.length % chunk === 0) yield* Effect.yieldNow()
  }
  return { view, read, same } satisfies Scanned
})

/** Answers for names that are asked for in order. */
const walk = ({ names, seen }: FolderView) => {
  let index = 0
  return (name: string): Seen | undefined => {
    while (index < names.length && (names[index] ?? name) < name) index++
    return names[index] === name ? seen[index] : undefined
  }
}

/** What stands under a name. Undefined: no file. */
const see = (task: FolderToScan, name: string, prior: Seen | undefined): Seen | undefined => {
  const before = prior?._tag === "Page" || prior?._tag === "Malformed" ? prior : undefined
  // A name that was a page's is one.
  const kind = before === undefined ? classify(name) : "Page"
  if (kind === "Other") return undefined
  if (kind === "Foreign") return prior ?? { _tag: "Foreign" }
  const now = look(task.contexo, task.real, folderOf[task.type], name)
  switch (now._tag) {
    case "Gone":
      return undefined
    case "Refused":
      return refused(now.reason, prior)
    case "File": {
      if (before !== undefined && !before.racy && sameStamp(before, now.stamp)) return before
      const bytes = bytesOf(now.path)
      if (Either.isRight(bytes)) return readAnew(task, name, now.stamp, bytes.right, before)
      return bytes.left === "ENOENT" ? undefined : refused(unreadable(bytes.left), prior)
    }
  }
}

const readAnew = (
  task: FolderToScan,
  name: string,
  stamp: Stamp,
  bytes: Uint8Array,
  before: SeenFile | undefined
): SeenFile => {
  const path = before?.path ?? pagePath(task.type, Slug.make(name.slice(0, -".md".length)))
  const seen = seenFile(path, bytes, stamp, task.now, before)
  const same = before?._tag === seen._tag && before.racy === seen.racy && sameStamp(before, stamp)
  return same && sameContent(before, seen) ? before : seen
}

const sameContent = (one: SeenFile, other: SeenFile): boolean =>
  one._tag === "Page" && other._tag === "Page"
    ? one.entry === other.entry
    : one._tag === "Malformed" && other._tag === "Malformed" && one.hash === other.hash

const refused = (reason: string, prior: Seen | undefined): Seen =>
  prior?._tag === "Refused" && prior.reason === reason ? prior : { _tag: "Refused", reason }
