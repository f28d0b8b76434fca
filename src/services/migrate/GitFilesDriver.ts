/** Driver over a `git` process: the files of a work tree that git does not ignore. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import process from "node:process"

/** A path below the folder, as the bytes that git gives. */
export type RawPath = Uint8Array

/**
 * What git lists in a folder: files that it tracks, and those that it neither tracks nor ignores, nested repositories as a
 * path that ends with `/`. Fails with git's own words where there is no git, no repository or no work tree, and where the
 * repository is somebody else's.
 *
 * Nothing of the repository is run: no hook is involved, and the monitor that its settings may name is off.
 */
export const gitFiles = (folder: string): Effect.Effect<ReadonlyArray<RawPath>, string> =>
  Effect.async<ReadonlyArray<RawPath>, string>((resume) => {
    const child = spawn(
      "git",
      ["-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "."],
      { cwd: folder, env: plainEnvironment(), stdio: ["ignore", "pipe", "pipe"], windowsHide: true }
    )
    const chunks: Array<Buffer> = []
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => {
      if (said.length < 2_000) said += chunk.toString()
    })
    child.once("error", (error) => resume(Effect.fail(error.message)))
    child.once("close", (code) =>
      resume(
        code === 0 ? Effect.succeed(split(Buffer.concat(chunks))) : Effect.fail(said.trim() || `git ended with ${code}`)
      )
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** The variables that name another repository than the folder's own are ours, as in a git hook that runs us. */
const plainEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX)$/.test(name))
  ),
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C"
})

const split = (bytes: Buffer): ReadonlyArray<RawPath> => {
  const paths: Array<RawPath> = []
  let start = 0
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
    if (end > start) paths.push(bytes.subarray(start, end))
    start = end + 1
  }
  return paths
}
