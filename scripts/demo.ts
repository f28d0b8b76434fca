/**
 * The main job, played by two agents on real pages: write, push, pull, edit on both sides, see drift on a read, be handed a
 * merge, merge, push, end equal. Real processes throughout: `ctx serve`, `ctx`, and one `ctx-mcp` in each project.
 * Exits 0 only if each step did what it should.
 */
import { Command, FileSystem, Path } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Chunk, Console, Effect, Schema, Stream } from "effect"
import { type Agent, DemoFailure, startAgent } from "./demo/agent.ts"

const Ready = Schema.parseJson(Schema.Struct({ url: Schema.String, owner_token: Schema.String }))

let steps = 0

/** Says what happened, shows the answer, and holds it against what should have happened. */
const step = (title: string, answer: string, expected: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    steps += 1
    const lines = answer.split("\n")
    const shown = lines.length > 24 ? [...lines.slice(0, 22), `  … ${lines.length - 22} more lines`] : lines
    yield* Console.log(`\n${steps}. ${title}`)
    yield* Console.log(shown.map((line) => `   │ ${line}`).join("\n"))
    for (const text of expected) {
      if (!answer.includes(text)) {
        return yield* new DemoFailure({ message: `step ${steps} (${title}) should have said ${JSON.stringify(text)}` })
      }
    }
  })

const section = (markdown: string, heading: string, text: string) =>
  markdown.replace(new RegExp(`(## ${heading}\n\n)[^\n]+`), `$1${text}`)

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = path.dirname(path.dirname(yield* path.fromFileUrl(new URL(import.meta.url))))
  const bin = (name: string) => path.join(root, "dist", "bin", `${name}.cjs`)
  const temp = yield* fs.makeTempDirectoryScoped({ prefix: "ctx-demo-" })

  const server = yield* Command.start(
    Command.make(
      process.execPath,
      bin("ctx"),
      "serve",
      "--data",
      path.join(temp, "server"),
      "--port",
      "0",
      "--json"
    ).pipe(Command.stderr("inherit"))
  )
  const first = yield* server.stdout.pipe(Stream.decodeText(), Stream.splitLines, Stream.take(1), Stream.runCollect)
  const { owner_token, url } = yield* Schema.decode(Ready)(Chunk.join(first, ""))
  yield* step("The embedded server is up, and has made its owner's token once.", `ctx serve --port 0   ->  ${url}`, [
    "http://127.0.0.1:"
  ])

  const ctx = (cwd: string, ...args: ReadonlyArray<string>) =>
    Command.string(
      Command.make(process.execPath, bin("ctx"), ...args).pipe(Command.workingDirectory(cwd), Command.stderr("inherit"))
    )
  const project = Effect.fn("project")(function* (name: string, ...who: ReadonlyArray<string>) {
    const folder = path.join(temp, name)
    yield* fs.makeDirectory(folder)
    yield* ctx(folder, "init", "--no-mcp")
    const login = yield* ctx(folder, "login", "--server", url, "--token", owner_token, "--repo", "demo", ...who)
    yield* step(`A project in ${name}/, wired to the server.`, login.trim(), ["Authenticated (personal access token)"])
    return yield* startAgent(name, folder, bin("ctx-mcp"))
  })
  const ada = yield* project("ada", "--name", "Ada", "--email", "ada@example.com")
  const ben = yield* project("ben")

  const pages = yield* documents(fs, path, root)
  for (const { slug, type, body, summary } of pages) {
    const answer = yield* ada.call("ctx_write_page", {
      slug,
      type,
      body,
      tags: ["ctx-mcp"],
      reasoning_summary: summary
    })
    yield* step(`Ada's agent writes ${slug}, from this repository's own documents.`, answer, ["Wrote "])
  }
  yield* step("Ada's agent asks where things stand.", yield* ada.call("ctx_status"), [
    "Authenticated: true",
    `Local pages: ${pages.length}`,
    `Never-pushed pages: ${pages.length}`
  ])
  yield* step("… and pushes.", yield* ada.call("ctx_push", { message: "first pages" }), [
    `Pushed ${pages.length} page(s); HEAD=`
  ])
  yield* step("Ben's agent pulls.", yield* ben.call("ctx_pull"), [`Pulled ${pages.length} page(s); HEAD=`])

  yield* conflictAndMerge(ada, ben)
})

