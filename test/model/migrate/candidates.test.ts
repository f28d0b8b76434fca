import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { candidatesOf } from "../../../src/model/migrate/Candidates.ts"
import { kindOf } from "../../../src/model/migrate/Knowledge.ts"

const paths = (...all: ReadonlyArray<string>) => candidatesOf(all).candidates.map(({ path }) => path)
const skipped = (...all: ReadonlyArray<string>) => candidatesOf(all).skipped

describe("what a file's name says it holds", () => {
  it.each([
    ["README.md", "docs", "entity"],
    ["packages/core/README.md", "docs", "entity"],
    ["ARCHITECTURE.md", "docs", "concept"],
    [".github/SECURITY.md", "docs", "concept"],
    ["docs/guide/setup.mdx", "docs", "concept"],
    ["doc/index.rst", "docs", "concept"],
    ["docs/2024-outage-postmortem.md", "docs", "analysis"],
    ["docs/benchmark-results.adoc", "docs", "analysis"],
    ["llms.txt", "docs", "source"],
    ["CLAUDE.md", "agentfiles", "concept"],
    ["pkg/deep/AGENTS.md", "agentfiles", "concept"],
    [".goosehints", "agentfiles", "concept"],
    [".rules", "agentfiles", "concept"],
    [".junie/guidelines.md", "agentfiles", "concept"],
    [".cursorrules", "agentfiles", "concept"],
    [".cursor/rules/api/style.mdc", "agentfiles", "concept"],
    [".windsurf/rules/a.md", "agentfiles", "concept"],
    [".github/copilot-instructions.md", "agentfiles", "concept"],
    [".github/instructions/ts.instructions.md", "agentfiles", "concept"],
    [".clinerules", "agentfiles", "concept"],
    [".clinerules/01-style.md", "agentfiles", "concept"],
    [".roo/rules-code/a.md", "agentfiles", "concept"],
    [".kiro/steering/product.md", "agentfiles", "concept"],
    [".claude/rules/testing.md", "agentfiles", "concept"],
    [".continue/rules/a.md", "agentfiles", "concept"],
    [".augment/rules/a.md", "agentfiles", "concept"],
    ["docs/adr/0001-use-sqlite.md", "decisions", "analysis"],
    ["docs/decisions/use-sqlite.md", "decisions", "analysis"],
    ["service/decisions/0007-queue.md", "decisions", "analysis"],
    ["DECISIONS.md", "decisions", "analysis"],
    ["rfcs/0042-types.md", "specs", "analysis"],
    ["docs/proposals/new.md", "specs", "analysis"],
    ["specs/auth.md", "specs", "concept"],
    ["specs/003-login/plan.md", "specs", "concept"],
    ["openspec/specs/auth/spec.md", "specs", "concept"],
    ["openspec/AGENTS.md", "specs", "concept"],
    ["openspec/changes/add-x/proposal.md", "specs", "analysis"],
    [".kiro/specs/login/requirements.md", "specs", "concept"],
    [".specify/memory/constitution.md", "specs", "concept"],
    [".claude/skills/review/SKILL.md", "skills", "concept"],
    ["skills/deploy/SKILL.md", "skills", "concept"],
    [".claude/agents/tester.md", "skills", "concept"],
    [".claude/commands/ship.md", "skills", "concept"],
    [".github/prompts/fix.prompt.md", "skills", "concept"],
    ["memory-bank/projectbrief.md", "memory", "concept"],
    ["memory-bank/activeContext.md", "memory", "source"],
    [".serena/memories/style.md", "memory", "concept"],
    [".context/domain.md", "memory", "concept"],
    ["MEMORY.md", "memory", "concept"],
    ["CHANGELOG.md", "history", "source"],
    ["packages/core/CHANGELOG.md", "history", "source"],
    ["HISTORY.rst", "history", "source"],
    ["docs/release-notes.md", "history", "source"]
  ])("%s is of %s, a(n) %s", (path, group, type) => {
    expect(kindOf(path)).toEqual({ group, type })
  })

  it.each([
    "src/index.ts",
    "LICENSE.md",
    "CODE_OF_CONDUCT.md",
    "src/notes.md",
    "website/docs/integrations/gemini.md",
    "website/docs/reference/history.md",
    ".kiro/specs/login/tasks.md",
    "specs/003-login/tasks.md",
    "openspec/changes/archive/2024-x/proposal.md",
    "service/decisions/index.md",
    "llms-full.txt",
    "docs/logo.png"
  ])("%s is none", (path) => {
    expect(kindOf(path)).toBeUndefined()
  })
})

