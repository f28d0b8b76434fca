import { Schema } from "effect"
import { PageType } from "../../../model/page/PageType.ts"
import { Sha } from "../../../model/page/Sha.ts"

/** Arguments that several tools share, with the words that a model reads. */

export const slug = Schema.String.annotations({ description: "As the index names it, without folder and .md" })

export const type = Schema.optional(PageType).annotations({
  description: "Needed only where pages of several types share the slug"
})

/** A commit id, as lists and notices show it. */
export const commitId = Sha.annotations({
  message: () => "want a commit id: 7 to 64 hex digits in lower case, as ctx_history and the drift notice show it"
})

export const limit = (most: number, usual: number) =>
  Schema.optional(Schema.Int.pipe(Schema.between(1, most))).annotations({
    description: `At most so many, 1 to ${most}; default ${usual}`
  })

export const cursor = Schema.optional(Schema.String).annotations({
  description: "Where to go on: what the last line of an earlier answer named"
})

export const flag = (description: string) => Schema.optional(Schema.Boolean).annotations({ description })

export const message = (usual: string) =>
  Schema.optional(Schema.String).annotations({ description: `What the commit says; default: ${usual}` })
