/**
 * Driver over `node:fs` for the capture hook's files below `.contexo/`, without Effect, whose start would take longer than
 * the hook's work. No symbolic link is followed out of the store.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync
} from "node:fs"
import { dirname, join, sep } from "node:path"

const noFollow = constants.O_NOFOLLOW ?? 0

/** Why a file of ours is not touched, with a code as the system's errors have one. */
export const refusal = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code })

/** The system's name of what went wrong. Never a message: those can quote what was being read. */
export const codeOf = (error: unknown): string => {
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string")
    return error.code
  return error instanceof Error ? error.name : "unknown"
}

/** A folder below the store, made where it is missing. */
export const storeFolder = (store: string, name: string): string => {
  const folder = join(store, ...name.split("/"))
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) {
    if (name.includes("/")) storeFolder(store, name.slice(0, name.lastIndexOf("/")))
    mkdirSync(folder, { recursive: true, mode: 0o755 })
  }
  if (!realpathSync.native(folder).startsWith(realpathSync.native(store) + sep)) throw refusal("ELOOP", folder)
  return folder
}

/** The text of a file, undefined where there is none. A symbolic link is refused, and so is a file over the limit. */
export const readStoreFile = (path: string, maxBytes: number): string | undefined => {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw refusal("EINVAL", path)
    if (stats.size > maxBytes) throw refusal("EFBIG", path)
    return readFileSync(file, "utf8")
  } finally {
    closeSync(file)
  }
}

/** Adds whole lines in one write; none of them where the disk takes only a part. */
export const appendToFile = (path: string, text: string): void => {
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow, 0o600)
  try {
    const before = fstatSync(file)
    if (!before.isFile()) throw refusal("EINVAL", path)
    const bytes = Buffer.from(text)
    try {
      if (writeSync(file, bytes) < bytes.length) throw refusal("ENOSPC", path)
      fsyncSync(file)
    } catch (error) {
      ftruncateSync(file, before.size)
      throw error
    }
  } finally {
    closeSync(file)
  }
}

let replaced = 0

/** Replaces a file through a temporary one beside it, named as all of ours are. */
export const replaceFile = (path: string, text: string, durable: boolean): void => {
  const random = Math.floor(Math.random() * 2 ** 32)
  const hex = (n: number) => n.toString(16).padStart(8, "0")
  const temporary = join(dirname(path), `.ctx-${process.pid}-${hex(random)}${hex(replaced++)}.tmp`)
  try {
    const file = openSync(temporary, "wx", 0o600)
    try {
      const bytes = Buffer.from(text)
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
      if (durable) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
