import { Either, Option } from "effect"
import { sha256 } from "../../model/text/Hash.ts"
import { leadOf } from "../../model/page/IndexFiles.ts"
import { parsePage } from "../../model/page/Page.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import { hasUnsafe } from "../../model/text/Sanitise.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import type { Stamp } from "./PageScanDriver.ts"
import type { CatalogEntry } from "./PageStore.ts"

/** What a file's bytes turned out to be. */
export type Content =
  | { readonly _tag: "Page"; readonly entry: CatalogEntry }
  | { readonly _tag: "Malformed"; readonly hash: string; readonly reason: string }

/** A file that was read, and its stamp just before. Flat and plain: there are ten thousand of them at each start. */
export type SeenFile = Content &
  Stamp & {
    readonly path: PagePath
    /** Whether it changed so shortly before it was read that another change may hide behind the same stamp. */
    readonly racy: boolean
  }

/** File systems keep times in steps of up to two seconds. */
const coarsest = 2_000

/** Whether a change after `readAt` (milliseconds since 1970) could leave the stamp as it is: git's racy rule. */
const isRacy = (stamp: Stamp, readAt: number): boolean => Math.max(stamp.mtime, stamp.ctime) > readAt - coarsest

export const notUtf8 = "not UTF-8: save it as UTF-8"

/** What a page's bytes are, read at `now`. The same bytes as `before` are not parsed again. */
export const seenFile = (
  path: PagePath,
  bytes: Uint8Array,
  stamp: Stamp,
  now: number,
  before: SeenFile | undefined
): SeenFile => {
  const hash = sha256(bytes)
  const content = before !== undefined && hashOf(before) === hash ? before : parse(path, bytes, hash)
  return { ...content, ...stamp, path, racy: isRacy(stamp, now) }
}

export const hashOf = (content: Content): string => (content._tag === "Page" ? content.entry.hash : content.hash)

const parse = (path: PagePath, bytes: Uint8Array, hash: string): Content => {
  const text = decodeUtf8(bytes)
  if (Option.isNone(text)) return { _tag: "Malformed", hash, reason: notUtf8 }
  const parsed = parsePage(path, text.value)
  if (Either.isLeft(parsed)) return { _tag: "Malformed", hash, reason: parsed.left.reason }
  const { body, ...page } = parsed.right
  const entry = { page, hash, bytes: bytes.length, lead: leadOf(body), unsafe: hasUnsafe(text.value) }
  return { _tag: "Page", entry }
}
