import { FastCheck as fc } from "effect"
import { markdown } from "./markdown.ts"

const value = fc.constantFrom("one", "two", '"quoted: x"', "'it''s'", "|\n  block\n  text", "2026-07-05T09:00:00Z", "")
const item = fc.constantFrom("a", "b", "c", "d")
const list = fc.oneof(
  fc.uniqueArray(item, { maxLength: 4 }).map((items) => ` [${items.join(", ")}]`),
  fc.uniqueArray(item, { minLength: 1, maxLength: 4 }).map((items) => items.map((one) => `\n  - ${one}`).join(""))
)
const comment = fc.constantFrom("", "", "", "# why\n", "\n")

/** A frontmatter line with its key, of what page files hold and people write. */
const field = fc.oneof(
  fc.tuple(
    fc.constantFrom("created", "updated"),
    fc.integer({ min: 1, max: 9 }).map((day) => ` 2026-07-0${day}T09:00:00Z`)
  ),
  fc.tuple(
    fc.constantFrom("author", "agent"),
    fc.constantFrom("ada", "bob", "cy").map((name) => ` ${name}`)
  ),
  fc.tuple(fc.constantFrom("tags", "sources", "related"), list),
  fc.tuple(
    fc.constantFrom("slug", "note", "status"),
    value.map((text) => ` ${text}`)
  )
)

const frontmatter = fc
  .uniqueArray(field, { selector: ([key]) => key, maxLength: 8 })
  .chain((fields) =>
    fc
      .array(comment, { minLength: fields.length, maxLength: fields.length })
      .map((comments) => fields.map(([key, text], index) => `${comments[index] ?? ""}${key}:${text}\n`).join(""))
  )

const heading = fc.constantFrom("## Decision", "## Log", "## Log", "## C#", "## Use ##", "Underlined\n---")
const paragraph = fc.constantFrom(
  "We chose the ledger, because it is exact.",
  "- one\n- two",
  "```\n## not a heading\n```",
  "### Sub\ntext",
  "> ## quoted",
  "x",
  ""
)
const section = fc.tuple(heading, fc.array(paragraph, { maxLength: 3 }), fc.constantFrom("\n\n", "\n"))

/** A body as people write it: sections with duplicates, fences and different spacing. */
export const bodyText = fc
  .tuple(fc.constantFrom("", "\n", "# Title\nintro\n\n"), fc.array(section, { maxLength: 6 }))
  .map(
    ([preamble, sections]) =>
      preamble + sections.map(([head, parts, gap]) => `${head}\n${parts.join("\n\n")}${gap}`).join("")
  )

/** A page file as people and agents write it; a quarter has CRLF, some have a BOM, some a body of any markdown. */
export const pageText = fc
  .tuple(
    frontmatter,
    fc.oneof({ weight: 4, arbitrary: bodyText }, { weight: 1, arbitrary: markdown }),
    fc.constantFrom("\n", "\n", "\n", "\r\n"),
    fc.constantFrom("", "", "", "\ufeff")
  )
  .map(([yaml, body, eol, bom]) => bom + `---\n${yaml}---\n${body}`.replace(/\r?\n/g, eol))

const edit = fc.tuple(
  fc.nat({ max: 40 }),
  fc.constantFrom<"insert" | "replace" | "remove">("insert", "replace", "remove"),
  fc.constantFrom(
    "new",
    "",
    "## New",
    "## Log",
    "note: new",
    "tags: [a, x]",
    "updated: 2026-08-01T00:00:00Z",
    "```",
    "---",
    "  - y"
  )
)

const edited = (text: string, edits: ReadonlyArray<readonly [number, string, string]>): string => {
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  const lines = text.split(eol)
  for (const [at, kind, line] of edits) {
    lines.splice(at % (lines.length + 1), kind === "insert" ? 0 : 1, ...(kind === "remove" ? [] : [line]))
  }
  return lines.join(eol)
}

/** An ancestor, and two versions of it with a few lines changed; often in different places. */
export const versions = fc
  .tuple(pageText, fc.array(edit, { maxLength: 2 }), fc.array(edit, { maxLength: 2 }))
  .map(([ancestor, mine, theirs]) => ({ ancestor, mine: edited(ancestor, mine), theirs: edited(ancestor, theirs) }))
