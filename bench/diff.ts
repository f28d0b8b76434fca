/**
 * `node bench/diff.ts`: section diff and three-way merge on real markdown, the README files of this repository's dependencies,
 * and on the worst inputs of 1 MB. The target of each is one second.
 */
import { Option } from "effect"
import { globSync, readFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { join, resolve } from "node:path"
import { mergePages } from "../src/model/Merge.ts"
import { diffPages } from "../src/model/SectionDiff.ts"

const root = resolve(import.meta.dirname, "..", "node_modules")
const readmes = globSync(["*/README.md", "@*/*/README.md"], { cwd: root })
  .toSorted()
  .map((file) => readFileSync(join(root, file), "utf8"))

const page = (body: string) => `---\ntype: concept\n---\n\n${body}`
const mebibyte = 1024 * 1024
const upTo = (piece: (n: number) => string) => {
  const parts: Array<string> = []
  for (let [n, size] = [0, 0]; size < mebibyte; n++) {
    const part = piece(n)
    parts.push(part)
    size += part.length
  }
  return page(parts.join(""))
}

const mine = (text: string) => `${text}\n\n## Mine\n\nAdded here.\n`
const theirs = (text: string) => text.replace("type: concept", "type: concept\ntags: [theirs]")

const milliseconds = (work: () => unknown) => {
  const from = performance.now()
  work()
  return Math.round(performance.now() - from)
}

const both = (texts: ReadonlyArray<string>) => ({
  KB: Math.round(texts.reduce((sum, text) => sum + text.length, 0) / 1024),
  "diff ms": milliseconds(() => texts.forEach((text) => diffPages(text, mine(theirs(text))))),
  "merge ms": milliseconds(() => texts.forEach((text) => mergePages(Option.some(text), mine(text), theirs(text)))),
  "target ms": texts.length === 1 ? 1_000 : ""
})

const worst = {
  "100,000 headings": upTo((n) => `## H${n}\n`),
  "deep quotes": page(`${">".repeat(mebibyte)}\n`),
  "emphasis runs": upTo(() => "*a_ "),
  "one line": page("x".repeat(mebibyte)),
  "lists in lists": upTo((n) => `${"  ".repeat(n % 200)}- a\n`)
}

const [processor] = cpus()
console.log(
  `${readmes.length} README files; ${cpus().length} x ${processor?.model ?? "unknown"}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`
)
console.table({
  "all READMEs": both(readmes.map(page)),
  ...Object.fromEntries(Object.entries(worst).map(([name, text]) => [name, both([text])]))
})
console.log(`largest resident size: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
