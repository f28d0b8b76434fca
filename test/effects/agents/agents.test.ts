import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { readFileSync } from "node:fs"
import { detach, planDetach, purgeKnowledge } from "../../../src/effects/agents/detach.ts"
import {
  agentStatus,
  type HostId,
  hostIds,
  type Part,
  unwireAgents,
  wireAgents,
  type WiringOptions
} from "../../../src/effects/agents/wiring.ts"
import { agentFindings } from "../../../src/effects/doctor/agents.ts"
import { init } from "../../../src/effects/agents/init.ts"
import { projectLayers } from "../../../src/main/ProjectLayers.ts"
import * as HttpClientDriver from "../../../src/services/sync/HttpClientDriver.ts"
import { freshPlace, type Place, platform, projectIn, withEnvironment } from "../../support/place.ts"

/** A project in a fresh place, and a home folder beside it. */
const project = Effect.gen(function* () {
  const place = yield* Effect.provide(freshPlace, platform)
  yield* place.makeFolder("project/.git")
  yield* place.makeFolder("home/.kimi-code")
  const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provide(
        projectLayers.pipe(
          Layer.provideMerge(projectIn(place, "project")),
          Layer.provideMerge(Layer.merge(HttpClientDriver.layer, platform))
        )
      ),
      withEnvironment({ HOME: place.at("home") })
    )
  yield* run(init({ cwd: place.at("project"), noMcp: true, noHooks: true }))
  return { place, run }
})

const outcomes = (
  reports: ReadonlyArray<{
    readonly file: string
    readonly outcome: { readonly _tag: string; readonly change?: string }
  }>,
  place: Place
) => reports.map(({ file, outcome }) => [file.replace(place.folder, ""), outcome.change ?? outcome._tag])

const all = (tools: WiringOptions["tools"], home = true): WiringOptions => ({ tools, parts: ["mcp", "hooks"], home })

/** Every file that we touch, with settings of the person's own in the host's format. */
const settings: ReadonlyArray<readonly [HostId, Part, string, string]> = [
  ["claude", "mcp", "project/.mcp.json", '{"mcpServers":{"a":{"command":"a"}}}'],
  ["claude", "hooks", "project/.claude/settings.json", '{\r\n  "model": "x" // mine\r\n}\r\n'],
  ["cursor", "mcp", "project/.cursor/mcp.json", "{}\n"],
  ["cursor", "hooks", "project/.cursor/hooks.json", '{"version": 1, "hooks": {"stop": [{"command": "say"}]}}'],
  ["codex", "mcp", "home/.codex/config.toml", '\uFEFFmodel = "x" # mine\n\n[projects."/a"]\ntrust_level = "trusted"'],
  [
    "codex",
    "hooks",
    "project/.codex/hooks.json",
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say"}]}]}}'
  ],
  ["gemini", "mcp", "project/.gemini/settings.json", '{\n\t"theme": "dark",\n}'],
  ["gemini", "hooks", "project/.gemini/settings.json", '{\n\t"theme": "dark",\n}'],
  ["opencode", "mcp", "project/opencode.jsonc", '{\n  // mine\n  "$schema": "https://opencode.ai/config.json"\n}\n'],
  ["kimi", "mcp", "project/.kimi-code/mcp.json", '{ "mcpServers": {} }'],
  ["kimi", "hooks", "home/.kimi-code/config.toml", 'default_model = "k"\nhooks = []\n[loop]\nn = 1\n']
]

