/**
 * `node bench/hook.ts [--runs N] [--giant MB] [--line MB]`: how long `ctx-mcp hook` takes as a whole process, against a bare
 * `node -e 0` on the same machine, and what it takes of memory on a giant transcript. Runs take turns, so that all of them
 * meet the same load. Needs a build.
 */
import { spawnSync } from "node:child_process"
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "25" },
    giant: { type: "string", default: "800" },
    line: { type: "string", default: "60" }
  }
})
const runs = Number(values.runs)
const bin = join(resolve(import.meta.dirname, ".."), "dist", "bin", "ctx-mcp.cjs")
const root = mkdtempSync(join(tmpdir(), "ctx-hook-"))
const app = join(root, "app")
const store = join(app, ".contexo")
mkdirSync(store, { recursive: true })

let count = 0
const line = (type: string, content: unknown) =>
  `${JSON.stringify({ type, uuid: `u-${++count}`, sessionId: "s1", timestamp: "2026-07-05T09:12:44Z", cwd: app, message: { role: type, content } })}\n`
const turn = () =>
  line("user", `why ${count}?`) +
  line("assistant", [{ type: "tool_use", id: `t${count}`, name: "Read", input: { path: "src/a.ts" } }]) +
  line("user", [{ type: "tool_result", tool_use_id: `t${count}`, content: "a line of a file\n".repeat(100) }]) +
  line("assistant", [{ type: "text", text: "because of this, and that. ".repeat(20) }])

const eventOf = (transcript: string, cwd = app, session = "s1") =>
  JSON.stringify({ hook_event_name: "Stop", session_id: session, transcript_path: transcript, cwd })

const watch = join(root, "watch.cjs")
const peak = join(root, "peak")
writeFileSync(
  watch,
  `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)))`
)

/** Milliseconds of a whole process. */
const once = (args: ReadonlyArray<string>, input: string): number => {
  const from = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { input, cwd: root, encoding: "utf8" })
  if (status !== 0 || stderr !== "") throw new Error(`ended with ${status}: ${stderr}`)
  return performance.now() - from
}
const hook = (input: string) => once([bin, "hook", "--agent", "claude"], input)

const small = join(root, "small.jsonl")
writeFileSync(small, "")
while (readFileSync(small).length < 200_000) appendFileSync(small, turn())
const outside = eventOf(small, root)
const inside = eventOf(small)
hook(inside)

const rows = {
  "node -e 0": () => once(["-e", "0"], inside),
  "no project": () => hook(outside),
  "nothing new": () => hook(inside),
  "a turn on 200 KB, its first": () => {
    for (const name of ["raw", ".sync"]) rmSync(join(store, name), { recursive: true, force: true })
    return hook(inside)
  },
  "a turn more": () => {
    appendFileSync(small, turn())
    return hook(inside)
  }
}
const targets: Partial<Record<string, number>> = {
  "no project": 10,
  "nothing new": 25,
  "a turn on 200 KB, its first": 70,
  "a turn more": 70
}

const times = new Map<string, Array<number>>()
for (let run = 0; run <= runs; run++) {
  for (const [name, measure] of Object.entries(rows)) {
    // `a turn more` changes the transcript: what is new then is recorded before the others look.
    const time = measure()
    if (name === "a turn more") hook(inside)
    if (run > 0) times.set(name, [...(times.get(name) ?? []), time])
  }
}
const sorted = (name: string) => (times.get(name) ?? []).toSorted((a, b) => a - b)
const median = (name: string) => sorted(name)[Math.floor(runs / 2)] ?? 0
const [processor] = cpus()
console.log(
  `hook, median and least of ${runs}; ${cpus().length} x ${processor?.model ?? "unknown"}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`
)
console.table(
  Object.fromEntries(
    Object.keys(rows).map((name) => [
      name,
      {
        ms: Math.round(median(name)),
        "over bare": Math.round(median(name) - median("node -e 0")),
        "least over bare": Math.round((sorted(name)[0] ?? 0) - (sorted("node -e 0")[0] ?? 0)),
        "target over bare": targets[name] ?? ""
      }
    ])
  )
)

/** Megabytes at the peak, and milliseconds. */
const watched = (input: string) => {
  const ms = once(["--require", watch, bin, "hook", "--agent", "claude"], input)
  return { MB: Math.round(Number(readFileSync(peak, "utf8")) / 1024), ms: Math.round(ms) }
}
const giant = join(root, "giant.jsonl")
const [giantBytes, lineBytes] = [Number(values.giant) * 1e6, Number(values.line) * 1e6]
const file = openSync(giant, "a")
const image = { type: "image", source: { type: "base64", data: "iVBORw0K".repeat(lineBytes / 8) } }
let written = 0
while (written < giantBytes - lineBytes) written += writeSync(file, Array.from({ length: 200 }, turn).join(""))
writeSync(file, line("user", [image, { type: "text", text: "what is this?" }]) + line("assistant", "a picture"))
closeSync(file)

const first = watched(eventOf(giant, app, "giant"))
appendFileSync(giant, turn())
const second = watched(eventOf(giant, app, "giant"))
const idle = watched(outside)
console.log(`a transcript of ${values.giant} MB with a line of ${values.line} MB`)
console.table({
  "no project": { ...idle, "target MB": "" },
  "read from its begin": { ...first, "target MB": 100 + 4 * Number(values.line) },
  "a turn more": { ...second, "target MB": 100 + 4 * Number(values.line) }
})
rmSync(root, { recursive: true })