describe("what is offered of a tree", () => {
  it("goes group by group, in each what lies higher up first, READMEs before their neighbours", () => {
    expect(
      paths(
        "docs/b/x.md",
        "CHANGELOG.md",
        "docs/a.md",
        "AGENTS.md",
        "docs/README.md",
        "docs/adr/0001-x.md",
        "README.md"
      )
    ).toEqual([
      "README.md",
      "docs/README.md",
      "docs/a.md",
      "docs/b/x.md",
      "AGENTS.md",
      "docs/adr/0001-x.md",
      "CHANGELOG.md"
    ])
  })

  it("passes over what is vendored, built, a test's own or a template", () => {
    expect(
      paths(
        "node_modules/x/README.md",
        "vendor/y/CLAUDE.md",
        "tests/fixtures/AGENTS.md",
        "internal/templates/CLAUDE.md",
        "target/doc/AGENTS.md",
        ".contexo/wiki/concepts/AGENTS.md",
        "website/versioned_docs/v1/AGENTS.md"
      )
    ).toEqual([])
    // A chapter of a documentation is no build.
    expect(paths("docs/build/linux.md")).toEqual(["docs/build/linux.md"])
    expect(skipped("docs/adr/template.md", "docs/adr/adr-template.md", "docs/adr/0000-template.md")).toEqual(
      ["docs/adr/0000-template.md", "docs/adr/adr-template.md", "docs/adr/template.md"].map((path) => ({
        path,
        reason: "a template"
      }))
    )
    expect(paths("docs/template-engine.md", "docs/resource-template.md")).toHaveLength(2)
  })

  it("puts translations aside, and keeps what only looks like one", () => {
    const all = [
      "docs/en/a.md",
      "docs/zh-CN/a.md",
      "docs/ja/a.md",
      "docs/setup.md",
      "docs/setup.de.md",
      "docs/setup_fr.md"
    ]
    expect(paths(...all)).toEqual(["docs/setup.md", "docs/en/a.md"])
    expect(skipped(...all).map(({ reason }) => reason)).toEqual(Array(4).fill("a translation"))
    // No document of that name without the language; a folder with no other language beside it.
    expect(paths("docs/how-to-id.md", "docs/no/a.md", "docs/plan.it.md")).toHaveLength(3)
  })

  it("keeps the current documentation, or else the newest version of it", () => {
    expect(paths("docs/v1/a.md", "docs/v2/a.md", "docs/a.md")).toEqual(["docs/a.md"])
    expect(paths("docs/v1/a.md", "docs/v2/a.md", "docs/v10/a.md")).toEqual(["docs/v10/a.md"])
    expect(skipped("docs/v1/a.md", "docs/a.md")).toEqual([
      { path: "docs/v1/a.md", reason: "documents an older version" }
    ])
  })

  it("takes every note of a vault", () => {
    const inVault = (...all: ReadonlyArray<string>) =>
      candidatesOf(all).candidates.map(({ group, path, type }) => [group, type, path])
    expect(
      inVault(
        "notes/.obsidian/app.json",
        "notes/Idea.md",
        "notes/People/Ada.md",
        "notes/Daily/2024-05-01.md",
        "notes/.trash/old.md",
        "notes/img.png",
        "other/Idea.md"
      )
    ).toEqual([
      ["vault", "concept", "notes/Idea.md"],
      ["vault", "source", "notes/Daily/2024-05-01.md"],
      ["vault", "entity", "notes/People/Ada.md"]
    ])
    expect(inVault("logseq/config.edn", "pages/a.md", "journals/2024_05_01.md", "logseq/bak/a.md")).toEqual([
      ["vault", "source", "journals/2024_05_01.md"],
      ["vault", "concept", "pages/a.md"]
    ])
    const id = "0123456789abcdef0123456789abcdef"
    expect(inVault(`Export/Plan ${id}.md`, `Export/Plan ${id}/Child ${id}.md`, `Export/Table ${id}.csv`)).toEqual([
      ["vault", "concept", `Export/Plan ${id}.md`],
      ["vault", "concept", `Export/Table ${id}.csv`],
      ["vault", "concept", `Export/Plan ${id}/Child ${id}.md`]
    ])
  })

  it("does not depend on the order of the files, and offers each once", () => {
    const path = fc
      .array(fc.constantFrom("docs", "adr", "v1", "ja", "en", "a", "README.md", "CLAUDE.md", "x.md", ".obsidian"), {
        minLength: 1,
        maxLength: 4
      })
      .map((parts) => parts.join("/"))
    fc.assert(
      fc.property(fc.array(path, { maxLength: 20 }), (all) => {
        const { candidates, skipped: aside } = candidatesOf(all)
        expect(candidatesOf(all.toReversed())).toEqual({ candidates, skipped: aside })
        const named = [...candidates, ...aside].map((one) => one.path)
        expect(new Set(named).size).toBe(named.length)
      })
    )
  })
})
