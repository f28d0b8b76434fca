import { Schema } from "effect"

/** A value as text: what a public server sends as something else than a string is shown as its JSON. */
const Text = Schema.transform(Schema.Unknown, Schema.String, {
  strict: true,
  decode: (value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "")),
  encode: (text) => text
})

const optional = Schema.optionalWith(Schema.String, { nullable: true, exact: true })
const optionalText = Schema.optionalWith(Text, { nullable: true, exact: true })

/** One frontmatter field: `from` is absent where it was added, `to` where it was removed. Lists give one entry per element. */
export const FieldChange = Schema.Struct({ field: Schema.String, from: optionalText, to: optionalText })
export type FieldChange = typeof FieldChange.Type

const fields = Schema.optionalWith(Schema.Array(FieldChange), { nullable: true, exact: true })

/** The commit that first held a heading (blame). */
export const IntroducedBy = Schema.Struct({
  sha: Schema.String,
  author: Schema.String,
  email: optional,
  time: optional,
  message: optional
})
export type IntroducedBy = typeof IntroducedBy.Type

export const ChangeStatus = Schema.Literal("unchanged", "added", "removed", "modified", "renamed")
export type ChangeStatus = typeof ChangeStatus.Type

/** What became of one section, or of the preamble (heading `_preamble`). */
export const SectionChange = Schema.Struct({
  heading: Schema.String,
  old_heading: optional,
  status: ChangeStatus,
  from: optional,
  to: optional,
  line_diff: Schema.optionalWith(Schema.Array(Schema.String), { nullable: true, exact: true }),
  introduced_by: Schema.optionalWith(IntroducedBy, { nullable: true, exact: true })
})
export type SectionChange = typeof SectionChange.Type

/** The difference of two versions of a page, by frontmatter field and section (reference section 4.4). */
export const SectionDiff = Schema.Struct({
  /** Empty: before the page was there. Plain strings, because a public server may send what is no sha of ours. */
  from_sha: Schema.String,
  to_sha: Schema.String,
  frontmatter: Schema.Struct({ changed: fields, added: fields, removed: fields }),
  preamble: Schema.optionalWith(SectionChange, { nullable: true, exact: true }),
  /** `null` where the diff fell back. */
  sections: Schema.NullOr(Schema.Array(SectionChange)),
  /** A version had no readable frontmatter: the whole files stand as preamble. */
  parse_fallback: Schema.optionalWith(Schema.Boolean, { nullable: true, exact: true })
})
export type SectionDiff = typeof SectionDiff.Type
