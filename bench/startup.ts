/**
 * `node bench/startup.ts [--runs N]`: how long the programs take to be there, against a bare `node -e 0` on the same machine.
 * The targets are over that. Needs a build.
 */
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: { runs: { type: "string", default: "15" }, pages: { type: "string", default: "10000" } }
})
const runs = Number(values.runs)
const bin = (name: string) => join(resolve(import.meta.dirname, ".."), "dist", "bin", `${name}.cjs`)

const empty = mkdtempSync(join(tmpdir(), "ctx-startup-"))
const full = join(empty, "full")
const page = (n: number) =>
  `---\ntype: concept\nslug: page-${n}\nauthor: ada\ncreated: 2026-07-01T09:00:00Z\nupdated: 2026-07-01T09:00:00Z\ntags: [a, b]\n---\n\n## Decision\n\nPage ${n} says this.\n`

mkdirSync(full)
execFileSync(process.execPath, [bin("ctx"), "init", "--here", "--no-mcp"], { cwd: full, stdio: "ignore" })
for (let n = 0; n < Number(values.pages); n++) {
  writeFileSync(join(full, ".contexo", "wiki", "concepts", `page-${n}.md`), page(n))
}

/** Milliseconds until a process has ended, or, with `stdin`, until its first line is there. */
const once = (args: ReadonlyArray<string>, cwd: string, stdin?: string) =>
  new Promise<number>((done) => {
    const from = performance.now()
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "inherit"]
    })
    const end = () => done(performance.now() - from)
    if (stdin === undefined) child.once("close", end)
    else {
      child.stdout?.once("data", () => {
        end()
        child.kill()
      })
      child.stdin?.write(stdin)
    }
    child.stdout?.resume()
  })

const median = async (args: ReadonlyArray<string>, cwd: string, stdin?: string) => {
  await once(args, cwd, stdin)
  const times: Array<number> = []
  for (let run = 0; run < runs; run++) times.push(await once(args, cwd, stdin))
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0
}

const [processor] = cpus()
console.log(
  `start-up, median of ${runs}; ${cpus().length} x ${processor?.model ?? "unknown"}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`
)
const bare = await median(["-e", "0"], empty)
const tools = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
const measured = {
  "ctx --version": [await median([bin("ctx"), "--version"], full), undefined],
  "ctx-mcp --version": [await median([bin("ctx-mcp"), "--version"], full), undefined],
  "ctx-mcp to tools/list": [await median([bin("ctx-mcp")], full, tools), 200],
  [`ctx status --no-drift, ${values.pages} pages`]: [await median([bin("ctx"), "status", "--no-drift"], full), 250]
} as const
const row = (ms: number, target: number | undefined) => ({
  ms: Math.round(ms),
  "over bare": Math.round(ms - bare),
  "target over bare": target ?? "",
  "ratio to bare": Number((ms / bare).toFixed(1))
})
console.table({
  "node -e 0": row(bare, undefined),
  ...Object.fromEntries(Object.entries(measured).map(([name, [ms, target]]) => [name, row(ms, target)]))
})
rmSync(empty, { recursive: true })