describe("wiring an agent up, and taking it off again", () => {
  it.scoped.each(hostIds.map((id) => ({ id })))("gives $id's settings their bytes back, in any order", ({ id }) =>
    Effect.gen(function* () {
      const { place, run } = yield* project
      const own = settings.filter(([host]) => host === id)
      yield* Effect.forEach(own, ([, , file, text]) => place.write(file, text))
      const wire = (parts: ReadonlyArray<Part>) => run(wireAgents({ tools: [id], parts, home: true }))
      const unwire = (parts: ReadonlyArray<Part>) => run(unwireAgents({ tools: [id], parts, home: true }))
      const isAsBefore = Effect.forEach(own, ([, , file, text]) =>
        // A BOM counts too.
        Effect.sync(() => expect(readFileSync(place.at(file), "utf8"), file).toBe(text))
      )

      const parts = [...new Set(own.map(([, part]) => part))]
      expect(outcomes(yield* wire(["mcp", "hooks"]), place).map(([, change]) => change)).toEqual(own.map(() => "added"))
      const status = (yield* run(agentStatus())).find(({ host }) => host.id === id)
      expect(status?.parts.map(({ found }) => found)).toEqual(own.map(() => Either.right("wired")))
      const wired = yield* Effect.forEach(own, ([, , file]) => place.read(file))
      expect(outcomes(yield* wire(["mcp", "hooks"]), place).map(([, change]) => change)).toEqual(
        own.map(() => "present")
      )
      expect(yield* Effect.forEach(own, ([, , file]) => place.read(file))).toEqual(wired)
      // Whichever part goes first, what it leaves is as if it had never been there.
      for (const first of parts) {
        yield* unwire([first])
        yield* unwire(parts)
        yield* isAsBefore
        yield* wire(parts)
      }
      yield* unwire(["mcp", "hooks"])
      yield* isAsBefore
    })
  )

  it.scoped("leaves nothing where there was nothing, the folders it made neither", () =>
    Effect.gen(function* () {
      const { place, run } = yield* project
      const before = (yield* place.everything).filter((path) => !path.includes(".sync"))
      yield* run(wireAgents(all(hostIds)))
      expect((yield* place.everything).length).toBeGreaterThan(before.length + 10)
      const reports = yield* run(unwireAgents(all("all")))
      expect(reports.map(({ outcome }) => outcome)).not.toContainEqual(expect.objectContaining({ _tag: "Failed" }))
      expect((yield* place.everything).filter((path) => !path.includes(".sync"))).toEqual(before)
    })
  )

  it.scoped("takes only our entries out where somebody went on writing", () =>
    Effect.gen(function* () {
      const { place, run } = yield* project
      yield* place.write("project/.gemini/settings.json", "{}")
      yield* run(wireAgents(all(["gemini"])))
      const text = yield* place.read("project/.gemini/settings.json")
      yield* place.write("project/.gemini/settings.json", text.replace("{", '{\n  "theme": "dark", // since\n'))
      yield* run(unwireAgents(all(["gemini"])))
      expect(yield* place.read("project/.gemini/settings.json")).toMatch(/^\{\s*"theme": "dark",? \/\/ since\s*\}$/)
    })
  )

  it.scoped("does not touch the home folder until somebody agrees", () =>
    Effect.gen(function* () {
      const { place, run } = yield* project
      const reports = yield* run(wireAgents(all(["codex", "kimi"], false)))
      expect(outcomes(reports, place)).toEqual([
        ["/home/.codex/config.toml", "Asks"],
        [".codex/hooks.json", "created"],
        [".kimi-code/mcp.json", "created"],
        ["/home/.kimi-code/config.toml", "Asks"]
      ])
      expect(yield* place.exists("home/.codex")).toBe(false)
      yield* run(wireAgents(all(["codex"])))
      expect(outcomes(yield* run(wireAgents(all(["codex"], false))), place)[0]?.[1]).toBe("present")
      expect(outcomes(yield* run(unwireAgents(all(["codex"], false))), place)[0]?.[1]).toBe("Asks")
      expect(yield* place.exists("home/.codex/config.toml")).toBe(true)
    })
  )

  it.scoped("names a file that is malformed or read-only, leaves it alone, and goes on", () =>
    Effect.gen(function* () {
      const { place, run } = yield* project
      yield* place.write("project/.claude/settings.json", "{ nonsense")
      yield* place.write("project/.cursor/mcp.json", "{}")
      yield* place.chmod("project/.cursor/mcp.json", 0o444)
      yield* place.write("home/.codex/config.toml", "a = = 1\n")
      const reports = yield* run(wireAgents(all(["claude", "cursor", "codex"])))
      expect(outcomes(reports, place)).toEqual([
        [".mcp.json", "created"],
        [".claude/settings.json", "Failed"],
        [".cursor/mcp.json", "Failed"],
        [".cursor/hooks.json", "created"],
        ["/home/.codex/config.toml", "Failed"],
        [".codex/hooks.json", "created"]
      ])
      const reasons = reports.flatMap(({ outcome }) => (outcome._tag === "Failed" ? [outcome.reason] : []))
      expect(reasons[0]).toContain("not valid JSON, line 1")
      expect(reasons[1]).toContain("read-only")
      expect(reasons[2]).toContain("not valid TOML, line 1")
      expect(yield* place.read("project/.claude/settings.json")).toBe("{ nonsense")
      expect(yield* place.read("project/.cursor/mcp.json")).toBe("{}")
    })
  )

  it.scoped("writes through a link in the home folder, and not through one that leaves the project", () =>
    Effect.gen(function* () {
      const { place, run } = yield* project
      yield* place.write("dotfiles/config.toml", "a = 1\n")
      yield* place.makeFolder("home/.codex")
      yield* place.link(place.at("dotfiles/config.toml"), "home/.codex/config.toml")
      yield* place.write("elsewhere/hooks.json", "{}")
      yield* place.makeFolder("project/.codex")
      yield* place.link(place.at("elsewhere/hooks.json"), "project/.codex/hooks.json")
      const reports = yield* run(wireAgents(all(["codex"])))
      expect(outcomes(reports, place)).toEqual([
        ["/home/.codex/config.toml", "added"],
        [".codex/hooks.json", "Failed"]
      ])
      expect(yield* place.isLink("home/.codex/config.toml")).toBe(true)
      expect(yield* place.read("dotfiles/config.toml")).toContain("[mcp_servers.contexo]")
      expect(yield* place.read("elsewhere/hooks.json")).toBe("{}")
      yield* run(unwireAgents(all(["codex"])))
      expect(yield* place.read("dotfiles/config.toml")).toBe("a = 1\n")
      expect(yield* place.isLink("home/.codex/config.toml")).toBe(true)
    })
  )
})

