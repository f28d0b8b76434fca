import { Array as Arr, Either, Option } from "effect"
import { keyOf, originsOf } from "./SectionMatch.ts"
import {
  type CountedSections,
  cutSections,
  parseSections,
  parseVersion,
  type Section,
  type Sections
} from "../markdown/Sections.ts"
import { compareCodePoints } from "../text/Text.ts"
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
  const ancestor = parseSections(bodies.ancestor)
  const pages = readVersions({
    ancestor,
    mine: parseVersion(bodies.mine, ancestor),
    theirs: parseVersion(bodies.theirs, ancestor)
  })
  const ids = mapVersions(pages, (page) => page.order)
  const resolved: Array<Unit | undefined> = Array.from({ length: pages.size })
  const regions = new Set(choose === chooseChanged ? [] : unordered(ids))
  for (let id = preambleId; id < pages.size; id++) {
    const versions = { ancestor: pages.ancestor.units[id], mine: pages.mine.units[id], theirs: pages.theirs.units[id] }
    const unit = agreed(versions, render) ?? mergeUnit(versions, choose, render)
    if (unit === "conflict") regions.add(nameOf(versions))
    else if (unit !== "gone") resolved[id] = unit
  }
  for (const heading of claimedTwice(pages)) regions.add(heading)
  if (regions.size > 0) return Either.left(inOrder(regions, pages.ancestor))

  const end = endOf(bodies, choose, render)
  // The second order and the second spacing are for sections that would run into their new neighbours otherwise.
  for (const sides of [ids, { ...ids, mine: ids.theirs, theirs: ids.mine }]) {
    const order = mergeOrder(sides, (id) => resolved[id] !== undefined)
    const units = Arr.filterMap(order, (id) => Option.fromNullable(resolved[id]))
    for (const spaced of [false, true]) {
      const pieces = assemble(units, { eol, end, spaced })
      const text = pieces.join("")
      if (readsBack(text, units, pieces)) return Either.right(text)
    }
  }
  return Either.left(["page"])
}

/** The preamble, or a section. */
interface Unit {
  readonly heading: string
  /** Its core, and its trail: the blanks and line ends behind it. */
  readonly text: string
  /** Whether nothing follows it in its version, so that its trail separates it from nothing yet. */
  readonly last?: boolean
}

/** Small numbers, in all versions the same for what is the same unit. */
type Id = number

interface Units {
  /** By id. */
  readonly units: ReadonlyArray<Unit | undefined>
  readonly order: ReadonlyArray<Id>
}

interface Pages extends Versions<Units> {
  /** Ids are smaller. */
  readonly size: number
}

const preamble = "preamble"
const preambleId: Id = 0

interface Read extends Versions<Sections> {
  readonly ancestor: CountedSections
}

/** The units of each version. A section goes by its place in the ancestor; what was added, by what comes behind those. */
const readVersions = ({ ancestor, mine, theirs }: Read): Pages => {
  const firstAdded = ancestor.sections.length + 1
  const added = new Map<string, Id>()
  const addedId = (section: Section): Id => {
    const key = keyOf(section)
    const id = added.get(key) ?? firstAdded + added.size
    added.set(key, id)
    return id
  }
  const idsOf = ({ sections }: Sections) => [
    preambleId,
    ...originsOf(ancestor, sections).map((origin, index) => {
      const section = sections[index]
      return origin !== undefined || section === undefined ? (origin ?? 0) + 1 : addedId(section)
    })
  ]
  const [inMine, inTheirs] = [idsOf(mine), idsOf(theirs)]
  const size = firstAdded + added.size
  return {
    ancestor: unitsOf(
      ancestor,
      Array.from({ length: firstAdded }, (_, id) => id),
      size
    ),
    mine: unitsOf(mine, inMine, size),
    theirs: unitsOf(theirs, inTheirs, size),
    size
  }
}

const unitsOf = ({ preamble: before, sections }: Sections, order: ReadonlyArray<Id>, size: number): Units => {
  const units: Array<Unit | undefined> = Array.from({ length: size })
  units[preambleId] = { heading: preamble, text: before, last: sections.length === 0 }
  for (const [index, section] of sections.entries()) {
    units[order[index + 1] ?? 0] = index === sections.length - 1 ? { ...section, last: true } : section
  }
  return { units, order }
}

const coreOf = (text: string): string => text.slice(0, coreEnd(text))
const trailOf = (text: string): string => text.slice(coreEnd(text))

