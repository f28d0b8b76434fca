import { Array as Arr, Either, Option } from "effect"
import { splitPage, type SplitPage } from "../frontmatter/Frontmatter.ts"
import { type Fields, readFields, withoutStamps } from "../frontmatter/FrontmatterFields.ts"
import { mergeFields } from "./FrontmatterMerge.ts"
import { mergeBodies } from "./SectionMerge.ts"
import {
  type Choose,
  chooseChanged,
  chooseEqual,
  mapVersions,
  type Regions,
  type Render,
  sameLines,
  type Versions
} from "./ThreeWay.ts"

/** What a three-way merge came to. */
export type MergeResult =
  | {
      readonly _tag: "Clean"
      readonly text: string
      /** Whether at least one side changed nothing but stamps, so that nobody need look at the merge. */
      readonly stampsOnly: boolean
    }
  | {
      readonly _tag: "Conflict"
      /** What both sides changed differently: `## Heading` as the ancestor has it, `preamble`, `frontmatter: key`, `page`. */
      readonly regions: Regions
    }

/**
 * Merges two versions of a page that grew from one ancestor.
 *
 * The units are the frontmatter keys, the preamble and the sections; what one side alone touched stands as that side has
 * it. Clean exactly if no unit was touched differently on both sides; stamps never conflict, and lists merge as sets.
 * Untouched bytes stay untouched: line ends, trailing blanks, the BOM. A final newline, a BOM and the style of line ends
 * are as the side that changed them has them.
 *
 * @param ancestor None: both sides created the page, which merges only if they agree in everything but stamps.
 * @returns Never fails, whatever the texts are. A frontmatter that cannot be read is one unit, called `page`.
 *
 * @example mergePages(Option.some("## A\n\n## B\n"), "## A\nmine\n\n## B\n", "## A\n\n## B\ntheirs\n") // Clean, with both
 *
 * Source: design.md rules 2 and 3, section 5.
 */
export const mergePages = (ancestor: Option.Option<string>, mine: string, theirs: string): MergeResult => {
  if (Option.contains(ancestor, mine)) return { _tag: "Clean", text: theirs, stampsOnly: true }
  if (Option.contains(ancestor, theirs)) return { _tag: "Clean", text: mine, stampsOnly: true }
  const texts = { ancestor: Option.getOrElse(ancestor, () => ""), mine, theirs }
  const pages = mapVersions(texts, readPage)
  // Without an ancestor only stamps can differ.
  const stampsOnly =
    Option.isNone(ancestor) || onlyStamps(pages.ancestor, pages.mine) || onlyStamps(pages.ancestor, pages.theirs)
  if (mine === theirs) return { _tag: "Clean", text: mine, stampsOnly }
  return Either.match(merge(pages, Option.isSome(ancestor) ? chooseChanged : chooseEqual), {
    onLeft: (regions) => ({ _tag: "Conflict", regions }),
    onRight: (text) => ({ _tag: "Clean", text, stampsOnly })
  })
}

interface ReadPage extends SplitPage {
  readonly head: string
  readonly fields: Option.Option<Fields>
}

const readPage = (text: string): ReadPage => {
  const page = splitPage(text)
  const yaml = Option.getOrElse(page.frontmatter, () => "")
  return { ...page, head: page.open + yaml + page.close, fields: Option.flatMap(page.frontmatter, readFields) }
}

const merge = (pages: Versions<ReadPage>, choose: Choose): Either.Either<string, Regions> => {
  const changed = <A>(versions: Versions<A>): A =>
    versions[
      Option.getOrElse(
        choose(versions, (left, right) => left === right),
        () => "theirs" as const
      )
    ]
  const eols = mapVersions(pages, (page) => eolOf(page, pages.ancestor))
  const eol = changed(eols)
  const render: Render = (side, text) => (eols[side] === eol ? text : text.replace(/\r?\n/g, eol))
  const bom = changed(mapVersions(pages, (page) => (page.bom ? "\ufeff" : "")))
  const head = mergeHeads(pages, choose, eol, render)
  const body = mergeBodies(
    mapVersions(pages, (page) => page.body),
    choose,
    eol,
    render
  )
  if (Either.isRight(head) && Either.isRight(body)) {
    const text = bom + head.right + body.right
    // A body may not turn into frontmatter, nor the other way round.
    return splitPage(text).body === body.right ? Either.right(text) : Either.left(["page"])
  }
  const regions = [head, body].flatMap((outcome) => (Either.isLeft(outcome) ? outcome.left : []))
  return Either.left(Arr.isNonEmptyArray(regions) ? Arr.dedupe(regions) : ["page"])
}

/** A text without any line end has no style of its own. */
const eolOf = ({ body, eol, head }: ReadPage, ancestor: ReadPage): string =>
  head.includes("\n") || body.includes("\n") ? eol : ancestor.eol

const mergeHeads = (
  pages: Versions<ReadPage>,
  choose: Choose,
  eol: string,
  render: Render
): Either.Either<string, Regions> => {
  const none: Fields = { fields: [], tail: "" }
  const ancestor = choose === chooseEqual ? Option.some(none) : pages.ancestor.fields
  const fields = Option.all({ ancestor, mine: pages.mine.fields, theirs: pages.theirs.fields })
  const take = (f: (page: ReadPage) => string) =>
    Option.map(choose(mapVersions(pages, f), sameLines), (side) => render(side, f(pages[side])))
  if (Option.isNone(fields))
    return Either.fromOption(
      take(({ head }) => head),
      (): Regions => ["page"]
    )
  const fence = (f: (page: ReadPage) => string) => Option.getOrElse(take(f), () => render("theirs", f(pages.theirs)))
  return Either.map(
    mergeFields(fields.value, choose, eol, render),
    (yaml) => fence(({ open }) => open) + yaml + fence(({ close }) => close)
  )
}

const onlyStamps = (ancestor: ReadPage, side: ReadPage): boolean =>
  ancestor.bom === side.bom &&
  ancestor.body === side.body &&
  ancestor.open === side.open &&
  ancestor.close === side.close &&
  Option.isSome(ancestor.fields) &&
  Option.isSome(side.fields) &&
  withoutStamps(ancestor.fields.value) === withoutStamps(side.fields.value)
