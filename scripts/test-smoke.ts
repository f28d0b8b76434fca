/**
 * Runs the core of the command line tests, and of the MCP server's, on another runtime.
 *
 *     node scripts/test-smoke.ts         on the Node that runs this
 *     node scripts/test-smoke.ts deno    `ctx`, and `ctx-mcp --http`, on Deno, straight from the sources
 */
import { spawnSync } from "node:child_process"

const [runtime = "node"] = process.argv.slice(2)
const core = [
  "prints the lines of the source",
  "write takes stdin or a file",
  "a reader that stops early",
  "push, pull and log",
  "a conflict in a headless run",
  "serves several clients at once",
  "keeps and finds, as the source shows it",
  ...(runtime === "node" ? ["wakes when .contexo/ appears"] : [])
]
const files = [
  "test/e2e/cli.test.ts",
  "test/e2e/mcpHttp.test.ts",
  "test/e2e/paging.test.ts",
  ...(runtime === "node" ? ["test/e2e/mcp.test.ts"] : [])
]
console.log(`smoke: ${runtime}${runtime === "node" ? ` ${process.versions.node}` : ""}`)
const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--project",
    "e2e",
    "--reporter",
    "default",
    ...files,
    "-t",
    core.join("|")
  ],
  { stdio: "inherit", env: { ...process.env, CTX_E2E_RUNTIME: runtime } }
)
process.exitCode = status ?? 1
