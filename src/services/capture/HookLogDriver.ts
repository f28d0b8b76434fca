/** Driver over `node:fs`: the capped log of the capture hook, `.contexo/.sync/hook.log`. Without Effect. */
import { lstatSync, renameSync } from "node:fs"
import { join } from "node:path"
import { appendToFile, storeFolder } from "./StoreFilesDriver.ts"

const maxBytes = 256 * 1024

/** Adds a line; over 256 KB the file becomes `hook.log.1`, and the one before is gone. A log that cannot be written is none. */
export const logHook = (store: string, entry: Readonly<Record<string, unknown>>): void => {
  try {
    logCapped(storeFolder(store, ".sync"), entry)
  } catch {
    // The hook is never in its host's way.
  }
}

/** The same for a log in any folder. */
export const logCapped = (folder: string, entry: Readonly<Record<string, unknown>>): void => {
  try {
    const path = join(folder, "hook.log")
    const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (size > maxBytes) renameSync(path, `${path}.1`)
    appendToFile(path, `${JSON.stringify(entry)}\n`)
  } catch {
    // As above.
  }
}