/** The documents of this repository that become pages. */
const documents = Effect.fnUntraced(function* (fs: FileSystem.FileSystem, path: Path.Path, root: string) {
  const one = (file: string, slug: string, type: string, summary: string) =>
    Effect.map(fs.readFileString(path.join(root, file)), (body) => ({ slug, type, body, summary }))
  return yield* Effect.all([
    one("README.md", "ctx-mcp", "entity", "What ctx-mcp is for, and how it is used."),
    one("CONTRIBUTING.md", "house-layout", "concept", "Where things live, and where a new thing goes."),
    one("docs/directives.md", "directives", "concept", "The eight tagged blocks, what triggers and ends each.")
  ])
})

const decision = `## Decision

Pages are merged by section.

## Open Questions

None yet.
`

const conflictAndMerge = Effect.fnUntraced(function* (ada: Agent, ben: Agent) {
  const write = (agent: Agent, body: string) => agent.call("ctx_write_page", { slug: "merging", type: "concept", body })
  yield* write(ada, decision)
  yield* step("Ada's agent shares a decision.", yield* ada.call("ctx_push"), ["Pushed 1 page(s)"])
  yield* step("Ben's agent has it after a pull.", yield* ben.call("ctx_pull"), ["Pulled 1 page(s)"])

  const adas = section(decision, "Decision", "Pages are merged by section, and stamps never conflict.")
  const bens = section(decision, "Decision", "Pages are merged by section, never by line.")
  yield* write(ada, adas)
  yield* step("Both edit it. Ada's agent is first to push.", yield* ada.call("ctx_push"), ["Pushed 1 page(s)"])
  yield* step(
    "Ben's agent reads the page, and sees that it moved on the server.",
    yield* ben.read("ctx://wiki/merging"),
    ["<DRIFT_NOTICE>", "~ ## Decision", "reference DATA contributed by a project member"]
  )
  yield* write(ben, bens)
  const required = yield* ben.call("ctx_push")
  yield* step("Ben's agent pushes its own edit, and is handed the merge.", required, [
    "<MERGE_REQUIRED>",
    "Push rejected: 1 file(s) have moved on the server since your edit.",
    "## Decision — synthesize both edits into one coherent version",
    "and stamps never conflict.",
    "never by line."
  ])
  yield* step("Pushing again without merging overwrites nothing.", yield* ben.call("ctx_push"), ["<MERGE_REQUIRED>"])

  const merged = section(decision, "Decision", "Pages are merged by section, never by line, and stamps never conflict.")
  yield* write(ben, merged)
  yield* step("It writes a version that keeps both, and pushes.", yield* ben.call("ctx_push"), ["Pushed 1 page(s)"])
  yield* step("Ada's agent pulls the merged page.", yield* ada.call("ctx_pull"), ["Pulled 1 page(s)"])
  for (const agent of [ada, ben]) {
    const page = yield* agent.read("ctx://wiki/merging")
    yield* step(`${agent.name}'s copy, without a notice: both sides are in.`, page, [
      "> **Shared knowledge page**",
      "never by line, and stamps never conflict."
    ])
    if (page.includes("<DRIFT_NOTICE>")) return yield* new DemoFailure({ message: `${agent.name} still sees drift` })
    yield* step(
      `${agent.name} has nothing left to push or pull.`,
      `${yield* agent.call("ctx_push")}\n${yield* agent.call("ctx_pull")}`,
      ["Nothing to push (everything is already on the server)", "Already up to date"]
    )
  }
})

program.pipe(
  Effect.scoped,
  Effect.zipRight(Console.log("\nEvery step did what it should.")),
  Effect.catchAll((failure) =>
    Effect.zipRight(
      Console.error(`\nThe demo failed: ${failure.message}`),
      Effect.sync(() => {
        process.exitCode = 1
      })
    )
  ),
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain
)
