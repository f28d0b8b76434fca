/** Driver over `node:fs`: where a host keeps the transcript that an event is about. Without Effect, for the capture hook. */
import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import type { HookEvent } from "../../model/transcripts/HookEvent.ts"
import { filledOf } from "../../model/transcripts/Fields.ts"
import { parseFields } from "../../model/transcripts/JsonLineDriver.ts"

type Variables = Readonly<Record<string, string | undefined>>

/** Absolute path of an event's transcript, if there is one to read: as the event says, else where its host keeps it. */
export const transcriptOf = (event: HookEvent, env: Variables): string | undefined => {
  if (event.transcript !== undefined && isFile(event.transcript)) return event.transcript
  // A session id goes into a path only where it is a plain name.
  const session = event.session !== undefined && /^[\w-]{1,200}$/.test(event.session) ? event.session : undefined
  if (session === undefined) return undefined
  if (event.agent === "codex") return codexRollout(session, env)
  return event.agent === "kimi" ? kimiWire(session, event, env) : undefined
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

const homeOf = (env: Variables): string => filledOf(env["HOME"]) ?? homedir()

const maxDays = 400

/** `sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`, looked for from the newest day on: some builds do not tell the path. */
const codexRollout = (session: string, env: Variables): string | undefined => {
  const root = join(filledOf(env["CODEX_HOME"]) ?? join(homeOf(env), ".codex"), "sessions")
  let days = 0
  for (const year of namesIn(root)) {
    for (const month of namesIn(join(root, year))) {
      for (const day of namesIn(join(root, year, month))) {
        if (days++ > maxDays) return undefined
        const folder = join(root, year, month, day)
        const name = namesIn(folder).find((one) => one.startsWith("rollout-") && one.endsWith(`-${session}.jsonl`))
        if (name !== undefined) return join(folder, name)
      }
    }
  }
  return undefined
}

/** Names in a folder, the last first. */
const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder).toSorted().toReversed()
  } catch {
    return []
  }
}

/** kimi-code tells the folder of a session in its index; kimi-cli names it after the folder that it works in. */
const kimiWire = (session: string, event: HookEvent, env: Variables): string | undefined => {
  const code = () => kimiCodeWire(filledOf(env["KIMI_CODE_HOME"]) ?? join(homeOf(env), ".kimi-code"), session)
  const cli = () => kimiCliWire(filledOf(env["KIMI_SHARE_DIR"]) ?? join(homeOf(env), ".kimi"), session, event.folders)
  return event.client === undefined ? (cli() ?? code()) : (code() ?? cli())
}

const indexTail = 1024 * 1024

const kimiCodeWire = (home: string, session: string): string | undefined => {
  for (const line of endOf(join(home, "session_index.jsonl"), indexTail).split("\n").toReversed()) {
    if (!line.includes(session)) continue
    const fields = parseFields(line)
    const folder = filledOf(fields?.["sessionDir"])
    if (fields?.["sessionId"] !== session || folder === undefined) continue
    const wire = join(folder, "agents", "main", "wire.jsonl")
    return isFile(wire) ? wire : undefined
  }
  return undefined
}

const endOf = (path: string, bytes: number): string => {
  try {
    const file = openSync(path, "r")
    try {
      const { size } = fstatSync(file)
      const end = Buffer.alloc(Math.min(size, bytes))
      return end.subarray(0, readSync(file, end, 0, end.length, size - end.length)).toString("utf8")
    } finally {
      closeSync(file)
    }
  } catch {
    return ""
  }
}

const kimiCliWire = (home: string, session: string, folders: ReadonlyArray<string>): string | undefined => {
  // Loaded here: no other host needs it, and it takes longer than the rest of the hook.
  const { createHash } = process.getBuiltinModule("node:crypto")
  const paths = folders.flatMap((folder) => [folder, realOf(folder)])
  return paths
    .map((path) => join(home, "sessions", createHash("md5").update(path).digest("hex"), session, "wire.jsonl"))
    .find(isFile)
}

const realOf = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
