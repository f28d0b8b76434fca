import { Option, Schema } from "effect"
import { parseFields, splitPage } from "../frontmatter/Frontmatter.ts"
import type { FieldValue } from "../frontmatter/FrontmatterEntries.ts"
import { diffFields } from "../frontmatter/FrontmatterDiff.ts"
import { countEdits, diffLines, maxEdits } from "./LineDiff.ts"
import { movedPlaces } from "../page/Moves.ts"
import { forAgent, forAgentLine } from "../text/Sanitise.ts"
import { originsOf, plainBody, sameKey } from "./SectionMatch.ts"
import { type CountedSections, parseSections, parseVersion, type Section, type Sections } from "../markdown/Sections.ts"
import { isStamp } from "../frontmatter/Stamps.ts"

const TextOrList = Schema.Union(Schema.String, Schema.Array(Schema.String))
const isTextOrList = Schema.is(TextOrList)

/** What a field held: text or a list. What a public server sends as something else is taken as its JSON. */
const Value = Schema.transform(Schema.Unknown, TextOrList, {
  strict: true,
  decode: (value) => (isTextOrList(value) ? value : (JSON.stringify(value) ?? "")),
  encode: (value) => value
})

const absent = { nullable: true, exact: true } as const
const text = Schema.optionalWith(Schema.String, absent)

/** One frontmatter field: `from` is absent where it was added, `to` where it went. Lists give one entry per element. */
export const FieldChange = Schema.Struct({
  field: Schema.String,
  from: Schema.optionalWith(Value, absent),
  to: Schema.optionalWith(Value, absent)
})
export type FieldChange = typeof FieldChange.Type

const fields = Schema.optionalWith(Schema.Array(FieldChange), absent)

/** The commit that first held a heading (blame). */
export const IntroducedBy = Schema.Struct({
  sha: Schema.String,
  author: Schema.String,
  email: text,
  time: text,
  message: text
})
export type IntroducedBy = typeof IntroducedBy.Type

export const ChangeStatus = Schema.Literal("unchanged", "added", "removed", "modified", "renamed")
export type ChangeStatus = typeof ChangeStatus.Type

/** What became of one section, or of the preamble (heading `_preamble`). */
export const SectionChange = Schema.Struct({
  heading: Schema.String,
  old_heading: text,
  status: ChangeStatus,
  from: text,
  to: text,
  /** Lines, each led by `"  "`, `"- "` or `"+ "`. */
  line_diff: text,
  /** Ours: it stands elsewhere among the sections that both versions have. */
  moved: Schema.optionalWith(Schema.Boolean, absent),
  introduced_by: Schema.optionalWith(IntroducedBy, absent)
})
export type SectionChange = typeof SectionChange.Type

/**
 * The difference of two versions of a page, by frontmatter field and section, as it travels (reference section 4.4).
 * Fields that a public server leaves out or sends as null decode alike.
 */
export const SectionDiff = Schema.Struct({
  /** Empty: before the page was there. Plain strings, because a public server may send what is no sha of ours. */
  from_sha: Schema.String,
  to_sha: Schema.String,
  frontmatter: Schema.Struct({ changed: fields, added: fields, removed: fields }),
  preamble: Schema.optionalWith(SectionChange, absent),
  /** `null` where the diff fell back. */
  sections: Schema.NullOr(Schema.Array(SectionChange)),
  /** A version had no readable frontmatter: the whole files stand as preamble. */
  parse_fallback: Schema.optionalWith(Schema.Boolean, absent),
  /** Ours: versions whose content was purged; each counts as empty. */
  purged: Schema.optionalWith(Schema.Array(Schema.Literal("from", "to")), absent)
})
export type SectionDiff = typeof SectionDiff.Type

/** A section diff before it is known which commits it compares. */
export type PageDiff = Omit<SectionDiff, "from_sha" | "to_sha">