describe("what ctx doctor says of agents", () => {
  it.scoped("names what is wired, stale, not approved, switched off, and not on PATH", () =>
    Effect.gen(function* () {
      const { place, run } = yield* project
      const said = Effect.map(run(agentFindings), (findings) =>
        findings.map(({ level, message }) => `${level} ${message.replace(place.folder, "")}`)
      )
      expect(yield* said).toEqual([])
      yield* place.write("project/.mcp.json", '{"mcpServers":{"contexo":{"command":"ctx","args":["mcp"]}}}')
      yield* run(wireAgents({ tools: ["claude", "codex", "gemini"], parts: ["hooks"], home: true }))
      yield* run(wireAgents({ tools: ["codex", "opencode"], parts: ["mcp"], home: true }))
      yield* place.write("home/.claude/settings.json", '{ "disableAllHooks": true } // for now')
      const opencode = yield* place.read("project/opencode.json")
      yield* place.write("project/opencode.json", opencode.replace('"type"', '"enabled": false, "type"'))
      const stop = place.at("project/.codex/hooks.json:stop:0:0")
      const config = yield* place.read("home/.codex/config.toml")
      yield* place.write("home/.codex/config.toml", `${config}[hooks.state."${stop}"]\ntrusted_hash = "x"\n`)
      yield* place.write("project/.kimi-code/mcp.json", "nonsense")
      expect(yield* said).toEqual([
        "warning Claude Code: the contexo server in .mcp.json is another client's",
        "ok Claude Code: hooks in .claude/settings.json",
        "warning Claude Code: hooks are off (disableAllHooks)",
        "ok Codex: the contexo server in /home/.codex/config.toml",
        "ok Codex: hooks in .codex/hooks.json",
        "warning Codex: hooks are skipped: Codex does not trust this folder",
        "ok Gemini CLI: hooks in .gemini/settings.json",
        "warning Gemini CLI: hooks are skipped: Gemini CLI does not trust this folder",
        "ok OpenCode: the contexo server in opencode.json",
        "warning OpenCode: the contexo server is switched off",
        expect.stringMatching(/^warning Kimi: .*not valid JSON/),
        "warning The hooks run ctx-mcp, which is not on PATH here: npm i -g ctx-mcp"
      ])
      yield* place.write(
        "home/.gemini/trustedFolders.json",
        JSON.stringify({ [place.at("project/x")]: "TRUST_PARENT" })
      )
      expect((yield* said).filter((one) => one.includes("trust"))).toEqual([
        "warning Codex: hooks are skipped: Codex does not trust this folder"
      ])
    })
  )
})

describe("ctx detach", () => {
  it.scoped("gives the folder back as it was, with --keep-knowledge all but .contexo/", () =>
    Effect.gen(function* () {
      const place = yield* Effect.provide(freshPlace, platform)
      yield* place.makeFolder("project/.git")
      yield* place.makeFolder("home/.cursor")
      yield* place.write("project/.mcp.json", '{ "mcpServers": {} }')
      yield* place.write("project/.gitignore", "dist")
      const before = yield* place.everything
      const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        effect.pipe(
          Effect.provide(
            projectLayers.pipe(
              Layer.provideMerge(projectIn(place, "project")),
              Layer.provideMerge(Layer.merge(HttpClientDriver.layer, platform))
            )
          ),
          withEnvironment({ HOME: place.at("home") })
        )
      yield* run(init({ cwd: place.at("project") }))
      yield* place.write("project/.contexo/wiki/concepts/a.md", "---\ntitle: a\n---\nA.\n")

      const kept = yield* run(planDetach({ keepKnowledge: true }))
      expect(kept).toMatchObject({ ignored: false, purge: false })
      expect(yield* run(detach(kept))).toEqual([])
      expect(yield* place.read("project/.mcp.json")).toBe('{ "mcpServers": {} }')
      expect(yield* place.exists("project/.cursor")).toBe(false)
      expect(yield* place.read("project/.gitignore")).toContain(".contexo/")

      yield* run(init({ cwd: place.at("project") }))
      const plan = yield* run(planDetach({ keepKnowledge: false }))
      expect(plan).toMatchObject({ ignored: true, purge: true, neverPushed: 1 })
      expect(yield* run(detach(plan))).toEqual([])
      yield* run(purgeKnowledge(place.at("project"), plan.contexo))
      expect(yield* place.everything).toEqual(before)
      expect(yield* place.read("project/.gitignore")).toBe("dist")
    })
  )

  it.scoped("takes out of the home folder what this project put there, and not what another did", () =>
    Effect.gen(function* () {
      const { place, run } = yield* project
      yield* place.write("home/.codex/config.toml", '[mcp_servers.contexo]\ncommand = "ctx-mcp"\n')
      yield* run(wireAgents(all(["codex", "kimi"])))
      const { parts } = yield* run(planDetach({ keepKnowledge: true }))
      expect(parts.map((one) => one.place.name.replace(place.folder, ""))).toEqual([
        ".codex/hooks.json",
        ".kimi-code/mcp.json",
        "/home/.kimi-code/config.toml"
      ])
    })
  )
})