const coreEnd = (text: string): number => {
  let end = text.length
  while (end > 0 && " \t\r\n".includes(text.charAt(end - 1))) end--
  return end
}

const nameOf = ({ ancestor, mine, theirs }: Versions<Unit | undefined>): string =>
  ancestor?.heading ?? theirs?.heading ?? mine?.heading ?? ""

/** What both sides have byte for byte. */
const agreed = ({ mine, theirs }: Versions<Unit | undefined>, render: Render): Unit | undefined => {
  if (mine === undefined || theirs === undefined || mine.text !== theirs.text || mine.last !== theirs.last) {
    return undefined
  }
  const text = render("theirs", theirs.text)
  return text === theirs.text ? theirs : { ...theirs, text }
}

const mergeUnit = (
  versions: Versions<Unit | undefined>,
  choose: Choose,
  render: Render
): Unit | "conflict" | "gone" => {
  const split = mapVersions(versions, (unit) => unit && { ...unit, core: coreOf(unit.text), trail: trailOf(unit.text) })
  const core = choose(
    mapVersions(split, (unit) => unit?.core),
    sameLines
  )
  if (Option.isNone(core)) return "conflict"
  const side = core.value
  const unit = split[side]
  if (unit === undefined) return "gone"
  const { mine, theirs } = split
  const chosen = choose(
    mapVersions(split, (version) => version?.trail),
    sameLines
  ).pipe(Option.getOrElse(() => side))
  const trailSide = split[chosen] === undefined ? side : chosen
  const { last, trail } = split[trailSide] ?? unit
  const bothLast = mine?.trail === theirs?.trail ? mine?.last === true && theirs?.last === true : last === true
  return { heading: unit.heading, text: render(side, unit.core) + render(trailSide, trail), last: bothLast }
}

/** Headings that one side renamed a section to, and that a different section got on the other side. */
const claimedTwice = ({ ancestor, mine, theirs }: Versions<Units>): ReadonlyArray<string> => {
  const claimsOf = ({ order, units }: Units) =>
    order
      .filter((id) => ancestor.units[id]?.heading !== units[id]?.heading)
      .map((id) => ({ id, heading: units[id]?.heading ?? "", renamed: ancestor.units[id] !== undefined }))
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
const unordered = ({ mine, theirs }: Versions<ReadonlyArray<Id>>): ReadonlyArray<string> => {
  const [inMine, inTheirs] = [new Set(mine), new Set(theirs)]
  const [left, right] = [mine.filter((id) => inTheirs.has(id)), theirs.filter((id) => inMine.has(id))]
  return left.every((id, index) => id === right[index]) ? [] : ["page"]
}

/** The preamble, then as the ancestor has them, then what is new. */
const inOrder = (regions: ReadonlySet<string>, ancestor: Units): Regions => {
  const old = new Set(ancestor.order.map((id) => ancestor.units[id]?.heading ?? ""))
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

/** The text of each unit as it stands in the merged body. */
const assemble = (
  units: ReadonlyArray<Unit>,
  { end, eol, spaced }: { readonly end: string; readonly eol: string; readonly spaced: boolean }
): ReadonlyArray<string> =>
  units.map(({ last, text }, index) => {
    const next = units[index + 1]
    if (next === undefined) return coreOf(text) + end
    // The end of a file separates nothing, and an underlined heading would take the line above it.
    const blankLine = last === true || (spaced && !next.text.trimStart().startsWith("#"))
    if (!blankLine && (text.endsWith("\n") || text.endsWith("\r"))) return text
    const wanted = coreEnd(text) === 0 ? 0 : blankLine ? 2 : 1
    return text + eol.repeat(Math.max(0, wanted - breaksIn(trailOf(text))))
  })

const breaksIn = (text: string): number => text.split(/\r\n|\n|\r/).length - 1

/** Whether a body has exactly these units, in these places. */
const readsBack = (body: string, units: ReadonlyArray<Unit>, pieces: ReadonlyArray<string>): boolean => {
  let [index, at] = [0, pieces[0]?.length ?? 0]
  let same = units[0]?.heading === preamble
  const before = cutSections(body, (heading, start) => {
    index++
    same = same && start === at && heading === units[index]?.heading
    at += pieces[index]?.length ?? 0
  })
  return same && index === units.length - 1 && before.length === pieces[0]?.length
}