/**
 * Compares two versions of a page. An empty text is a page that is not there (yet). Blank lines around a section and line
 * ends do not count; a section that only stands elsewhere is unchanged, and `moved`.
 *
 * Source: reference.md 4.2, 4.3.
 */
export const diffPages = (from: string, to: string): PageDiff => {
  const lineDiff = lineDiffs()
  const pages = Option.flatMap(readPage(from, parseSections), (before) =>
    Option.map(
      readPage(to, (body) => parseVersion(body, before.body)),
      (after) => ({ before, after })
    )
  )
  return Option.match(pages, {
    onNone: () => ({ frontmatter: {}, ...preambleChange(from, to, lineDiff), sections: null, parse_fallback: true }),
    onSome: ({ after, before }) => ({
      frontmatter: diffFields(before.fields, after.fields),
      ...preambleChange(before.body.preamble, after.body.preamble, lineDiff),
      sections: sectionChanges(before.body, after.body.sections, lineDiff)
    })
  })
}

/**
 * One line for each thing that changed, as directives list them. Stamps do not count as a change of the frontmatter; of
 * versions that could only be compared as a whole, nothing structured can be said.
 *
 * @example ["~ frontmatter changed", "~ ## A", "+ ## B", "- ## C", "~> ## New (was \"## Old\")"]
 */
export const changeLines = (diff: PageDiff): ReadonlyArray<string> => {
  if (diff.parse_fallback === true) return []
  const { added = [], changed = [], removed = [] } = diff.frontmatter
  const frontmatter = [...changed, ...added, ...removed].some(({ field }) => !isStamp(field))
  const preamble = diff.preamble !== undefined && diff.preamble.status !== "unchanged"
  return [
    ...(frontmatter ? ["~ frontmatter changed"] : []),
    ...(preamble ? ["~ preamble changed"] : []),
    ...(diff.sections ?? []).flatMap(changeLine)
  ]
}

/** A section diff as an agent may see it: every text in it sanitised, fields of one line kept on one line. */
export const forAgentDiff = (diff: SectionDiff): SectionDiff => ({
  ...diff,
  from_sha: forAgentLine(diff.from_sha),
  to_sha: forAgentLine(diff.to_sha),
  frontmatter: {
    ...(diff.frontmatter.changed && { changed: diff.frontmatter.changed.map(safeField) }),
    ...(diff.frontmatter.added && { added: diff.frontmatter.added.map(safeField) }),
    ...(diff.frontmatter.removed && { removed: diff.frontmatter.removed.map(safeField) })
  },
  ...(diff.preamble && { preamble: safeSection(diff.preamble) }),
  sections: diff.sections?.map(safeSection) ?? null
})

interface ReadPage<Read extends Sections> {
  readonly fields: ReadonlyMap<string, FieldValue>
  readonly body: Read
}

const readPage = <Read extends Sections>(
  source: string,
  read: (body: string) => Read
): Option.Option<ReadPage<Read>> => {
  if (source === "") return Option.some({ fields: new Map(), body: read("") })
  const { body, frontmatter } = splitPage(source)
  return Option.flatMap(frontmatter, (yaml) => Option.getRight(parseFields(yaml))).pipe(
    Option.map((fields) => ({ fields, body: read(body) }))
  )
}

type LineDiffs = (from: string, to: string) => string

/** Line diffs that together keep to a budget of work, however many sections changed. */
const lineDiffs = (): LineDiffs => {
  let left = 4 * maxEdits ** 2
  return (from, to) => {
    const limit = Math.min(maxEdits, Math.floor(Math.sqrt(left)))
    const lines = diffLines(from, to, limit)
    left -= Math.min(countEdits(lines), limit) ** 2
    return lines.join("\n")
  }
}

const preambleChange = (from: string, to: string, lineDiff: LineDiffs): { readonly preamble?: SectionChange } => {
  const [before, after] = [plainBody(from), plainBody(to)]
  const heading = "_preamble"
  if (before === "" && after === "") return {}
  if (before === "") return { preamble: { heading, status: "added", to: after } }
  if (after === "") return { preamble: { heading, status: "removed", from: before } }
  return { preamble: bodyChange(heading, before, after, lineDiff) }
}

