import { Array as Arr, Either, Option } from "effect"
import { keyOf, originsOf } from "./SectionMatch.ts"
import { parseSections, type Section, type Sections } from "./Sections.ts"
import { compareCodePoints } from "./Text.ts"
import {
  type Choose,
  chooseChanged,
  mapVersions,
  mergeOrder,
  type Regions,
  type Render,
  sameLines,
  type Side,
  type Versions
} from "./ThreeWay.ts"

/**
 * Merges the bodies of a page, unit by unit: the preamble, and each section with its heading. A section is the same on
 * both sides by heading and ordinal, or because it was renamed. What one side alone changed, removed, added, renamed or
 * moved stands so; blank lines behind a section are merged apart from it.
 *
 * The outcome is read again: where a section would swallow its new neighbour (an open fence does), that is a conflict of
 * the whole `page`.
 *
 * @returns The merged body, or the regions that both sides changed: `preamble`, and headings as the ancestor has them.
 */
export const mergeBodies = (
  bodies: Versions<string>,
  choose: Choose,
  eol: string,
  render: Render
): Either.Either<string, Regions> => {
  const pages = readVersions(mapVersions(bodies, parseSections))
  const ids = mapVersions(pages, (page) => [...page.keys()])
  const resolved = new Map<string, Unit>()
  const regions = new Set(choose === chooseChanged ? [] : unordered(ids))
  for (const id of new Set([...ids.ancestor, ...ids.mine, ...ids.theirs])) {
    const versions = mapVersions(pages, (page) => page.get(id))
    const core = choose(
      mapVersions(versions, (unit) => unit?.core),
      sameLines
    )
    if (Option.isNone(core)) regions.add(nameOf(versions))
    else {
      const unit = versions[core.value]
      if (unit !== undefined) resolved.set(id, mergeUnit(unit, core.value, versions, choose, render))
    }
  }
  for (const heading of claimedTwice(pages)) regions.add(heading)
  if (regions.size > 0) return Either.left(inOrder(regions, pages.ancestor))

  const end = endOf(bodies, choose, render)
  const kept = new Set(resolved.keys())
  // The second order and the second spacing are for sections that would run into their new neighbours otherwise.
  for (const sides of [ids, { ...ids, mine: ids.theirs, theirs: ids.mine }]) {
    const units = Arr.filterMap(mergeOrder(sides, kept), (id) => Option.fromNullable(resolved.get(id)))
    for (const spaced of [false, true]) {
      const pieces = assemble(units, { eol, end, spaced })
      if (readsBack(pieces)) return Either.right(pieces.map(({ text }) => text).join(""))
    }
  }
  return Either.left(["page"])
}

/** The preamble, or a section. */
interface Unit {
  readonly heading: string
  /** Without the blanks and line ends behind it. */
  readonly core: string
  readonly trail: string
  /** Whether nothing follows it in its version, so that its trail separates it from nothing yet. */
  readonly last: boolean
}

type Units = ReadonlyMap<string, Unit>

const preambleId = "preamble"

/** The units of each version, by ids that are the same for what is the same section. */
const readVersions = ({ ancestor, mine, theirs }: Versions<Sections>): Versions<Units> => {
  const idsOf = ({ sections }: Sections) =>
    originsOf(ancestor.sections, sections).map((origin, index) => idOf(sections[index], origin))
  const units = ({ preamble, sections }: Sections, ids: ReadonlyArray<string>): Units =>
    new Map([
      [preambleId, unitOf(preambleId, preamble, sections.length === 0)],
      ...sections.map(({ heading, text }, index): [string, Unit] => [
        ids[index] ?? "",
        unitOf(heading, text, index === sections.length - 1)
      ])
    ])
  return {
    ancestor: units(
      ancestor,
      ancestor.sections.map((section, index) => idOf(section, index))
    ),
    mine: units(mine, idsOf(mine)),
    theirs: units(theirs, idsOf(theirs))
  }
}

const idOf = (section: Section | undefined, origin: number | undefined): string =>
  origin === undefined ? `added ${section === undefined ? "" : keyOf(section)}` : `section ${origin}`

const unitOf = (heading: string, text: string, last: boolean): Unit => {
  const trail = trailOf(text)
  return { heading, core: text.slice(0, text.length - trail.length), trail, last }
}

