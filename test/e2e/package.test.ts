import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { ctx, execute, folder, server } from "../support/cli.ts"

const repository = resolve(import.meta.dirname, "..", "..")
const tool = (name: string) => join(repository, "node_modules", ".bin", name)

const Packed = Schema.Tuple(
  Schema.Struct({ filename: Schema.String, files: Schema.Array(Schema.Struct({ path: Schema.String })) })
)
const decodePacked = (text: string) => Effect.orDie(Schema.decode(Schema.parseJson(Packed))(text))

const run = (cwd: string, ...command: readonly [string, ...ReadonlyArray<string>]) =>
  Effect.map(execute(command, { cwd, env: { npm_config_update_notifier: "false", HOME: tmpdir() } }), (finished) => {
    expect(finished.code, finished.stdout + finished.stderr).toBe(0)
    return finished.stdout
  })

const examples = readdirSync(join(repository, "examples"))

/** An empty project with the packed package in it, and beside it what a user of the library installs. */
const consumer = Effect.gen(function* () {
  const root = yield* folder
  const home = join(root, "node_modules", "ctx-mcp")
  const packed = yield* run(repository, "npm", "pack", "--ignore-scripts", "--json", "--pack-destination", root)
  const [{ filename, files }] = yield* decodePacked(packed)
  mkdirSync(home, { recursive: true })
  yield* run(root, "tar", "-xzf", join(root, filename), "-C", home, "--strip-components", "1")

  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
  const names = [...Object.keys(dependencies), ...Object.keys(peerDependencies), "@types/node"]
  for (const name of names) {
    const link = join(root, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(repository, "node_modules", name), link)
  }
  const compilerOptions = {
    target: "ES2023",
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: ["node"]
  }
  writeFileSync(join(root, "package.json"), JSON.stringify({ type: "module", private: true }))
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions, files: examples }))
  writeFileSync(join(root, "deno.json"), JSON.stringify({ nodeModulesDir: "manual" }))
  for (const name of examples) cpSync(join(repository, "examples", name), join(root, name))
  return { root, home, files: files.map(({ path }) => path) }
})

describe("the packed package", () => {
  it.scopedLive("holds the bins and the library, and nothing of the workshop", () =>
    Effect.gen(function* () {
      const { files, home } = yield* consumer
      expect(files).toContain("README.md")
      expect(files).toContain("LICENSE")
      expect(files).toContain("CHANGELOG.md")
      expect(files).toContain("plugins/claude-code/skills/contexo/SKILL.md")
      expect(files).toContain("plugins/claude-code/.claude-plugin/plugin.json")
      expect(files).toContain("skills/context-paging/SKILL.md")
      expect(files).toContain("skills/context-paging/scripts/cp_search.py")
      expect(
        files.filter(
          (path) =>
            !/^(dist\/(bin|lib)\/|plugins\/|skills\/context-paging\/|README\.md|LICENSE|CHANGELOG\.md|package\.json)/.test(
              path
            )
        )
      ).toEqual([])
      for (const name of ["ctx", "ctx-mcp"]) {
        const version = yield* run(home, process.execPath, join(home, "dist", "bin", `${name}.cjs`), "--version")
        expect(version).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+`))
      }
    })
  )

  it.scopedLive("lets a program compose its own: the examples type-check, and run on Node and on Deno", () =>
    Effect.gen(function* () {
      const { root } = yield* consumer
      // Our declarations are checked too; the platform package's want types of `ws` that it does not bring.
      const checked = yield* execute([tool("tsc"), "-p", "tsconfig.json"], { cwd: root })
      const errors = checked.stdout.split("\n").filter((line) => line.includes(" error "))
      expect(errors.filter((line) => !line.includes("/platform-node-shared/"))).toEqual([])
      yield* run(root, tool("deno"), "check", ...examples)
      expect(examples).toHaveLength(3)

      const to = yield* server
      const project = yield* folder
      yield* ctx(project, ["init", "--no-mcp"])
      yield* ctx(project, ["login", "--server", to.url, "--token", to.token, "--repo", "acme"])
      const write = (slug: string, ...more: ReadonlyArray<string>) =>
        ctx(project, ["write", slug, "--type", "concept", ...more], { stdin: "## Decision\n\nOne.\n" })
      const runtimes = { node: [process.execPath], deno: [tool("deno"), "run", "-A"] } as const
      const env = { TEAM_SERVER: to.url, TEAM_TOKEN: to.token, HOME: tmpdir() }
      for (const [slug, command] of Object.entries(runtimes)) {
        const program = (name: string) =>
          Effect.map(execute([...command, name, project], { cwd: root, env }), ({ code, stderr, stdout }) => {
            expect(code, stderr).toBe(0)
            return stdout
          })
        yield* write(slug)
        expect(yield* program("tagged-only.ts")).toBe(`refused: wiki/concepts/${slug}.md (team/tagged-only)\n`)
        expect(yield* program("notify-on-push.ts")).toMatch(
          new RegExp(`^announce: wiki/concepts/${slug}\\.md\npushed 1 page\\(s\\), head [0-9a-f]{40}\n$`)
        )
        yield* write(slug, "--tag", "team")
        expect(yield* program("tagged-only.ts")).toBe("pushed 1 page(s)\n")
        const report = (yield* program("report.ts")).trimEnd().split("\n")
        expect(report.slice(1, 2)).toEqual(["0 drifted"])
        expect(report).toContain(`wiki/concepts/${slug}.md: as the server has it`)
      }
    })
  )
})

describe("the launcher", () => {
  it.scopedLive("says on an old Node what it needs, in one line, exit 1", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const launcher = join(repository, "dist", "bin", "ctx.cjs")
      const pretend = `Object.defineProperty(process.versions, "node", { value: "20.20.2" }); require(${JSON.stringify(launcher)})`
      expect(yield* execute([process.execPath, "-e", pretend], { cwd })).toEqual({
        code: 1,
        stdout: "",
        stderr: "ctx needs Node 22.13 or newer (this is 20.20.2), or Deno 2.2.\n"
      })
    })
  )

  it("carries the licences of what is inside the bundles", () => {
    const notices = readFileSync(join(repository, "dist", "bin", "THIRD-PARTY.txt"), "utf8")
    for (const name of ["effect", "@effect/cli", "@effect/platform", "@modelcontextprotocol/sdk", "yaml"]) {
      expect(notices).toMatch(new RegExp(`^${name} \\d`, "m"))
    }
    expect(existsSync(join(repository, "dist", "bin", "ctx.mjs"))).toBe(true)
    expect(readdirSync(join(repository, "dist", "lib"))).toContain("index.d.ts")
  })
})
