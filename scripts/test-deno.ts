/** Runs the core of the command line tests with `ctx` on Deno, straight from the sources. */
import { spawnSync } from "node:child_process"

const core = [
  "prints the lines of the source",
  "write takes stdin or a file",
  "a reader that stops early",
  "push, pull and log",
  "a conflict in a headless run"
]
const { status } = spawnSync(
  "vitest",
  ["run", "--project", "e2e", "--reporter", "default", "test/e2e/cli.test.ts", "-t", core.join("|")],
  { stdio: "inherit", shell: process.platform === "win32", env: { ...process.env, CTX_E2E_RUNTIME: "deno" } }
)
process.exitCode = status ?? 1