const bodyChange = (heading: string, from: string, to: string, lineDiff: LineDiffs): SectionChange =>
  from === to
    ? { heading, status: "unchanged" }
    : { heading, status: "modified", from, to, line_diff: lineDiff(from, to) }

/** In the order of `to`; then, in the order of `from`, what went or was renamed. */
const sectionChanges = (
  from: CountedSections,
  to: ReadonlyArray<Section>,
  lineDiff: LineDiffs
): ReadonlyArray<SectionChange> => {
  const origins = originsOf(from, to)
  const places = movedPlaces(origins)
  const becameOf = new Map<number | undefined, number>()
  for (const [index, origin] of origins.entries()) becameOf.set(origin, index)
  const moved = (place: number) => (places.has(place) ? { moved: true } : {})
  const standing = to.flatMap((section, index): ReadonlyArray<SectionChange> => {
    const old = from.sections[origins[index] ?? -1]
    if (old === undefined) return [{ heading: section.heading, status: "added", to: plainBody(section.body) }]
    if (!sameKey(old, section)) return []
    const before = plainBody(old.body)
    const after = old.body === section.body ? before : plainBody(section.body)
    const change = bodyChange(section.heading, before, after, lineDiff)
    return [places.has(index) ? { ...change, moved: true } : change]
  })
  const gone = from.sections.flatMap((old, index): ReadonlyArray<SectionChange> => {
    const place = becameOf.get(index) ?? -1
    const section = to[place]
    if (section === undefined) return [{ heading: old.heading, status: "removed", from: plainBody(old.body) }]
    if (sameKey(old, section)) return []
    const before = plainBody(old.body)
    const after = plainBody(section.body)
    const renamed = {
      heading: section.heading,
      old_heading: old.heading,
      status: "renamed",
      from: before,
      to: after,
      ...moved(place)
    } as const
    return [before === after ? renamed : { ...renamed, line_diff: lineDiff(before, after) }]
  })
  return [...standing, ...gone]
}

const changeLine = ({ heading, old_heading, status }: SectionChange): ReadonlyArray<string> => {
  switch (status) {
    case "unchanged":
      return []
    case "added":
      return [`+ ${heading}`]
    case "removed":
      return [`- ${heading}`]
    case "modified":
      return [`~ ${heading}`]
    case "renamed":
      return [`~> ${heading} (was ${JSON.stringify(old_heading ?? "")})`]
  }
}

const safeValue = (value: FieldValue): FieldValue =>
  typeof value === "string" ? forAgent(value) : value.map(forAgentLine)

const safeField = ({ field, from, to }: FieldChange): FieldChange => ({
  field: forAgentLine(field),
  ...(from !== undefined && { from: safeValue(from) }),
  ...(to !== undefined && { to: safeValue(to) })
})

const safeSection = (change: SectionChange): SectionChange => ({
  ...change,
  heading: forAgentLine(change.heading),
  ...(change.old_heading !== undefined && { old_heading: forAgentLine(change.old_heading) }),
  ...(change.from !== undefined && { from: forAgent(change.from) }),
  ...(change.to !== undefined && { to: forAgent(change.to) }),
  ...(change.line_diff !== undefined && { line_diff: forAgent(change.line_diff) }),
  ...(change.introduced_by && { introduced_by: safeCommit(change.introduced_by) })
})

const safeCommit = (commit: IntroducedBy): IntroducedBy => ({
  ...commit,
  sha: forAgentLine(commit.sha),
  author: forAgentLine(commit.author),
  ...(commit.email !== undefined && { email: forAgentLine(commit.email) }),
  ...(commit.time !== undefined && { time: forAgentLine(commit.time) }),
  ...(commit.message !== undefined && { message: forAgentLine(commit.message) })
})
