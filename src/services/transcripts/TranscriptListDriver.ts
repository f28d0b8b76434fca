/** Driver over `node:fs`: the transcripts that hosts keep of a project. Without Effect, as its neighbours. */
import { createHash } from "node:crypto"
import { closeSync, openSync, readdirSync, readFileSync, readSync, realpathSync } from "node:fs"
import { homedir } from "node:os"
import { basename, join, sep } from "node:path"
import type { HookAgent } from "../../model/transcripts/HookEvent.ts"
import { fieldsOf, filledOf } from "../../model/transcripts/Fields.ts"
import { parseFields } from "../../model/transcripts/JsonLineDriver.ts"

type Variables = Readonly<Record<string, string | undefined>>

/** A transcript, and the session that its lines belong to which name none. */
export interface FoundTranscript {
  readonly agent: HookAgent
  readonly path: string
  readonly session: string
}

/**
 * The transcripts of a project's conversations, by host and path. Those of a host that cannot be looked at are left out.
 *
 * Source: paging.md 3.5, 4.3, 5, 6.
 */
export const transcriptsOf = (root: string, env: Variables): ReadonlyArray<FoundTranscript> => {
  const home = filledOf(env["HOME"]) ?? homedir()
  const roots = [...new Set([root, realOf(root)])]
  const isInside = (folder: string | undefined) =>
    folder !== undefined && roots.some((one) => folder === one || folder.startsWith(one + sep))
  return [
    ...claude(join(filledOf(env["CLAUDE_CONFIG_DIR"]) ?? join(home, ".claude"), "projects"), roots),
    ...codex(filledOf(env["CODEX_HOME"]) ?? join(home, ".codex"), isInside),
    ...gemini(join(home, ".gemini", "tmp"), roots),
    ...kimiCode(filledOf(env["KIMI_CODE_HOME"]) ?? join(home, ".kimi-code"), isInside),
    ...kimiCli(filledOf(env["KIMI_SHARE_DIR"]) ?? join(home, ".kimi"), roots)
  ]
}

const realOf = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

const withoutEnding = (name: string): string => name.replace(/\.jsonl$/, "")

/** A folder for each working folder, whose name cannot be read back: it is made from the project's. */
const claude = (projects: string, roots: ReadonlyArray<string>): ReadonlyArray<FoundTranscript> =>
  roots
    .map((root) => root.replaceAll(/[^A-Za-z0-9]/g, "-"))
    .flatMap((key) =>
      namesIn(projects).filter((name) => name === key || (key.length > 200 && name.startsWith(key.slice(0, 200))))
    )
    .filter((name, index, all) => all.indexOf(name) === index)
    .flatMap((folder) =>
      namesIn(join(projects, folder))
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => ({ agent: "claude", path: join(projects, folder, name), session: withoutEnding(name) }))
    )

/** By day, of all projects: the first line tells the folder. */
const codex = (home: string, isInside: (folder: string | undefined) => boolean): ReadonlyArray<FoundTranscript> => {
  const days = namesIn(join(home, "sessions")).flatMap((year) =>
    namesIn(join(home, "sessions", year)).flatMap((month) =>
      namesIn(join(home, "sessions", year, month)).map((day) => join(home, "sessions", year, month, day))
    )
  )
  return [...days, join(home, "archived_sessions")].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => name.startsWith("rollout-") && name.endsWith(".jsonl"))
      .flatMap((name): ReadonlyArray<FoundTranscript> => {
        const meta = fieldsOf(firstLine(join(folder, name))?.["payload"])
        const session = filledOf(meta?.["id"]) ?? withoutEnding(name)
        return isInside(filledOf(meta?.["cwd"])) ? [{ agent: "codex", path: join(folder, name), session }] : []
      })
  )
}

/** Below a folder that is called by the hash of the project's path. */
const gemini = (temporary: string, roots: ReadonlyArray<string>): ReadonlyArray<FoundTranscript> =>
  roots
    .flatMap((root) => [createHash("sha256").update(root).digest("hex"), basename(root)])
    .flatMap((folder) => {
      const chats = join(temporary, folder, "chats")
      return namesIn(chats)
        .filter((name) => name.startsWith("session-") && name.endsWith(".jsonl"))
        .flatMap((name): ReadonlyArray<FoundTranscript> => {
          const meta = firstLine(join(chats, name))
          const hash = filledOf(meta?.["projectHash"])
          const ours =
            hash === undefined || roots.some((root) => createHash("sha256").update(root).digest("hex") === hash)
          const session = filledOf(meta?.["sessionId"]) ?? withoutEnding(name)
          return ours ? [{ agent: "gemini", path: join(chats, name), session }] : []
        })
    })

const kimiCode = (home: string, isInside: (folder: string | undefined) => boolean): ReadonlyArray<FoundTranscript> => {
  const index = textOf(join(home, "session_index.jsonl"))
  const sessions = new Map<string, string>()
  for (const line of index.split("\n")) {
    const fields = parseFields(line)
    const [session, folder] = [filledOf(fields?.["sessionId"]), filledOf(fields?.["sessionDir"])]
    if (session !== undefined && folder !== undefined && isInside(filledOf(fields?.["workDir"])))
      sessions.set(session, folder)
  }
  return [...sessions].map(([session, folder]) => ({
    agent: "kimi",
    path: join(folder, "agents", "main", "wire.jsonl"),
    session
  }))
}

const kimiCli = (home: string, roots: ReadonlyArray<string>): ReadonlyArray<FoundTranscript> =>
  roots
    .map((root) => join(home, "sessions", createHash("md5").update(root).digest("hex")))
    .flatMap((folder) =>
      namesIn(folder).map((session) => ({ agent: "kimi", path: join(folder, session, "wire.jsonl"), session }))
    )

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** The object in a file's first line, where that is not long. */
const firstLine = (path: string) => {
  try {
    const file = openSync(path, "r")
    try {
      const bytes = Buffer.alloc(256 * 1024)
      const text = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)).toString("utf8")
      return parseFields(text.split("\n", 1)[0] ?? "")
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
