import { folderOf, type PageType, pageTypes } from "../../model/page/PageType.ts"
import { classify } from "./PageNames.ts"
import { namesIn, sameStamp, type Stamp, stampOf } from "./PageScanDriver.ts"
import { locate } from "../project/StorePathDriver.ts"

/**
 * What other programs do to the store, seen by looking at it again: a handful of stats, whatever the number of pages, on
 * every file system. Synchronous, as a listing is.
 */

/** The names of the pages, as they were at a look. */
export interface PageNames {
  readonly folders: ReadonlyMap<PageType, Folder>
}

interface Folder {
  readonly stamp: Stamp | undefined
  /** It was changed so shortly before that one more change may show the same time. */
  readonly racy: boolean
  readonly names: ReadonlySet<string>
}

/** As coarse as the times of a file system may be, in milliseconds. */
const coarse = 2_500

/**
 * The names of the pages now. A folder that shows what it showed before is not read again, and where every name is the same
 * the answer is too.
 *
 * @param now Milliseconds since 1970.
 */
export const pageNames = (contexo: string, now: number, before?: PageNames): PageNames => {
  const folders = new Map(pageTypes.map((type) => [type, look(contexo, type, now, before?.folders.get(type))]))
  return { folders }
}

/** Whether pages came or went between two looks. */
export const sameNames = (one: PageNames, other: PageNames): boolean =>
  pageTypes.every((type) => {
    const [before, after] = [one.folders.get(type)?.names, other.folders.get(type)?.names]
    return before === after || (before?.size === after?.size && [...(after ?? [])].every((name) => before?.has(name)))
  })

const look = (contexo: string, type: PageType, now: number, before: Folder | undefined): Folder => {
  const place = locate(contexo, folderOf[type])
  // What cannot be looked at is not empty (A20).
  const unseen = { stamp: undefined, racy: false, names: before?.names ?? none }
  if (place._tag === "Absent") return { ...unseen, names: none }
  if (place._tag !== "Folder") return unseen
  const stamp = stampOf(place.path)
  if (before !== undefined && !before.racy && sameStamp(before.stamp, stamp)) return before
  const names = namesIn(place.path)
  if (names._tag === "Left") return unseen
  const racy = stamp === undefined || Math.abs(now - stamp.mtime) < coarse
  return { stamp, racy, names: new Set(names.right.filter((name) => classify(name) === "Page")) }
}

const none: ReadonlySet<string> = new Set()

/** What tells one content of a file of the store from another; undefined: there is none, or none that is served. */
export const fileStamp = (contexo: string, relative: string): Stamp | undefined => {
  const place = locate(contexo, relative)
  return place._tag === "File" ? stampOf(place.path) : undefined
}

/** Whether a file shows what it showed before. */
export const sameFile = (one: Stamp | undefined, other: Stamp | undefined): boolean =>
  one === other || sameStamp(one, other)
