/**
 * Builds the package into `dist`: the bins as bundles with everything inlined (npx installs nothing else for them), and
 * the library unbundled, with declarations.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"

const started = performance.now()
// Built beside, and put in place when it is whole: what runs from `dist` meanwhile never sees half of it.
const target = `dist.${process.pid}`

/** Commit and day of what is built, or nothing outside a checkout. */
const revision = (): string => {
  const git = spawnSync("git", ["log", "-1", "--format=%h, %cs"], { encoding: "utf8" })
  return git.status === 0 ? git.stdout.trim() : ""
}

const bundle = await rolldown({
  input: { ctx: "src/main/ctx.ts", "ctx-mcp": "src/main/ctx-mcp.ts" },
  platform: "node",
  // A few packages name a UMD file in `main`, whose inner requires no bundler follows; their ES modules are in `module`.
  resolve: { mainFields: ["module", "main"] },
  transform: { target: "node22", define: { CTX_REVISION: JSON.stringify(revision()) } },
  onLog: (level, log, handler) => {
    if (level === "warn") throw new Error(log.message)
    handler(level, log)
  }
})
const { output } = await bundle.write({
  dir: `${target}/bin`,
  format: "esm",
  entryFileNames: "[name].mjs",
  chunkFileNames: "chunks/[name]-[hash].mjs",
  minify: true,
  comments: { legal: false }
})
await bundle.close()

for (const name of ["launch.cjs", "ctx.cjs", "ctx-mcp.cjs"]) {
  copyFileSync(`src/main/launch/${name}`, `${target}/bin/${name}`)
  if (name !== "launch.cjs") chmodSync(`${target}/bin/${name}`, 0o755)
}

/** Names, versions and licences of the packages that are inside the bundles. */
const licences = (): string => {
  const folders = new Set<string>()
  for (const file of output) {
    if (file.type !== "chunk") continue
    for (const id of file.moduleIds) {
      const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []
      if (folder !== undefined) folders.add(folder)
    }
  }
  return [...folders]
    .toSorted()
    .map((folder) => {
      const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
      const file = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license", "LICENCE"]
        .map((one) => join(folder, one))
        .find(existsSync)
      const text = file === undefined ? "" : `\n${readFileSync(file, "utf8").trim()}\n`
      return `${name} ${version} (${license})\n${text}`
    })
    .join(`\n${"-".repeat(80)}\n\n`)
}
writeFileSync(`${target}/bin/THIRD-PARTY.txt`, licences())

execFileSync("tsc", ["-p", "tsconfig.build.json", "--outDir", `${target}/lib`], { stdio: "inherit" })

const old = `${target}.old`
if (existsSync("dist")) renameSync("dist", old)
renameSync(target, "dist")
rmSync(old, { recursive: true, force: true })

const { version } = JSON.parse(readFileSync("package.json", "utf8"))
const kilobytes = Math.round(
  output.reduce((sum, file) => sum + (file.type === "chunk" ? file.code.length : 0), 0) / 1024
)
console.log(`built ${version}: bins ${kilobytes} KB, ${((performance.now() - started) / 1000).toFixed(1)} s`)
