import { createHash } from "node:crypto"
import { Option } from "effect"
import { Sha } from "./Sha.ts"

/**
 * Ids of git objects, computed as git computes them, so that what the server stores can be written out as a real
 * repository with the same ids.
 */

const encoder = new TextEncoder()

const objectId = (type: "blob" | "tree" | "commit", body: Uint8Array): Sha =>
  Sha.make(createHash("sha1").update(`${type} ${body.length}\0`).update(body).digest("hex"))

/** The id of a file's bytes. */
export const blobId = (bytes: Uint8Array): Sha => objectId("blob", bytes)

/** One name in a folder: a file, or a folder that is a tree of its own. */
export interface TreeEntry {
  readonly name: string
  readonly kind: "file" | "folder"
  readonly id: Sha
}

/** The id of a folder. Entries may come in any order; git sorts them by bytes, a folder's name as if it ended in `/`. */
export const treeId = (entries: Iterable<TreeEntry>): Sha => {
  const sorted = Array.from(entries, ({ id, kind, name }) => {
    const bytes = byteString(name)
    return {
      id,
      key: kind === "folder" ? `${bytes}/` : bytes,
      head: `${kind === "folder" ? "40000" : "100644"} ${bytes}\0`
    }
  }).toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const body = Buffer.alloc(sorted.reduce((size, { head, id }) => size + head.length + id.length / 2, 0))
  let offset = 0
  for (const { head, id } of sorted) {
    offset += body.write(head, offset, "latin1")
    offset += body.write(id, offset, "hex")
  }
  return objectId("tree", body)
}

/** One character for each byte of the UTF-8, so that texts compare as their bytes do. ASCII is that already. */
const byteString = (text: string): string => (/^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text).toString("latin1"))

/** Who made a commit. Run through `gitName` and `gitEmail` before it is stored or shown. */
export interface Identity {
  readonly name: string
  readonly email: string
}

export interface CommitFields {
  readonly tree: Sha
  readonly parent: Option.Option<Sha>
  /** Author and committer are one. */
  readonly author: Identity
  /** Seconds since the epoch, whole; the zone is UTC. */
  readonly seconds: number
  readonly message: string
}

/** The bytes of a commit, as `git cat-file commit` shows them. Name, email and message must have been cleaned. */
export const commitBytes = ({ author, message, parent, seconds, tree }: CommitFields): Uint8Array => {
  const signature = `${author.name} <${author.email}> ${seconds} +0000`
  return encoder.encode(
    [
      `tree ${tree}`,
      ...Option.match(parent, { onNone: () => [], onSome: (sha) => [`parent ${sha}`] }),
      `author ${signature}`,
      `committer ${signature}`,
      "",
      `${message}\n`
    ].join("\n")
  )
}

/** The id of a commit. */
export const commitId = (fields: CommitFields): Sha => objectId("commit", commitBytes(fields))

/** A name as a commit can hold it: one line, without `<`, `>` and what git itself drops at the ends. May come out empty. */
export const gitName = (text: string): string =>
  oneLine(text)
    .replace(/[<>]/g, "")
    .replace(/^[\s,:;"\\']+|[\s,:;"\\']+$/g, "")

/** An address as a commit can hold it. May come out empty. */
export const gitEmail = (text: string): string => gitName(text).replace(/\s+/g, "")

/** A commit message on one line. May come out empty. */
export const gitMessage = (text: string): string => oneLine(text)

/** Line breaks and other control characters become one space; lone surrogates, which UTF-8 cannot hold, are replaced. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
