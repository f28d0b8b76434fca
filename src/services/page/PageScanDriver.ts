/** Driver over `node:fs` for a listing of the pages: synchronous, because ten thousand promises cost more than the calls. */
import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs"
import { Either } from "effect"
import { errnoOf } from "../files/Errno.ts"
import { locate, type Place } from "../project/StorePathDriver.ts"

/** What tells that a file is not the one it was. Times in milliseconds since 1970, with fractions. */
export interface Stamp {
  readonly size: number
  readonly mtime: number
  readonly ctime: number
  readonly ino: number
}

export const sameStamp = (one: Stamp | undefined, other: Stamp | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.size === other.size &&
  one.mtime === other.mtime &&
  one.ctime === other.ctime &&
  one.ino === other.ino

/** What stands under a name. Plain objects: a listing makes ten thousand of them. */
export type Look =
  | { readonly _tag: "File"; readonly path: string; readonly stamp: Stamp }
  | { readonly _tag: "Gone" }
  /** Something that is not served, and why. */
  | { readonly _tag: "Refused"; readonly reason: string }

/** The names in a folder, unsorted; Left: the errno. */
export const namesIn = (folder: string): Either.Either<ReadonlyArray<string>, string> =>
  Either.try({ try: () => readdirSync(folder), catch: errnoOf })

export const stampOf = (path: string): Stamp | undefined => {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? undefined : toStamp(stats)
  } catch {
    return undefined
  }
}

/** Looks at one file of a folder. `folder` is its real path, `relative` the same below the store. */
export const look = (store: string, folder: string, relative: string, name: string): Look => {
  const path = `${folder}/${name}`
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return { _tag: "Gone" }
    if (stats.isFile()) return { _tag: "File", path, stamp: toStamp(stats) }
    if (stats.isSymbolicLink()) return throughLink(locate(store, `${relative}/${name}`))
    return refused(stats.isDirectory() ? "a folder, not a file: rename it" : "not a regular file: remove it")
  } catch (error) {
    return refused(unreadable(errnoOf(error)))
  }
}

/** The file's bytes; Left: the errno. */
export const bytesOf = (path: string): Either.Either<Uint8Array, string> =>
  Either.try({ try: () => readFileSync(path), catch: errnoOf })

const throughLink = (place: Place): Look => {
  switch (place._tag) {
    case "File":
      return { _tag: "File", path: place.path, stamp: toStamp(place.stats) }
    case "Folder":
      return refused("a symbolic link to a folder: remove it")
    case "Absent":
      return refused("a symbolic link that leads nowhere: remove it")
    case "Outside":
      return refused(
        `a symbolic link that leads out of the project, to ${place.target}: put the file itself in its place`
      )
    case "Refused":
      return refused(unreadable(place.reason))
  }
}

const refused = (reason: string): Look => ({ _tag: "Refused", reason })

/** What a person is told of a file that the system does not give. */
export const unreadable = (errno: string): string => `cannot be read (${errno}): check its permissions`

const toStamp = ({ ctimeMs, ino, mtimeMs, size }: Stats): Stamp => ({ size, mtime: mtimeMs, ctime: ctimeMs, ino })
