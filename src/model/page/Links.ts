import { Either, Option } from "effect"
import { parseFields, splitPage } from "../frontmatter/Frontmatter.ts"
import { editFields, type FieldEdit } from "../frontmatter/FrontmatterEdit.ts"
import type { FieldValue } from "../frontmatter/FrontmatterEntries.ts"
import { scalarsOf } from "../frontmatter/FrontmatterScalars.ts"
import { fenceReason, listOf, MalformedPage, yamlReason } from "./Page.ts"
import { type PagePath, slugOf, typeOf } from "./PagePath.ts"
import { type PageType, pageTypes } from "./PageType.ts"
import { foldSlug, isSlug } from "./Slug.ts"
import { wikiLinks } from "./WikiLinks.ts"
import { yamlScalar } from "../frontmatter/YamlScalar.ts"

/** How a page names others: in one of two frontmatter lists, or as `[[slug]]` in its body. */
export type ReferenceKind = "related" | "sources" | "link"

export interface Reference {
  readonly kind: ReferenceKind
  /** As written. Sources and related things that are no slugs (URLs, file names with folders) are no references. */
  readonly slug: string
}

/** How a reference is shown: `retry-rule (related)`, `[[billing]]`. It is a slug: nothing else is a reference. */
export const referenceName = ({ kind, slug }: Reference): string =>
  kind === "link" ? `[[${slug}]]` : `${slug} (${kind})`

/** What a page's text refers to, each reference once. A page whose frontmatter cannot be read still has its links. */
export const referencesOf = (text: string): ReadonlyArray<Reference> => {
  const { body, frontmatter } = splitPage(text)
  const fields = Option.flatMap(frontmatter, (yaml) => Option.getRight(parseFields(yaml)))
  const lists = Option.match(fields, { onNone: () => [], onSome: fieldReferences })
  return [...lists, ...linkReferences(body)]
}

/** The references of the two lists, as a listing of the pages has them. */
export const listReferences = (page: {
  readonly related: ReadonlyArray<string>
  readonly sources: ReadonlyArray<string>
}): ReadonlyArray<Reference> => [...named("related", page.related), ...named("sources", page.sources)]

/** The references of a text without its frontmatter. */
export const linkReferences = (body: string): ReadonlyArray<Reference> =>
  named(
    "link",
    wikiLinks(body).map(({ slug }) => slug)
  )

const fieldReferences = (fields: ReadonlyMap<string, FieldValue>) =>
  listReferences({ related: listOf(fields.get("related")), sources: listOf(fields.get("sources")) })

const named = (kind: ReferenceKind, slugs: ReadonlyArray<string>): ReadonlyArray<Reference> =>
  [...new Set(slugs)].filter(isSlug).map((slug) => ({ kind, slug }))

/**
 * Which page a reference means: the first type that has the slug, in the order in which slugs are looked up; of `sources`,
 * a source page first. None: the reference is dead.
 *
 * @param has Whether a page of this type and folded slug is there.
 */
export const resolveReference = (
  { kind, slug }: Reference,
  has: (type: PageType, folded: string) => boolean
): Option.Option<PageType> => {
  const folded = foldSlug(slug)
  const order: ReadonlyArray<PageType> = kind === "sources" ? ["source", ...pageTypes] : pageTypes
  return Option.fromNullable(order.find((type) => has(type, folded)))
}

/**
 * A page's text after another page's slug became `to`, wherever these kinds of reference name it. Only the bytes of the
 * slugs change. Left where the frontmatter does not let itself be changed so (an anchor in it can do that).
 */
export const renameReferences = (
  path: PagePath,
  text: string,
  from: string,
  to: string,
  kinds: ReadonlySet<ReferenceKind>
): Either.Either<string, MalformedPage> => {
  const { body } = splitPage(text)
  const means = (slug: string) => foldSlug(slug) === foldSlug(from)
  const head = text.slice(0, text.length - body.length)
  const links = kinds.has("link") ? wikiLinks(body).filter(({ slug }) => means(slug)) : []
  const renamed = splice(
    body,
    links.map((link) => ({ ...link, by: to }))
  )
  const keys = lists.filter((key) => kinds.has(key))
  return Either.map(renameItems(path, head, keys, means, to), (block) => block + renamed)
}

/** A page's text under another name: its own `slug` and `type` say so where they stood. */
export const renameSelf = (text: string, from: PagePath, to: PagePath): Either.Either<string, MalformedPage> =>
  Either.gen(function* () {
    const { body, bom, close, eol, frontmatter, open } = splitPage(text)
    const refused = (reason: string) => new MalformedPage({ path: from, reason })
    if (Option.isNone(frontmatter)) return yield* Either.left(refused(fenceReason(text)))
    const fields = yield* Either.mapLeft(parseFields(frontmatter.value), (reason) => refused(yamlReason(reason)))
    const edits = [
      { _tag: "Text", key: "slug", text: slugOf(to) },
      { _tag: "Text", key: "type", text: typeOf(to) }
    ] satisfies ReadonlyArray<FieldEdit>
    const standing = edits.filter(({ key }) => fields.has(key))
    const yaml = yield* Either.mapLeft(editFields(frontmatter.value, eol, standing), (reason) =>
      refused(yamlReason(reason))
    )
    return (bom ? "\ufeff" : "") + open + yaml + close + body
  })

const lists = ["related", "sources"] as const

interface Splice {
  readonly start: number
  readonly end: number
  readonly by: string
}

/** @param splices In order, none within another. */
const splice = (text: string, splices: ReadonlyArray<Splice>): string => {
  const pieces: Array<string> = []
  let at = 0
  for (const { by, end, start } of splices) {
    pieces.push(text.slice(at, start), by)
    at = end
  }
  return pieces.join("") + text.slice(at)
}

const renameItems = (
  path: PagePath,
  head: string,
  keys: ReadonlyArray<(typeof lists)[number]>,
  means: (slug: string) => boolean,
  to: string
): Either.Either<string, MalformedPage> =>
  Either.gen(function* () {
    const { frontmatter, open } = splitPage(head)
    if (Option.isNone(frontmatter)) return head
    const yaml = frontmatter.value
    const before = Option.getRight(parseFields(yaml))
    const touched = Option.match(before, {
      onNone: () => [],
      onSome: (fields) => keys.filter((key) => listOf(fields.get(key)).some(means))
    })
    if (touched.length === 0 || Option.isNone(before)) return head
    const changed = splice(
      yaml,
      scalarsOf(yaml, touched)
        .filter(({ text }) => means(text))
        .map(({ end, quoted, start }) => ({ start, end, by: quoted ? to : yamlScalar(to) }))
    )
    const after = Option.getRight(parseFields(changed))
    const renamed = (value: FieldValue): FieldValue =>
      typeof value === "string" ? (means(value) ? to : value) : value.map((item) => (means(item) ? to : item))
    const wanted = new Map(before.value)
    for (const key of touched) wanted.set(key, renamed(before.value.get(key) ?? []))
    if (!Option.exists(after, (fields) => sameFields(fields, wanted))) {
      return yield* Either.left(
        new MalformedPage({
          path,
          reason: `page: ${touched.join(" and ")} could not be changed safely (write the list without YAML anchors and block scalars)`
        })
      )
    }
    const at = head.indexOf(open) + open.length
    return head.slice(0, at) + changed + head.slice(at + yaml.length)
  })

const sameFields = (one: ReadonlyMap<string, FieldValue>, other: ReadonlyMap<string, FieldValue>): boolean =>
  JSON.stringify([...one]) === JSON.stringify([...other])
