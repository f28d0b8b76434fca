/**
 * Discovery of migrate over trees of 5,000 and 50,000 files, a fifth of them documents, with git and without: time and
 * memory, each in a process of its own.
 *
 *     node bench/migrate.ts
 */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { dirname, join } from "node:path"

const [, , inner, folder] = process.argv

/** A tree like a large repository's: mostly code, a documentation that is deep, packages with READMEs. */
const layOut = (root: string, files: number): void => {
  for (let index = 0; index < files; index++) {
    const path =
      index % 5 === 0
        ? `docs/part-${index % 97}/chapter-${index % 11}/page-${index}.md`
        : `packages/p${index % 53}/src/d${index % 17}/file-${index}.ts`
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `# ${path}\n\nWhat page ${index} is about. ${"More of it. ".repeat(80)}\n`)
  }
}

if (inner === "discover" && folder !== undefined) {
  const { NodeContext } = await import("@effect/platform-node")
  const { Effect } = await import("effect")
  const { discover } = await import("../src/effects/migrate/discover.ts")
  const { folderSource } = await import("../src/services/migrate/Source.ts")
  const started = performance.now()
  const found = await Effect.runPromise(
    Effect.flatMap(folderSource(folder, "."), discover).pipe(Effect.provide(NodeContext.layer))
  )
  const ms = Math.round(performance.now() - started)
  const count = found.items.length + found.more.reduce((sum, { count }) => sum + count, 0)
  console.log(JSON.stringify({ ms, count, mb: Math.round(process.resourceUsage().maxRSS / 1024) }))
} else {
  const row = (root: string) => {
    const { stdout } = spawnSync(process.execPath, [import.meta.filename, "discover", root], { encoding: "utf8" })
    const { count, mb, ms } = JSON.parse(stdout)
    return { ms, documents: count, "peak MB": mb }
  }
  const rows: Record<string, ReturnType<typeof row>> = {}
  for (const files of [5_000, 50_000]) {
    const root = mkdtempSync(join(tmpdir(), "ctx-bench-"))
    layOut(root, files)
    rows[`${files} files, walked`] = row(root)
    execFileSync("git", ["init", "-q"], { cwd: root })
    execFileSync("git", ["add", "-A"], { cwd: root })
    rows[`${files} files, listed by git`] = row(root)
    rmSync(root, { recursive: true })
  }
  console.log(
    `discovery; ${cpus().length} x ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`
  )
  console.table(rows)
}
