/**
 * Builds the package into `dist`: the bins as bundles with everything inlined (npx installs nothing else for them), and
 * the library unbundled, with declarations.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, readFileSync, rmSync } from "node:fs"
import { rolldown } from "rolldown"

const started = performance.now()
rmSync("dist", { recursive: true, force: true })

/** Commit and day of what is built, or nothing outside a checkout. */
const revision = (): string => {
  const git = spawnSync("git", ["log", "-1", "--format=%h, %cs"], { encoding: "utf8" })
  return git.status === 0 ? git.stdout.trim() : ""
}

const bundle = await rolldown({
  input: { ctx: "src/main/ctx.ts", "ctx-mcp": "src/main/ctx-mcp.ts" },
  platform: "node",
  transform: { target: "node22", define: { CTX_REVISION: JSON.stringify(revision()) } },
  onLog: (level, log, handler) => {
    if (level === "warn") throw new Error(log.message)
    handler(level, log)
  }
})
const { output } = await bundle.write({
  dir: "dist/bin",
  format: "esm",
  entryFileNames: "[name].mjs",
  chunkFileNames: "chunks/[name]-[hash].mjs",
  minify: true,
  comments: { legal: false }
})
await bundle.close()

for (const name of ["launch.cjs", "ctx.cjs", "ctx-mcp.cjs"]) {
  copyFileSync(`src/main/launch/${name}`, `dist/bin/${name}`)
  if (name !== "launch.cjs") chmodSync(`dist/bin/${name}`, 0o755)
}

execFileSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" })

const { version } = JSON.parse(readFileSync("package.json", "utf8"))
const kilobytes = Math.round(output.reduce((sum, file) => sum + (file.type === "chunk" ? file.code.length : 0), 0) / 1024)
console.log(`built ${version}: bins ${kilobytes} KB, ${((performance.now() - started) / 1000).toFixed(1)} s`)
