import { sha256 } from "../text/Hash.ts"
import { byteLength, compareCodePoints } from "../text/Text.ts"
import { archiveFormat, archiveVersion, type Manifest, type PageRecord, type PageText } from "./Archive.ts"

/**
 * Pages as one archive, a JSON document a line: a manifest with the hash of every page, then the pages. The same pages give
 * the same bytes, so an archive can be compared, and kept in git.
 *
 * @example renderArchive([{ path, text }]).split("\n").length // 3: manifest, page, and the end of the last line
 */
export const renderArchive = (pages: ReadonlyArray<PageText>): string => {
  const sorted = pages.toSorted((one, other) => compareCodePoints(one.path, other.path))
  const manifest: Manifest = {
    record: "manifest",
    format: archiveFormat,
    version: archiveVersion,
    pages: sorted.map(({ path, text }) => ({ path, bytes: byteLength(text), sha256: sha256(text) }))
  }
  const records = sorted.map(({ path, text }): PageRecord => ({ record: "page", path, content: text }))
  return [manifest, ...records].map((line) => `${JSON.stringify(line)}\n`).join("")
}
