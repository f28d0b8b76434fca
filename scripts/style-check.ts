/**
 * The habits of CONTRIBUTING.md that oxlint has no rule for, read off the syntax tree.
 *
 * Outside `src/main` and the files that wrap a runtime's own API (`*Driver.ts`, or a head comment that says "driver"),
 * code is Effect: no async, no try, no Promise, no process, no clock and no randomness of its own.
 */
import { globSync, readFileSync } from "node:fs"
import { parseSync } from "rolldown/utils"

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const nameOf = (value: unknown): string => (isNode(value) && typeof value["name"] === "string" ? value["name"] : "")

const globals = new Set([
  "process",
  "Promise",
  "fetch",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "console"
])

/** What is wrong with a node outside the edges. */
const outsideEdges = (node: Node, parent: Node | undefined): string | undefined => {
  switch (node.type) {
    case "AwaitExpression":
      return "await (use Effect)"
    case "TryStatement":
      return "try (use Effect.try)"
    case "ThrowStatement":
      return "throw (use Effect.fail)"
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return node["async"] === true ? "async (use Effect)" : undefined
    case "NewExpression": {
      const callee = nameOf(node["callee"])
      if (callee === "Promise") return "new Promise (use Effect.async)"
      return callee === "Date" && Array.isArray(node["arguments"]) && node["arguments"].length === 0
        ? "new Date() (use Clock or DateTime)"
        : undefined
    }
    case "MemberExpression": {
      const call = `${nameOf(node["object"])}.${nameOf(node["property"])}`
      if (call === "Date.now") return "Date.now (use Clock)"
      if (call === "Math.random") return "Math.random (use Random)"
      if (call === "Effect.orDie") return "orDie (a failure has a type)"
      return globals.has(nameOf(node["object"])) ? `${call} (keep it at the edges)` : undefined
    }
    case "CallExpression": {
      const callee = nameOf(node["callee"])
      return globals.has(callee) && parent?.type !== "MemberExpression"
        ? `${callee}() (keep it at the edges)`
        : undefined
    }
    default:
      return undefined
  }
}

/** What is wrong with a node anywhere in `src`. */
const anywhere = (node: Node): string | undefined =>
  node.type === "MemberExpression" && nameOf(node["object"]) === "Effect" && nameOf(node["property"]) === "orDie"
    ? "orDie (a failure has a type)"
    : undefined

const walk = (node: Node, parent: Node | undefined, visit: (node: Node, parent: Node | undefined) => void): void => {
  visit(node, parent)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, node, visit)
    }
  }
}

const problems: Array<string> = []
const files = globSync("{src,test,bench,scripts,examples}/**/*.{ts,mts,cts,js,mjs,cjs}").toSorted()
for (const file of files) {
  const text = readFileSync(file, "utf8")
  const { comments, program } = parseSync(file, text)
  const report = (offset: number, what: string) => {
    problems.push(`${file}:${text.slice(0, offset).split("\n").length}: ${what}`)
  }
  for (const comment of comments) {
    if (/(eslint|oxlint)-disable|@ts-(ignore|nocheck|expect-error)/.test(comment.value)) {
      report(comment.start, "a disable comment (fix the cause)")
    }
  }
  if (!file.startsWith("src")) continue
  const head = comments.find((comment) => comment.start < (program.body[0]?.start ?? 0))?.value ?? ""
  const edge = /^src[\\/]main[\\/]/.test(file) || file.endsWith("Driver.ts") || /\bdriver\b/i.test(head)
  const root: unknown = program
  if (isNode(root)) {
    walk(root, undefined, (node, parent) => {
      const what = edge ? anywhere(node) : outsideEdges(node, parent)
      if (what !== undefined) report(node.start, what)
    })
  }
}

for (const problem of problems) console.error(problem)
console.log(`style: ${files.length} files, ${problems.length} problems`)
if (files.length === 0 || problems.length > 0) process.exitCode = 1
