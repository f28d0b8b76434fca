import { describe, expect, it } from "@effect/vitest"
import { Either, Option } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { splitPage } from "../../src/model/frontmatter/Frontmatter.ts"
import { hosts } from "../../src/services/agents/Hosts.ts"
import { mcpEntry } from "../../src/services/agents/McpEntry.ts"

const repository = resolve(import.meta.dirname, "..", "..")
const read = (...path: ReadonlyArray<string>) => readFileSync(join(repository, ...path), "utf8")
const plugin = (...path: ReadonlyArray<string>) => read("plugins", "claude-code", ...path)

describe("the plugin for Claude Code", () => {
  it("has the package's version", () => {
    expect(JSON.parse(plugin(".claude-plugin", "plugin.json")).version).toBe(JSON.parse(read("package.json")).version)
    expect(JSON.parse(plugin(".claude-plugin", "marketplace.json")).plugins[0].name).toBe("contexo")
  })

  it("starts the server and runs the hooks that ctx init installs", () => {
    expect(JSON.parse(plugin(".mcp.json"))).toEqual({ mcpServers: { contexo: mcpEntry } })
    const wired = hosts[0]?.targets.find(({ part }) => part === "hooks")?.edit.wire(Option.none())
    const { after } = Either.getOrThrow(wired ?? Either.left("Claude Code has no hooks"))
    expect(JSON.parse(plugin("hooks", "hooks.json")).hooks).toEqual(JSON.parse(after).hooks)
  })

  it("ships a skill that names only tools that there are", () => {
    const { body, frontmatter } = splitPage(plugin("skills", "contexo", "SKILL.md"))
    expect(Option.getOrThrow(frontmatter)).toMatch(/^name: contexo\ndescription: \S/)
    const sources = readdirSync(join(repository, "src", "main", "mcp", "tools")).map((file) =>
      read("src", "main", "mcp", "tools", file)
    )
    const tools = new Set(sources.flatMap((source) => source.match(/ctx_[a-z_]+/g) ?? []))
    const named = new Set(body.match(/ctx_[a-z_]+/g))
    expect(named.size).toBeGreaterThan(4)
    expect([...named].filter((name) => !tools.has(name))).toEqual([])
  })
})
