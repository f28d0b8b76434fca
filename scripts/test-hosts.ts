/**
 * Real agents against a model of ours: each one runs one turn in a fresh project that `ctx init` wired up, with a home of
 * its own, against a stub on loopback; then the project's buffer must hold the turn, and the paging database its messages, each
 * once. Takes the agents from npm (some 600 MB), so it is not part of CI.
 *
 *     npm run test:hosts                 Codex, Claude Code, Gemini CLI
 *     npm run test:hosts -- codex        only that one
 *
 * Exits 1 when an agent ran and its turn is missing in one of the two. One that does not start here is named, and fails nothing.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join, resolve } from "node:path"
import { modelStub } from "./hosts/modelStub.ts"

const repository = resolve(import.meta.dirname, "..")
const prompt = "Say why we merge by section."
const reply = "Because two people seldom change the same one."

interface Place {
  readonly root: string
  readonly home: string
  readonly url: string
}

interface Agent {
  readonly name: string
  readonly tool: string
  readonly bin: string
  readonly package: string
  /** The agent's settings in its home, before `ctx init`. */
  readonly prepare: (place: Place) => void
  readonly args: ReadonlyArray<string>
  readonly env: (place: Place) => Readonly<Record<string, string>>
}

const agents: ReadonlyArray<Agent> = [
  {
    name: "Codex",
    tool: "codex",
    bin: "codex",
    package: "@openai/codex@0.171.0",
    prepare: ({ home, root, url }) => {
      mkdirSync(join(home, ".codex"))
      const lines = [
        'model = "stub"',
        'model_provider = "stub"',
        "[model_providers.stub]",
        'name = "stub"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        `[projects.${JSON.stringify(root)}]`,
        'trust_level = "trusted"'
      ]
      writeFileSync(join(home, ".codex", "config.toml"), `${lines.join("\n")}\n`)
    },
    // What /hooks does for a person.
    args: ["exec", "--dangerously-bypass-hook-trust", prompt],
    env: () => ({})
  },
  {
    name: "Claude Code",
    tool: "claude",
    bin: "claude",
    package: "@anthropic-ai/claude-code@2.1.332",
    prepare: ({ home, root }) => {
      const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }
      writeFileSync(
        join(home, ".claude.json"),
        JSON.stringify({ hasCompletedOnboarding: true, projects: { [root]: trusted } })
      )
    },
    args: ["-p", prompt],
    env: ({ url }) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "stub", IS_SANDBOX: "1" })
  },
  {
    name: "Gemini CLI",
    tool: "gemini",
    bin: "gemini",
    package: "@google/gemini-cli@0.61.0",
    prepare: ({ home, root }) => {
      mkdirSync(join(home, ".gemini"))
      // In a folder that is not trusted, it does not read the project's settings; --skip-trust comes too late for that.
      writeFileSync(join(home, ".gemini", "trustedFolders.json"), JSON.stringify({ [root]: "TRUST_FOLDER" }))
      writeFileSync(
        join(home, ".gemini", "settings.json"),
        JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } })
      )
    },
    args: ["--model", "gemini-2.5-flash", "--prompt", prompt],
    env: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "stub" })
  }
]

/** Programs of this package by name, as an installed one has them. */
const ownBins = (home: string): string => {
  const folder = join(home, "bin")
  mkdirSync(folder)
  for (const name of ["ctx", "ctx-mcp"]) {
    writeFileSync(
      join(folder, name),
      `#!/bin/sh\nexec "${process.execPath}" "${join(repository, "dist", "bin", `${name}.cjs`)}" "$@"\n`
    )
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

/** Where the agent's program is: `CTX_HOSTS/<tool>`, or a cache beside the other ones, filled by npm. */
const install = (agent: Agent): string => {
  const folder = join(process.env["CTX_HOSTS"] ?? join(repository, "node_modules", ".cache", "hosts"), agent.tool)
  const bin = join(folder, "node_modules", ".bin", agent.bin)
  if (existsSync(bin)) return bin
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), "{}")
  execFileSync("npm", ["install", "--no-audit", "--no-fund", agent.package], { cwd: folder, stdio: "ignore" })
  // Claude Code puts its program in place by a script that npm may not run.
  const script = join(folder, "node_modules", "@anthropic-ai", "claude-code", "install.cjs")
  if (existsSync(script)) execFileSync(process.execPath, [script], { stdio: "ignore" })
  return bin
}

