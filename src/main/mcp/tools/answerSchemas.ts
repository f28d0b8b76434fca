import { Schema } from "effect"
import { ChangeStatus } from "../../../model/merge/SectionDiff.ts"

/** Parts of what several tools answer as data. */

export const commit = Schema.Struct({
  sha: Schema.String,
  author: Schema.String,
  email: Schema.String,
  time: Schema.String.annotations({ description: "RFC 3339" }),
  message: Schema.String,
  deleted: Schema.optional(Schema.Boolean).annotations({ description: "It deleted the page" }),
  purged: Schema.optional(Schema.Boolean).annotations({ description: "Its content was erased" })
})

export const nextCursor = Schema.optional(Schema.String).annotations({
  description: "There is more: call again with it as cursor"
})

/** What did not fit is said in the data too. */
export const leftOff = Schema.optional(Schema.String).annotations({ description: "What was left off to fit, in words" })

const text = Schema.optional(Schema.String)
const value = Schema.optional(Schema.Union(Schema.String, Schema.Array(Schema.String)))
const fields = Schema.optional(Schema.Array(Schema.Struct({ field: Schema.String, from: value, to: value })))

const sectionChange = Schema.Struct({
  heading: Schema.String,
  old_heading: text,
  status: ChangeStatus,
  from: text,
  to: text,
  line_diff: text.annotations({ description: "Lines, each led by two blanks, '- ' or '+ '" }),
  moved: Schema.optional(Schema.Boolean),
  introduced_by: Schema.optional(
    Schema.Struct({ sha: Schema.String, author: Schema.String, email: text, time: text, message: text })
  )
})

/** What two versions of a page differ in. */
export const sectionDiff = Schema.Struct({
  from_sha: Schema.String,
  to_sha: Schema.String,
  frontmatter: Schema.Struct({ changed: fields, added: fields, removed: fields }),
  preamble: Schema.optional(sectionChange),
  sections: Schema.NullOr(Schema.Array(sectionChange)),
  parse_fallback: Schema.optional(Schema.Boolean).annotations({
    description: "The versions could only be compared as a whole"
  }),
  purged: Schema.optional(Schema.Array(Schema.Literal("from", "to")))
})
