/** Driver over `node:fs`: where a host keeps the transcript that an event is about. Without Effect, for the capture hook. */
import { statSync } from "node:fs"
import type { HookEvent } from "../../model/HookEvent.ts"

/** Absolute path of an event's transcript, if there is one to read. */
export const transcriptOf = (event: HookEvent): string | undefined =>
  event.transcript !== undefined && isFile(event.transcript) ? event.transcript : undefined

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true
