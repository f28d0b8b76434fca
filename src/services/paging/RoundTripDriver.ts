/** Driver over a process: runs the capture hook as a host would, in a registry and a database of its own. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import type { HookAgent } from "../../model/transcripts/HookEvent.ts"
import { textIn } from "./columns.ts"
import { openPaging } from "./PagingDatabaseDriver.ts"

/** What is said in the trial. */
const words = "context paging: a trial of the capture hook"

/**
 * One event through the hook that hosts call by name, `ctx-mcp` on PATH, else this package's own: whether what was said is in
 * the database. Fails with the reason where it is not. Nothing of the user's is touched.
 */
export const captureRoundTrip = (agent: HookAgent): Effect.Effect<void, string> =>
  Effect.acquireUseRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "ctx-paging-")))),
    (folder) =>
      Effect.zipRight(
        runHook(agent, folder),
        Effect.suspend(() => (wasCaptured(folder) ? Effect.void : Effect.fail("the hook ran, and recorded nothing")))
      ),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const databaseOf = (folder: string): string => join(folder, "project", "context.db")

const runHook = (agent: HookAgent, folder: string): Effect.Effect<void, string> =>
  Effect.async<void, string>((resume) => {
    const project = join(folder, "project")
    mkdirSync(join(folder, "config", "context-paging"), { recursive: true })
    mkdirSync(project)
    writeFileSync(
      join(folder, "config", "context-paging", "projects.json"),
      JSON.stringify({ [project]: { db: databaseOf(folder) } })
    )
    const [command, ...args] = hookCommand()
    if (command === undefined) return resume(Effect.fail("neither ctx-mcp nor this package's own hook can be found"))
    const { CP_DB: _database, ...env } = process.env
    const child = spawn(command, [...args, "hook", "--agent", agent], {
      cwd: project,
      env: { ...env, XDG_CONFIG_HOME: join(folder, "config"), HOME: folder },
      stdio: ["pipe", "ignore", "ignore"],
      timeout: 60_000,
      windowsHide: true
    })
    child.stdin.on("error", () => undefined)
    child.stdin.end(JSON.stringify(eventOf(agent, project)))
    child.once("error", (error) => resume(Effect.fail(error.message)))
    child.once("close", (code) => resume(code === 0 ? Effect.void : Effect.fail(`the hook ended with ${code}`)))
  })

const eventOf = (agent: HookAgent, cwd: string) =>
  agent === "cursor"
    ? {
        hook_event_name: "beforeSubmitPrompt",
        conversation_id: "trial",
        generation_id: "1",
        cursor_version: "trial",
        workspace_roots: [cwd],
        prompt: words
      }
    : {
        hook_event_name: agent === "gemini" ? "BeforeAgent" : "UserPromptSubmit",
        session_id: "trial",
        cwd,
        prompt: words
      }

/** As hosts find it; else the bin beside the code that runs. */
const hookCommand = (): ReadonlyArray<string> => {
  const names = process.platform === "win32" ? [] : ["ctx-mcp"]
  const onPath = (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file))
  if (onPath !== undefined) return [onPath]
  const own = ownBin(dirname(fileURLToPath(import.meta.url)))
  return own === undefined ? [] : [process.execPath, own]
}

const ownBin = (from: string): string | undefined => {
  for (const name of ["ctx-mcp.cjs", join("dist", "bin", "ctx-mcp.cjs")]) {
    if (existsSync(join(from, name))) return join(from, name)
  }
  return from === dirname(from) ? undefined : ownBin(dirname(from))
}

const wasCaptured = (folder: string): boolean => {
  if (!existsSync(databaseOf(folder))) return false
  const connection = openPaging(databaseOf(folder), { busyMs: 2_000 })
  try {
    return connection.read((sql) =>
      sql.all("SELECT content FROM messages WHERE role = 'user'").some((row) => textIn(row, "content") === words)
    )
  } finally {
    connection.close()
  }
}
