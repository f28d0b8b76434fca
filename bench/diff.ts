/**
 * `node bench/diff.ts`: section diff and three-way merge on real markdown, the README files of this repository's dependencies,
 * and on the worst inputs of 1 MB, each in a process of its own that does this one thing. The target of each is one second of
 * processor time and 300 MB of resident memory; `loaded` is the process before it begins. `node bench/diff.ts headings` runs
 * the cases with that word in their name.
 */
import { Option } from "effect"
import { execFileSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { join, resolve } from "node:path"
import { mergePages } from "../src/model/merge/Merge.ts"
import { diffPages } from "../src/model/merge/SectionDiff.ts"

const root = resolve(import.meta.dirname, "..", "node_modules")
const readmes = () =>
  globSync(["*/README.md", "@*/*/README.md"], { cwd: root })
    .toSorted()
    .map((file) => page(readFileSync(join(root, file), "utf8")))

const page = (body: string) => `---\ntype: concept\n---\n\n${body}`
const mebibyte = 1024 * 1024
const upTo = (piece: (n: number) => string) => () => {
  const parts: Array<string> = []
  for (let [n, size] = [0, 0]; size < mebibyte; n++) {
    const part = piece(n)
    parts.push(part)
    size += part.length
  }
  return [page(parts.join(""))]
}

const cases: Record<string, () => ReadonlyArray<string>> = {
  "all READMEs": readmes,
  "100,000 headings": upTo((n) => `## H${n}\n`),
  "100,000 underlined headings": upTo((n) => `H${n}\n--\n`),
  "100,000 headings of one text": upTo(() => "## Heading\n"),
  "100,000 fences": upTo(() => "```\n```\n\n"),
  "100,000 list items": upTo(() => "- an item\n"),
  "lists in lists": upTo((n) => `${"  ".repeat(n % 200)}- a\n`),
  "deep quotes": () => [page(`${">".repeat(mebibyte)}\n`)],
  "quotes in lines": upTo(() => `${">".repeat(1000)} x\n`),
  "emphasis runs": upTo(() => "*a_ "),
  "one line": () => [page("x".repeat(mebibyte))],
  "short lines": upTo((n) => `${n % 10}\n`),
  "link definitions": upTo((n) => `[a${n}]: /u\n`),
  "elements of HTML": upTo(() => "<div>\n\n")
}

/** Both sides change the page, and neither end of it stays. */
const mine = (text: string) => `${text}\n\n## Mine\n\nAdded here.\n`
const theirs = (text: string) =>
  text.replace("type: concept\n---\n", "type: concept\ntags: [a]\n---\n\n## Theirs\n\nFirst.\n")

const jobs: Record<string, (text: string) => unknown> = {
  loaded: () => undefined,
  diff: (text) => diffPages(mine(text), theirs(text)),
  merge: (text) => mergePages(Option.some(text), mine(text), theirs(text))
}

interface Measured {
  readonly KB: number
  readonly ms: number
  readonly MB: number
}

const measure = (texts: ReadonlyArray<string>, job: (text: string) => unknown): Measured => {
  const from = process.cpuUsage()
  for (const text of texts) job(text)
  return {
    KB: Math.round(texts.reduce((sum, text) => sum + text.length, 0) / 1024),
    ms: Math.round(process.cpuUsage(from).user / 1000),
    MB: Math.round(process.resourceUsage().maxRSS / 1024)
  }
}

const inOwnProcess = (name: string, job: string): Measured =>
  JSON.parse(execFileSync(process.execPath, [import.meta.filename, name, job], { encoding: "utf8" }))

const [word = "", asked] = process.argv.slice(2)
const job = jobs[asked ?? ""]
if (job !== undefined) {
  console.log(JSON.stringify(measure(cases[word]?.() ?? [], job)))
} else {
  const [processor] = cpus()
  console.log(
    `${cpus().length} x ${processor?.model ?? "unknown"}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}; target 1000 ms, 300 MB`
  )
  const row = (name: string) => {
    const [loaded, diff, merge] = ["loaded", "diff", "merge"].map((one) => inOwnProcess(name, one))
    return {
      KB: loaded?.KB,
      "diff ms": diff?.ms,
      "merge ms": merge?.ms,
      "loaded MB": loaded?.MB,
      "diff MB": diff?.MB,
      "merge MB": merge?.MB
    }
  }
  const names = Object.keys(cases).filter((name) => name.includes(word))
  console.table(Object.fromEntries(names.map((name) => [name, row(name)])))
}
