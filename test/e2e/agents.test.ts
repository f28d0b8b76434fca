import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ctx, folder } from "../support/cli.ts"
import { atTerminal } from "../support/terminal.ts"

const lines = (text: string) => text.trimEnd().split("\n")

/** A project, and a home folder with Codex's settings in it. */
const place = Effect.gen(function* () {
  const root = yield* folder
  const home = yield* folder
  mkdirSync(join(root, ".git"))
  mkdirSync(join(home, ".codex"))
  const config = join(home, ".codex", "config.toml")
  writeFileSync(config, 'model = "x" # mine\n')
  const bin = join(home, "bin")
  mkdirSync(bin)
  writeFileSync(join(bin, "codex"), "#!/bin/sh\n")
  chmodSync(join(bin, "codex"), 0o755)
  const env = { HOME: home, USERPROFILE: home, PATH: `${bin}:${process.env["PATH"]}` }
  return { root, config, env, run: (...args: ReadonlyArray<string>) => ctx(root, args, { env }) }
})

describe("wiring agents up from the command line", () => {
  it.scopedLive("init edits the project, asks before the home folder, and detach gives everything back", () =>
    Effect.gen(function* () {
      const { config, env, root, run } = yield* place
      writeFileSync(join(root, ".mcp.json"), '{"mcpServers":{"contexo":{"command":"ctx","args":["mcp"]}}}')
      const piped = yield* run("init")
      expect(piped.code).toBe(0)
      expect(piped.stdout).toContain("  Codex records its turns (.codex/hooks.json)\n")
      expect(piped.stderr).toContain(`To wire it up: ctx mcp install --tool=codex --yes`)
      expect(piped.stderr).toContain("approve the hooks with /hooks")
      expect(readFileSync(join(root, ".mcp.json"), "utf8")).toContain('"npx"')
      expect(readFileSync(config, "utf8")).toBe('model = "x" # mine\n')

      const asked = yield* run("mcp", "install", "--tool", "codex")
      expect(asked).toMatchObject({ code: 3, stdout: expect.stringContaining(`${config}). Go on? Answer with --yes.`) })
      const no = yield* atTerminal(root, ["init"], { question: "Go on?", answer: "n" }, env)
      expect(no.code).toBe(0)
      expect(readFileSync(config, "utf8")).toBe('model = "x" # mine\n')
      const yes = yield* atTerminal(root, ["init"], { question: "Go on?", answer: "y" }, env)
      expect(yes.stdout).toContain(`Wired Codex (${config})`)
      expect(readFileSync(config, "utf8")).toContain("[mcp_servers.contexo]")

      const status = yield* run("mcp", "status")
      expect(lines(status.stdout)).toContain(`  Codex        wired (${config})`)
      const json = JSON.parse((yield* run("hooks", "status", "--json")).stdout)
      expect(json.agents[0]).toMatchObject({
        id: "claude",
        parts: [{ part: "hooks", scope: "project", file: ".claude/settings.json", state: "wired" }]
      })

      const kept = yield* run("detach")
      expect(kept.code).toBe(3)
      expect(existsSync(join(root, ".contexo"))).toBe(true)
      const detached = yield* run("detach", "--yes")
      expect(detached).toMatchObject({ code: 0, stdout: "Detach complete.\n", stderr: "" })
      expect(readdirSync(root)).toEqual([".git"])
      expect(readFileSync(config, "utf8")).toBe('model = "x" # mine\n')
      expect((yield* run("detach")).stdout).toContain("Nothing to detach")
    })
  )

  it.scopedLive("install and uninstall name what they did, and a file that they cannot edit (exit 1)", () =>
    Effect.gen(function* () {
      const { root, run } = yield* place
      yield* run("init", "--no-mcp", "--no-hooks")
      const installed = yield* run("hooks", "install", "--tool=claude")
      expect(installed.stdout).toBe("  Claude Code records its turns (.claude/settings.json)\n")
      const again = yield* run("hooks", "install", "--tool=claude")
      expect(again).toMatchObject({
        code: 0,
        stdout: "  .claude/settings.json already has our hooks; leaving it alone\n",
        stderr: ""
      })
      const gone = yield* run("hooks", "uninstall")
      expect(gone.stdout).toBe("  Removed our hooks from .claude/settings.json (Claude Code)\n")
      expect((yield* run("hooks", "uninstall")).stdout).toBe("Nothing to do: no hooks here.\n")
      writeFileSync(join(root, ".mcp.json"), "{ nonsense")
      const broken = yield* run("mcp", "install", "--tool=claude")
      expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining("not valid JSON, line 1") })
      expect(readFileSync(join(root, ".mcp.json"), "utf8")).toBe("{ nonsense")
      expect((yield* run("mcp", "install", "--tool=emacs")).code).toBe(2)
      expect((yield* run("mcp", "guide")).stdout).toContain("[mcp_servers.contexo]")
    })
  )

  it.scopedLive("a clone with contexo.json is wired up to its server by init", () =>
    Effect.gen(function* () {
      const { root, run } = yield* place
      writeFileSync(join(root, "contexo.json"), '{"server_url":"https://ctx.example.com","repo_id":"acme"}')
      const { stdout } = yield* run("init")
      expect(lines(stdout)[0]).toBe("  Took server https://ctx.example.com and repository acme from contexo.json")
      expect((yield* run("status")).stdout).toContain("Server: https://ctx.example.com\nRepo: acme\n")
    })
  )
})
