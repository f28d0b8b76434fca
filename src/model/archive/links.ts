import { Either, Option } from "effect"
import { parseFields, splitPage } from "../frontmatter/Frontmatter.ts"
import { editFields, type FieldEdit } from "../frontmatter/FrontmatterEdit.ts"
import { type ReferenceKind, resolveReference } from "../page/Links.ts"
import { listOf } from "../page/Page.ts"
import { identityOf, type PagePath, slugOf } from "../page/PagePath.ts"
import { folderOf, type PageType } from "../page/PageType.ts"
import { foldSlug, isSlug } from "../page/Slug.ts"
import { wikiLinks } from "../page/WikiLinks.ts"

/** Finds the page that a reference means, among those that are exported. */
export type Resolve = (kind: ReferenceKind, slug: string) => Option.Option<PagePath>

/** Resolves references among some pages, in the order in which the wiki itself does. */
export const resolveAmong = (paths: ReadonlyArray<PagePath>): Resolve => {
  const byIdentity = new Map(paths.map((path) => [identityOf(path), path]))
  const at = (type: PageType, folded: string) => byIdentity.get(`${folderOf[type]}/${folded}.md`)
  return (kind, slug) =>
    resolveReference({ kind, slug }, (type, folded) => at(type, folded) !== undefined).pipe(
      Option.flatMapNullable((type) => at(type, foldSlug(slug)))
    )
}

/**
 * A page for readers of plain Markdown: each `[[slug]]` of its body that means an exported page becomes a link to that page's
 * file. What means none stays as it is written, and so does the frontmatter.
 *
 * @example withMarkdownLinks("wiki/concepts/a.md", "... [[billing#Rules|the rules]]", resolve) // "... [the rules](../entities/billing.md#rules)"
 */
export const withMarkdownLinks = (path: PagePath, text: string, resolve: Resolve): string => {
  const { body } = splitPage(text)
  const rewritten = rewriteLinks(body, (link) =>
    Option.map(resolve("link", link.slug), (target) => {
      const heading = link.heading === "" ? "" : `#${anchorOf(link.heading)}`
      const label = link.label !== "" ? link.label : link.heading === "" ? link.slug : `${link.slug} > ${link.heading}`
      return `[${label}](${relative(path, target)}${heading})`
    })
  )
  return text.slice(0, text.length - body.length) + rewritten
}

/**
 * A page for an Obsidian vault: `related` and `sources` that mean exported pages become wikilinks, which the vault's graph
 * shows. Wikilinks of the body stay; where several pages share a slug, they name the folder of the one that is meant.
 *
 * @param shared From `sharedSlugs`, of all that is exported.
 */
export const withVaultLinks = (text: string, shared: ReadonlySet<string>, resolve: Resolve): string => {
  const { body, bom, close, eol, frontmatter, open } = splitPage(text)
  const linkTo = (target: PagePath) =>
    shared.has(foldSlug(slugOf(target))) ? `${target.slice(0, -".md".length)}|${slugOf(target)}` : slugOf(target)
  const rewritten = rewriteLinks(body, ({ bar, heading, label, slug }) =>
    Option.map(
      Option.filter(resolve("link", slug), (target) => shared.has(foldSlug(slugOf(target)))),
      (target) => {
        const place = target.slice(0, -".md".length) + (heading === "" ? "" : `#${heading}`)
        return bar === "" ? `[[${place}]]` : `[[${place}${bar}${label === "" ? slug : label}]]`
      }
    )
  )
  const head = Option.match(frontmatter, {
    onNone: () => "",
    onSome: (yaml) => open + linkedLists(yaml, eol, resolve, linkTo) + close
  })
  return (bom ? "\ufeff" : "") + head + rewritten
}

/** The lists of a block with wikilinks in them. A block that does not let itself be edited (anchors) stays as it is. */
const linkedLists = (yaml: string, eol: string, resolve: Resolve, linkTo: (target: PagePath) => string): string => {
  const fields = parseFields(yaml)
  if (Either.isLeft(fields)) return yaml
  const linkOf = (kind: "related" | "sources", item: string): string =>
    Option.match(isSlug(item) ? resolve(kind, item) : Option.none(), {
      onNone: () => item,
      onSome: (target) => `[[${linkTo(target)}]]`
    })
  const edits = (["sources", "related"] as const).flatMap((key): ReadonlyArray<FieldEdit> => {
    const before = listOf(fields.right.get(key))
    const items = before.map((item) => linkOf(key, item))
    // An empty list would take the key away.
    return items.some((item, index) => item !== before[index]) ? [{ _tag: "List", key, items }] : []
  })
  return Either.getOrElse(editFields(yaml, eol, edits), () => yaml)
}

interface WrittenLink {
  readonly slug: string
  /** Without its `#`; empty where there is none. */
  readonly heading: string
  readonly label: string
  /** What parts a label from the link: escaped in a table, and empty where a bar would part the cells of one. */
  readonly bar: "|" | "\\|" | ""
}

/** The body with some of its links replaced. */
const rewriteLinks = (body: string, replace: (link: WrittenLink) => Option.Option<string>): string => {
  const pieces: Array<string> = []
  let at = 0
  for (const { end, from, slug, to } of wikiLinks(body)) {
    const behind = body.slice(end, to - 2)
    const [, heading = "", escape = "", label] = /^[ \t]*(?:#([^[\]|\n`<\\]*))?(?:(\\?)\|(.*))?$/.exec(behind) ?? []
    const bar = label === undefined ? (hasBar(body, from, to) ? "" : "|") : escape === "" ? "|" : "\\|"
    // What is embedded is shown in place, and no other form of link does that.
    if (body.charAt(from - 1) === "!") continue
    const written = replace({ slug, heading: heading.trim(), label: (label ?? "").trim(), bar })
    if (Option.isNone(written)) continue
    pieces.push(body.slice(at, from), written.value)
    at = to
  }
  return pieces.join("") + body.slice(at)
}

/** Whether the line of a link holds a bar outside of it, as the row of a table does. */
const hasBar = (body: string, from: number, to: number): boolean => {
  const end = body.indexOf("\n", to)
  const line = body.slice(body.lastIndexOf("\n", from) + 1, from) + body.slice(to, end === -1 ? body.length : end)
  return line.includes("|")
}

/** Where a page lies as seen from another one. */
const relative = (from: PagePath, to: PagePath): string => {
  const [here, there] = [from.split("/"), to.split("/")]
  const shared = here.findIndex((part, index) => part !== there[index])
  if (shared === -1) return here.slice(-1).join("/")
  return [...here.slice(shared + 1).map(() => ".."), ...there.slice(shared)].join("/")
}

/** The anchor of a heading, as GitHub and most renderers make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

/** Folded slugs that pages of several types have. */
export const sharedSlugs = (paths: ReadonlyArray<PagePath>): ReadonlySet<string> => {
  const [seen, shared] = [new Set<string>(), new Set<string>()]
  for (const path of paths) {
    const slug = foldSlug(slugOf(path))
    if (seen.has(slug)) shared.add(slug)
    seen.add(slug)
  }
  return shared
}
