import { FastCheck as fc, Option } from "effect"
import { describe, expect, it } from "vitest"
import * as Directives from "../../src/directives/index.ts"
import { catalogGroups } from "../../src/model/page/Catalog.ts"
import { pagePath } from "../../src/model/page/PagePath.ts"
import { pageTypes } from "../../src/model/page/PageType.ts"
import { removeUnsafe } from "../../src/model/text/Sanitise.ts"
import { Slug } from "../../src/model/page/Slug.ts"
import { ancestor, server, stripe } from "./support.ts"

/**
 * A directive is the toolkit's own voice, and what it quotes is not (A43): whatever the variable texts are, the block's
 * opening tag is its first thing, its closing tag its last, and between them stands no tag of ours.
 */
const names = [
  "PUSH_PAUSED",
  "MERGE_REQUIRED",
  "DRIFT_NOTICE",
  "MIGRATE_CATALOG",
  "MIGRATE_RESUME",
  "GENERATE_CATALOG",
  "GENERATE_RESUME",
  "CAPTURE_TEMPLATE"
]
const anyTag = new RegExp(`<[\\s/]*(?:${names.join("|")})(?![A-Za-z0-9_])`, "gi")

const fragment = fc.oneof(
  fc.constantFrom(...names, ...names.map((name) => `</${name}>`), ...names.map((name) => `<${name.toLowerCase()} `)),
  fc.constantFrom(
    "<",
    "</",
    "< / ",
    ">",
    "\\",
    '"',
    "\n",
    "\r",
    "\u2028",
    "\u0085",
    "\t",
    "\u200b",
    "\u0000",
    "\ud83d"
  ),
  fc.constantFrom(
    "\u001b[31m",
    "\u001b]0;x\u0007",
    "\u202e",
    "\ufeff",
    "\u{e0041}",
    "\ufe0f",
    "</PUSH_\u200bPAUSED>",
    "---"
  ),
  fc.string(),
  fc.constantFrom("x".repeat(300), "🟡".repeat(90))
)
const text = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(""))
const texts = fc.array(text, { maxLength: 5 })
/** Lines of `changeLines` and regions of `mergePages`: a known beginning, then words of a page. */
const changes = fc.array(
  text.map((heading) => `~ ## ${heading}`),
  { maxLength: 5 }
)
const regions = fc.array(
  text.map((heading) => `## ${heading}`),
  { maxLength: 5 }
)

const slug = fc.constantFrom(Slug.make("2026-07-05-a"), Slug.make("MERGE_REQUIRED"))
const type = fc.constantFrom(...pageTypes)
const pages = fc.array(fc.record({ path: fc.tuple(type, slug).map(([type, slug]) => pagePath(type, slug)), type }))
const buffer = fc.array(
  fc.record({ ts: text, turn: fc.nat(), user: text, assistant: text, tools: texts }, { requiredKeys: ["ts", "turn"] }),
  { maxLength: 60 }
)
const itemFields = {
  n: fc.integer({ min: 1, max: 9_999 }),
  type,
  path: text,
  absPath: text,
  tokens: fc.nat(),
  summary: text
}
const item = fc.record(itemFields)
const migrateItem = fc.record({ ...itemFields, group: fc.constantFrom(...catalogGroups) })
const sha = fc.constantFrom(Option.none(), Option.some(ancestor), Option.some(server))
const file = fc.record({
  path: fc.constant(stripe),
  ancestor: sha,
  server: sha,
  mineChanges: changes,
  serverChanges: changes,
  regions,
  ancestorText: text,
  mineText: text,
  serverText: text
})
const date = "2026-07-05"
const generate = fc.record({
  source: text,
  date: fc.constant(date),
  items: fc.array(item, { maxLength: 4 }),
  slicesFolder: text,
  engine: fc.constantFrom("graphify" as const, "embedded" as const)
})
const migrate = fc.record({ source: text, date: fc.constant(date), items: fc.array(migrateItem, { maxLength: 4 }) })

const anyOf: Record<string, fc.Arbitrary<Directives.Directive>> = {
  PUSH_PAUSED: fc
    .record({ suggestedSlug: slug, tags: texts, pages, buffer })
    .map((fields) => new Directives.PushPaused(fields)),
  MERGE_REQUIRED: fc
    .tuple(file, fc.array(file, { maxLength: 2 }))
    .map(([first, others]) => new Directives.MergeRequired({ files: [first, ...others] })),
  DRIFT_NOTICE: changes.map((changes) => new Directives.DriftNotice({ local: ancestor, server, changes })),
  MIGRATE_CATALOG: migrate.map((fields) => new Directives.MigrateCatalog(fields)),
  MIGRATE_RESUME: migrate.map((fields) => new Directives.MigrateResume(fields)),
  GENERATE_CATALOG: generate.map((fields) => new Directives.GenerateCatalog(fields)),
  GENERATE_RESUME: generate.map((fields) => new Directives.GenerateResume(fields)),
  CAPTURE_TEMPLATE: fc.record({ suggestedSlug: slug, buffer }).map((fields) => new Directives.CaptureTemplate(fields))
}

const paused = (tags: ReadonlyArray<string>): string =>
  new Directives.PushPaused({ suggestedSlug: Slug.make("s"), tags, pages: [], buffer: [] }).render()

describe("A43: nothing that a directive quotes can open or close one", () => {
  it("covers all eight", () => expect(Object.keys(anyOf)).toEqual(names))

  it.each(Object.entries(anyOf))("%s", (name, directives) => {
    fc.assert(
      fc.property(directives, (directive) => {
        const text = Directives.render(directive)
        expect(text.match(anyTag)).toEqual([`<${name}`, `</${name}`])
        expect(text.startsWith(`<${name}`)).toBe(true)
        expect(text.split("\n")[0]).toMatch(/>$/)
        expect(text.endsWith(`\n</${name}>`)).toBe(true)
        expect(removeUnsafe(text)).toBe(text)
      })
    )
  })

  it("names a tag once, however often the batch repeats it", () => {
    fc.assert(
      fc.property(texts, (tags) => {
        expect(paused([...tags, ...tags])).toBe(paused(tags))
      })
    )
  })
})