const trailOf = (text: string): string => {
  let end = text.length
  while (end > 0 && " \t\r\n".includes(text.charAt(end - 1))) end--
  return text.slice(end)
}

const nameOf = ({ ancestor, mine, theirs }: Versions<Unit | undefined>): string =>
  ancestor?.heading ?? theirs?.heading ?? mine?.heading ?? ""

const mergeUnit = (
  unit: Unit,
  side: Side,
  versions: Versions<Unit | undefined>,
  choose: Choose,
  render: Render
): Unit => {
  const { mine, theirs } = versions
  const chosen = choose(
    mapVersions(versions, (version) => version?.trail),
    sameLines
  ).pipe(Option.getOrElse(() => side))
  const trailSide = versions[chosen] === undefined ? side : chosen
  const { last, trail } = versions[trailSide] ?? unit
  const bothLast = mine?.trail === theirs?.trail ? mine?.last === true && theirs?.last === true : last
  return { heading: unit.heading, core: render(side, unit.core), trail: render(trailSide, trail), last: bothLast }
}

/** Headings that one side renamed a section to, and that a different section got on the other side. */
const claimedTwice = ({ ancestor, mine, theirs }: Versions<Units>): ReadonlyArray<string> => {
  const claimsOf = (units: Units) =>
    [...units].flatMap(([id, { heading }]) =>
      ancestor.get(id)?.heading === heading ? [] : [{ id, heading, renamed: ancestor.has(id) }]
    )
  const claims = [claimsOf(mine), claimsOf(theirs)]
  return [claims, claims.toReversed()].flatMap(([some = [], others = []]) => {
    const byHeading = Map.groupBy(others, ({ heading }) => heading)
    return some
      .filter(
        ({ heading, id, renamed }) => renamed && byHeading.get(heading)?.some((other) => other.id !== id) === true
      )
      .map(({ heading }) => heading)
  })
}

/** Without an ancestor, sections in another order are a difference of the whole page. */
const unordered = ({ mine, theirs }: Versions<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const [inMine, inTheirs] = [new Set(mine), new Set(theirs)]
  const [left, right] = [mine.filter((id) => inTheirs.has(id)), theirs.filter((id) => inMine.has(id))]
  return left.every((id, index) => id === right[index]) ? [] : ["page"]
}

/** The preamble, then as the ancestor has them, then what is new. */
const inOrder = (regions: ReadonlySet<string>, ancestor: Units): Regions => {
  const old = new Set([...ancestor.values()].map(({ heading }) => heading))
  const first = [...old].filter((heading) => regions.has(heading))
  const rest = [...regions].filter((heading) => !old.has(heading)).toSorted(compareCodePoints)
  const [head = "page", ...tail] = [...first, ...rest]
  return [head, ...tail]
}

/** How the merged body ends: as the side that changed its end has it. */
const endOf = (bodies: Versions<string>, choose: Choose, render: Render): string => {
  const trails = mapVersions(bodies, trailOf)
  const side = Option.getOrElse(choose(trails, sameLines), (): Side => "theirs")
  return render(side, trails[side])
}

interface Piece {
  readonly heading: string
  readonly text: string
}

const assemble = (
  units: ReadonlyArray<Unit>,
  { end, eol, spaced }: { readonly end: string; readonly eol: string; readonly spaced: boolean }
): ReadonlyArray<Piece> =>
  units.map(({ core, heading, last, trail }, index) => {
    const next = units[index + 1]
    if (next === undefined) return { heading, text: core + end }
    // The end of a file separates nothing, and an underlined heading would take the line above it.
    const blankLine = last || (spaced && !next.core.trimStart().startsWith("#"))
    const wanted = core === "" ? 0 : blankLine ? 2 : 1
    return { heading, text: core + trail + eol.repeat(Math.max(0, wanted - breaksIn(trail))) }
  })

const breaksIn = (text: string): number => text.split(/\r\n|\n|\r/).length - 1

const readsBack = (pieces: ReadonlyArray<Piece>): boolean => {
  const { preamble, sections } = parseSections(pieces.map(({ text }) => text).join(""))
  const read = [{ heading: preambleId, text: preamble }, ...sections]
  return (
    read.length === pieces.length &&
    read.every(({ heading, text }, index) => heading === pieces[index]?.heading && text === pieces[index].text)
  )
}