const run = (command: string, args: ReadonlyArray<string>, cwd: string, env: Readonly<Record<string, string>>) => {
  const { promise, resolve: done } = Promise.withResolvers<{ readonly code: number | null; readonly output: string }>()
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()))
  const timer = setTimeout(() => child.kill("SIGKILL"), 90_000)
  child.on("error", (error) => (output += error.message))
  child.on("close", (code) => {
    clearTimeout(timer)
    done({ code, output })
  })
  return promise
}

/** Runs one turn; gives what is wrong, or nothing. */
const tryAgent = async (agent: Agent): Promise<string | undefined> => {
  const bin = install(agent)
  const stub = await modelStub(reply)
  const base = realpathSync(mkdtempSync(join(tmpdir(), `ctx-hosts-${agent.tool}-`)))
  const [root, home] = [join(base, "project"), join(base, "home")]
  try {
    for (const folder of [root, home]) mkdirSync(folder)
    const place = { root, home, url: stub.url }
    const own = ownBins(home)
    const path = [own, join(bin, ".."), process.env["PATH"]].join(delimiter)
    const env = { PATH: path, HOME: home, TERM: "dumb", ...agent.env(place) }
    spawnSync("git", ["init", "-q"], { cwd: root })
    agent.prepare(place)
    execFileSync(join(own, "ctx"), ["init", "--no-mcp"], { cwd: root, env, stdio: "ignore" })
    const install = ["paging", "install", "--yes", "--agent", agent.tool]
    execFileSync(join(own, "ctx"), install, { cwd: root, env, stdio: "ignore" })
    const version = (await run(bin, ["--version"], root, env)).output.trim().split("\n").at(-1)
    const { code, output } = await run(bin, agent.args, root, env)
    const pending = join(root, ".contexo", "raw", "sessions", "_pending")
    const buffers = existsSync(pending) ? readdirSync(pending).filter((name) => name.endsWith(".jsonl")) : []
    const turns = buffers.map((name) => readFileSync(join(pending, name), "utf8")).join("")
    const listing = ["paging", "message-list", "", "10000", "--all", "--since", "any", "--json"]
    const { messages } = JSON.parse(execFileSync(join(own, "ctx"), listing, { cwd: root, env, encoding: "utf8" }))
    const paged = [
      ["user", prompt],
      ["assistant", reply]
    ].every(
      ([role, text]) =>
        messages.filter(
          (one: { role: string; content?: string }) => one.role === role && one.content?.includes(text ?? "") === true
        ).length === 1
    )
    const seen = turns.includes(prompt) && turns.includes(reply)
    const verdict = seen && paged ? "ok  " : "FAIL"
    console.log(
      `${verdict} ${agent.name} ${version}: exit ${code}, ${buffers.length} buffer(s), ${messages.length} paged message(s)`
    )
    if (seen && paged) return undefined
    if (stub.asked() === 0) {
      console.log(`     it did not ask its model, so it does not start here:\n${output.slice(-1500)}`)
      return undefined
    }
    const rows = messages.map((one: { role: string; content?: string }) => `${one.role}: ${one.content?.slice(0, 200)}`)
    return `${agent.name}: ${turns === "" ? "no turn" : turns}\n${rows.join("\n")}\n${output.slice(-3000)}`
  } finally {
    stub.close()
    if (process.env["CTX_HOSTS_KEEP"] === undefined) rmSync(base, { recursive: true, force: true })
    else console.log(`     kept: ${base}`)
  }
}

const wanted = process.argv.slice(2)
const failures: Array<string> = []
for (const agent of agents.filter(({ tool }) => wanted.length === 0 || wanted.includes(tool))) {
  const wrong = await tryAgent(agent)
  if (wrong !== undefined) failures.push(wrong)
}
for (const failure of failures) console.error(failure)
process.exitCode = failures.length > 0 ? 1 : 0
