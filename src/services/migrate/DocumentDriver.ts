/** Driver over `node:fs`: looks at one document of a source, and never outside of it. */
import { Option } from "effect"
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs"
import { sep } from "node:path"
import { sha256 } from "../../model/text/Hash.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import { errnoOf } from "../files/Errno.ts"

/** A document, as far as a catalogue needs it. */
export interface Document {
  readonly _tag: "Document"
  /** Its real path: two names of one file share it. */
  readonly real: string
  /** Whether the name is a symbolic link. */
  readonly link: boolean
  readonly bytes: number
  /** Two documents of the same content share it. */
  readonly hash: string
  /** The first few kilobytes. */
  readonly head: string
  /** Whether `head` is all of it. */
  readonly whole: boolean
}

export type Looked =
  | Document
  /** Nothing is there: git lists files whose removal it was not told of. */
  | { readonly _tag: "Gone" }
  | { readonly _tag: "Skipped"; readonly reason: string }

const maxBytes = 1024 * 1024
const headCharacters = 16_384

/**
 * @param root Of the source, absolute, without symbolic links.
 * @param path From the root, with `/`.
 */
export const lookAt = (root: string, path: string): Looked => {
  try {
    const full = `${root}${root.endsWith(sep) ? "" : sep}${path}`
    const own = lstatSync(full, { throwIfNoEntry: false })
    if (own === undefined) return { _tag: "Gone" }
    const real = realpathSync(full)
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return skipped("leads out of the source")
    const stats = statSync(real)
    if (stats.isDirectory()) return own.isSymbolicLink() ? skipped("a symbolic link to a folder") : { _tag: "Gone" }
    if (!stats.isFile()) return skipped("not a regular file")
    if (stats.size > maxBytes) return skipped(`larger than 1 MiB (${(stats.size / maxBytes).toFixed(1)} MiB)`)
    const bytes = readFileSync(real)
    if (bytes.includes(0)) return skipped("binary")
    const text = decodeUtf8(bytes)
    if (Option.isNone(text)) return skipped("not UTF-8 text")
    if (text.value.startsWith("version https://git-lfs.github.com/spec/")) {
      return skipped("a pointer of Git LFS: its content was not fetched")
    }
    return {
      _tag: "Document",
      real,
      link: own.isSymbolicLink(),
      bytes: bytes.length,
      hash: sha256(bytes),
      head: text.value.slice(0, headCharacters),
      whole: text.value.length <= headCharacters
    }
  } catch (error) {
    const reason = errnoOf(error)
    if (reason === "ELOOP") return skipped("a loop of symbolic links")
    if (reason === "ENOENT") return skipped("a symbolic link that leads nowhere")
    return skipped(`cannot be read (${reason})`)
  }
}

const skipped = (reason: string): Looked => ({ _tag: "Skipped", reason })
