import { Either, Option, Schema } from "effect"
import { isUnclosed, parseFields, splitPage } from "../frontmatter/Frontmatter.ts"
import type { FieldValue } from "../frontmatter/FrontmatterEntries.ts"
import { type PagePath, slugOf, typeOf } from "./PagePath.ts"
import { type PageType, pageTypes } from "./PageType.ts"
import { invalidSlug, isSlug, type Slug } from "./Slug.ts"

/** A text that is no page: where it lies and why. It is reported and left as it is. */
export class MalformedPage extends Schema.TaggedError<MalformedPage>()("MalformedPage", {
  path: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.path}: ${this.reason}. Nothing was changed there: mend it and try again.`
  }
}

/** A page as it stands in its file. Every scalar is the text of the frontmatter; type and slug come from the path. */
export interface Page {
  readonly path: PagePath
  readonly type: PageType
  readonly slug: Slug
  /** Who wrote it last; empty where the file does not say. */
  readonly author: string
  readonly agent?: string
  /** RFC 3339, as written; empty where the file does not say. */
  readonly created: string
  readonly updated: string
  readonly tags: ReadonlyArray<string>
  readonly sources: ReadonlyArray<string>
  readonly related: ReadonlyArray<string>
  readonly reasoningSummary?: string
  readonly body: string
}

/** The value of `schema` in every page. */
export const pageSchema = "ctx.page.v1"

/**
 * Reads a page's text. Tolerant of what is missing, as people edit pages by hand: a field that is not there is empty, and
 * a list that is written as one text is a list of one. What has no frontmatter, broken YAML or a NUL is malformed.
 */
export const parsePage = (path: PagePath, text: string): Either.Either<Page, MalformedPage> => {
  if (text.includes("\0")) return Either.left(new MalformedPage({ path, reason: nulReason }))
  const { body, frontmatter } = splitPage(text)
  if (Option.isNone(frontmatter)) return Either.left(new MalformedPage({ path, reason: fenceReason(text) }))
  return parseFields(frontmatter.value).pipe(
    Either.mapLeft((reason) => new MalformedPage({ path, reason: yamlReason(reason) })),
    Either.map((fields) => pageOf(path, fields, body))
  )
}

/** Why a text without a complete block is no page. */
export const fenceReason = (text: string): string =>
  isUnclosed(text)
    ? "page: unclosed frontmatter (no '---' terminator)"
    : "page: missing frontmatter (must start with '---\\n')"

/** Why broken YAML is no page. */
export const yamlReason = (reason: string): string => `page: parse frontmatter: ${reason}`

/** Why a text that holds a NUL is no page: PostgreSQL cannot store one, so no engine does. */
export const nulReason = "page: it holds a NUL character"

/**
 * What is wrong with the identity of a page about to be written; None where nothing is. Reading asks for none of this.
 */
export const invalidIdentity = (fields: {
  readonly schema: string
  readonly slug: string
  readonly type: string
  readonly author: string
  readonly created: string
}): Option.Option<string> => {
  if (fields.schema !== pageSchema) {
    return Option.some(`page: invalid schema ${JSON.stringify(fields.schema)}, expected ${JSON.stringify(pageSchema)}`)
  }
  if (fields.slug === "") return Option.some("page: slug required")
  if (!isSlug(fields.slug)) return Option.some(invalidSlug(fields.slug))
  if (fields.type === "") return Option.some("page: type required")
  if (!pageTypes.some((type) => type === fields.type)) return Option.some(invalidType(fields.type))
  if (fields.author === "") return Option.some("page: author required")
  if (fields.created === "") return Option.some("page: created timestamp required")
  return Option.none()
}

/** The sentence with which an unknown type is refused. */
export const invalidType = (text: string): string =>
  `page: invalid type ${JSON.stringify(text)} (want concept|entity|source|analysis)`

const pageOf = (path: PagePath, fields: ReadonlyMap<string, FieldValue>, body: string): Page => {
  const agent = textOf(fields.get("agent"))
  const reasoningSummary = textOf(fields.get("reasoning_summary"))
  return {
    path,
    type: typeOf(path),
    slug: slugOf(path),
    author: textOf(fields.get("author")),
    ...(agent === "" ? {} : { agent }),
    created: textOf(fields.get("created")),
    updated: textOf(fields.get("updated")),
    tags: listOf(fields.get("tags")),
    sources: listOf(fields.get("sources")),
    related: listOf(fields.get("related")),
    ...(reasoningSummary === "" ? {} : { reasoningSummary }),
    body
  }
}

/** A field's value as one text; a list is joined. */
export const textOf = (value: FieldValue | undefined): string =>
  value === undefined ? "" : typeof value === "string" ? value : value.join(", ")

/** A field's value as a list; one text is a list of one. */
export const listOf = (value: FieldValue | undefined): ReadonlyArray<string> =>
  value === undefined || value === "" ? [] : typeof value === "string" ? [value] : value
