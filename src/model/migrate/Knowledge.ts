import type { CatalogGroup } from "../page/Catalog.ts"
import type { PageType } from "../page/PageType.ts"

/** What a file is by where it lies and what it is called. */
export interface Kind {
  readonly group: CatalogGroup
  readonly type: PageType
}

/** A row of the table: paths that match are of that kind. */
interface Row extends Kind {
  readonly pattern: RegExp
}

const text = String.raw`\.(?:md|mdx|markdown|rst|adoc)`
const markdown = String.raw`\.(?:md|mdx|markdown)`

const row = (group: CatalogGroup, type: PageType, pattern: string): Row => ({
  group,
  type,
  pattern: new RegExp(`^(?:${pattern})$`, "is")
})

/** The same for names that mean something in this spelling only: `docs/gemini.md` is about a product. */
const exactRow = (group: CatalogGroup, type: PageType, pattern: string): Row => ({
  group,
  type,
  pattern: new RegExp(`^(?:${pattern})$`, "s")
})

/** Names of a document that weighs, reports or compares rather than describes. */
const weighing =
  /(?:^|[^a-z])(?:post-?mortems?|incidents?|rfcs?|comparisons?|benchmarks?|investigations?|evaluations?|research|audits?|retrospectives?)(?![a-z])/

/** Code-graph.md 5.2; the first row that matches counts. */
const table: ReadonlyArray<Row> = [
  row("specs", "concept", String.raw`openspec/(?:project|agents)\.md|openspec/specs/.*${markdown}`),
  row("specs", "analysis", String.raw`openspec/changes/(?!archive/)[^/]+/(?:proposal|design)\.md`),
  row("specs", "concept", String.raw`\.kiro/specs/[^/]+/(?:requirements|design)\.md`),
  row("specs", "concept", String.raw`\.specify/memory/constitution\.md|specs/\d+-[^/]+/(?:spec|plan)\.md`),

  exactRow(
    "agentfiles",
    "concept",
    String.raw`(?:.*/)?(?:CLAUDE\.md|CLAUDE\.local\.md|AGENTS\.md|AGENTS\.override\.md|GEMINI\.md|QWEN\.md|WARP\.md|CRUSH\.md|\.goosehints|\.rules|\.junie/guidelines\.md)`
  ),
  row(
    "agentfiles",
    "concept",
    String.raw`(?:.*/)?(?:\.cursorrules|\.windsurfrules|\.clinerules|\.roorules|\.cursor/rules/.*\.mdc|\.windsurf/rules/[^/]+\.md)`
  ),
  row(
    "agentfiles",
    "concept",
    String.raw`\.github/(?:copilot-instructions\.md|instructions/.*\.instructions\.md)|\.clinerules/.*\.(?:md|txt)|\.roo/rules[^/]*/.*\.(?:md|txt)`
  ),
  row(
    "agentfiles",
    "concept",
    String.raw`\.kiro/steering/[^/]+\.md|\.claude/rules/.*\.md|\.continue/rules/[^/]+\.md|\.augment/rules/.*\.md`
  ),

  row("memory", "source", String.raw`memory-bank/(?:.*/)?(?:activecontext|progress|[^/]*session[^/]*|[^/]*log)\.md`),
  row("memory", "concept", String.raw`memory-bank/.*\.md|\.serena/memories/.*\.md|\.context/[^/]+\.md`),
  row("memory", "concept", String.raw`memory\.md|\.claude/(?:.*/)?memory/.*\.md|\.claude/(?:.*/)?memory\.md`),

  row("skills", "concept", String.raw`(?:\.claude/|\.agents/)?skills/[^/]+/skill\.md`),
  row("skills", "concept", String.raw`\.claude/(?:agents|commands)/.*\.md|\.github/prompts/.*\.prompt\.md`),

  row("decisions", "analysis", String.raw`(?:.*/)?adrs?/.*${text}|docs?/decisions/.*${text}`),
  row("decisions", "analysis", String.raw`(?:.*/)?decisions/\d+[-_.][^/]*${text}|decisions${text}`),

  row("specs", "analysis", String.raw`(?:docs?/)?(?:rfcs|proposals)/.*${text}`),
  row("specs", "concept", String.raw`specs/[^/]+${text}`),

  row("history", "source", String.raw`(?:.*/)?changelog(?:\.(?:md|mdx|markdown|rst|adoc|txt))?`),
  row(
    "history",
    "source",
    String.raw`(?:docs?/)?(?:changes|history|release[-_]?notes)(?:\.(?:md|mdx|markdown|rst|adoc|txt))?`
  ),

  row("docs", "entity", String.raw`readme(?:\.(?:md|mdx|markdown|rst|adoc|txt))?`),
  row("docs", "entity", String.raw`(?:packages|apps|libs|crates|services|modules)/[^/]+/readme${text}`),
  row(
    "docs",
    "concept",
    String.raw`(?:\.github/)?(?:architecture|design|contributing|development|security|glossary|roadmap)${text}`
  ),
  row("docs", "source", String.raw`llms\.txt`),
  row("docs", "concept", String.raw`docs?/.*${text}`)
]

/**
 * What kind of knowledge a file holds, by its path from the source's root, with `/`. Undefined: none that we know.
 *
 * @example kindOf("docs/adr/0001-use-sqlite.md") // { group: "decisions", type: "analysis" }
 *
 * Source: code-graph.md 5.2.
 */
export const kindOf = (path: string): Kind | undefined => {
  const found = table.find(({ pattern }) => pattern.test(path))
  if (found === undefined) return undefined
  const { group, type } = found
  return group === "docs" && type === "concept" && weighing.test(path.toLowerCase())
    ? { group, type: "analysis" }
    : { group, type }
}

/** Whether a heading says that a document weighs or reports. */
export const isWeighing = (heading: string): boolean => weighing.test(heading.toLowerCase())
