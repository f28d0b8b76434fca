/**
 * Builds the package into `dist`: the bins as bundles with everything inlined (npx installs nothing else for them), and
 * the library unbundled, with declarations.
 */
import { execFileSync, spawnSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { rolldown, type OutputChunk } from "rolldown"
import { buildHook } from "./build-hook.ts"
import { onFirstUse } from "./on-first-use.ts"

const started = performance.now()
// Built beside, and put in place when it is whole: what runs from `dist` meanwhile never sees half of it.
const target = `dist.${process.pid}`

/** Commit and day of what is built, or nothing outside a checkout. */
const revision = (): string => {
  const git = spawnSync("git", ["log", "-1", "--format=%h, %cs"], { encoding: "utf8" })
  return git.status === 0 ? git.stdout.trim() : ""
}

// A start reads no page: the parsers come when the first one is read.
const late = await onFirstUse(["yaml", "diff", "node:crypto"], `${target}/bin`)

/** One program with all that it runs, in as few files as what it loads later allows. */
const program = async (name: string): Promise<ReadonlyArray<OutputChunk>> => {
  const bundle = await rolldown({
    input: { [name]: `src/main/${name}.ts` },
    platform: "node",
    // A few packages name a UMD file in `main`, whose inner requires no bundler follows; their ES modules are in `module`.
    resolve: { mainFields: ["module", "main"] },
    plugins: [
      late.plugin,
      {
        // The SDK loads a validator of forms that a server asks its user to fill in; we ask for none and pass it one that
        // refuses (`SdkServerDriver.ts`).
        name: "without-ajv",
        resolveId: (source) => (source.endsWith("/validation/ajv-provider.js") ? "without-ajv" : null),
        load: (id) => (id === "without-ajv" ? "export class AjvJsonSchemaValidator {}" : null)
      }
    ],
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
    chunkFileNames: `${name}/[name]-[hash].mjs`,
    minify: true,
    comments: { legal: false }
  })
  await bundle.close()
  return output.filter((file) => file.type === "chunk")
}
// Node takes more than a millisecond for each module that it resolves, reads and links: a server that shares no file with
// the command line starts from a handful.
const hook = await buildHook(`${target}/bin`)
const chunks = [...(await program("ctx")), ...(await program("ctx-mcp")), ...late.chunks, ...hook]

for (const name of ["launch.cjs", "hook.cjs", "ctx.cjs", "ctx-mcp.cjs"]) {
  copyFileSync(`src/main/launch/${name}`, `${target}/bin/${name}`)
  if (name.startsWith("ctx")) chmodSync(`${target}/bin/${name}`, 0o755)
}

// What is in which chunk, for the test that watches what each start loads.
const contents = chunks.map((chunk) => [chunk.fileName, chunk.moduleIds] as const)
mkdirSync("node_modules/.cache", { recursive: true })
writeFileSync("node_modules/.cache/bundle.json", JSON.stringify(Object.fromEntries(contents)))

/** Names, versions and licences of the packages that are inside the bundles. */
const licences = (): string => {
  const folders = new Set<string>()
  for (const chunk of chunks) {
    for (const id of chunk.moduleIds) {
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
const kilobytes = Math.round(chunks.reduce((sum, { code }) => sum + code.length, 0) / 1024)
console.log(`built ${version}: bins ${kilobytes} KB, ${((performance.now() - started) / 1000).toFixed(1)} s`)
