/**
 * Driver over `node:fs`: where a path inside `.contexo/` really leads. Synchronous, because a listing asks it ten thousand
 * times; each question is a few microseconds.
 */
import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs"
import { basename, dirname, join, resolve, sep } from "node:path"
import { Data } from "effect"
import { errnoOf } from "../files/Errno.ts"

/** Where a path leads. Below the store, `path` is free of symbolic links as far as it exists. */
export type Place = Data.TaggedEnum<{
  File: { readonly path: string; readonly stats: Stats }
  Folder: { readonly path: string }
  /** Nothing there. A dangling link that points inside counts as nothing: a write replaces it. */
  Absent: { readonly path: string; readonly hasFolder: boolean }
  /** A symbolic link on the way, or at the end, leads out. */
  Outside: { readonly target: string }
  /** The system does not say, or it is a device, pipe or socket. */
  Refused: { readonly reason: string }
}>
export const Place = Data.taggedEnum<Place>()

/**
 * Follows a relative path below `store`, links included, and says where it ends.
 *
 * Source: public case A14.
 */
export const locate = (store: string, relative: string): Place => {
  try {
    if (isPlain(store, dirname(relative))) return atEnd(store, `${store}/${relative}`)
    const root = realpathSync.native(store)
    const lexical = join(root, relative)
    const folder = realFolder(dirname(lexical))
    if (!isInside(root, folder.real)) return Place.Outside({ target: folder.real })
    if (folder.missing) return Place.Absent({ path: lexical, hasFolder: false })
    return atEnd(root, join(folder.real, basename(lexical)))
  } catch (error) {
    return Place.Refused({ reason: errnoOf(error) })
  }
}

/** Whether a folder below the store is there, without a link on the way: what it almost always is, and quick to see. */
const isPlain = (store: string, folder: string): boolean => {
  if (folder === ".") return true
  const stats = lstatSync(`${store}/${folder}`, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && isPlain(store, dirname(folder))
}

/** What something of a store is, where it is there at all: a second look right before it is replaced, or after. */
export const identityOf = (path: string): string | undefined => {
  try {
    const { dev, ino } = lstatSync(path)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

/** The name that the disk itself uses for an existing file: on macOS and Windows `Foo.md` opens `foo.md`. */
export const nameOnDisk = (path: string): string => {
  try {
    return basename(realpathSync.native(path))
  } catch {
    return basename(path)
  }
}

const atEnd = (store: string, path: string): Place => {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return Place.Absent({ path, hasFolder: true })
  if (!stats.isSymbolicLink()) return kindOf(path, stats)
  const target = followed(path)
  if (!isInside(realpathSync.native(store), target.real)) return Place.Outside({ target: target.real })
  return target.missing ? Place.Absent({ path, hasFolder: true }) : kindOf(target.real, lstatSync(target.real))
}

const kindOf = (path: string, stats: Stats): Place => {
  if (stats.isFile()) return Place.File({ path, stats })
  return stats.isDirectory() ? Place.Folder({ path }) : Place.Refused({ reason: "not a regular file" })
}

const followed = (link: string) => {
  try {
    return { real: realpathSync.native(link), missing: false }
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error
    return { real: resolve(dirname(link), readlinkSync(link)), missing: true }
  }
}

/** The real path of a folder, or of the nearest one above it that exists. */
const realFolder = (folder: string): { readonly real: string; readonly missing: boolean } => {
  try {
    return { real: realpathSync.native(folder), missing: false }
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error
    // A dangling link has a name but no place; nothing may be created through it.
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return followed(folder)
    return { real: realFolder(dirname(folder)).real, missing: true }
  }
}

const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
