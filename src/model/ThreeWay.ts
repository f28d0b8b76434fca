import type { Array as Arr } from "effect"
import { Option } from "effect"

/** One thing as the common ancestor and the two sides have it. */
export interface Versions<A> {
  readonly ancestor: A
  readonly mine: A
  readonly theirs: A
}

export type Side = "mine" | "theirs"

/** A side's text with the line ends of the merged page. */
export type Render = (side: Side, text: string) => string

/** What both sides changed differently. */
export type Regions = Arr.NonEmptyReadonlyArray<string>

/**
 * Says whose version stands; None: both sides changed it, and differently. `same` tells whether two versions differ only
 * in what does not count; bytes decide first, so that a side's least change survives where the other made none.
 */
export type Choose = <A>(versions: Versions<A>, same: (left: A, right: A) => boolean) => Option.Option<Side>

/** The side that changed it. */
export const chooseChanged: Choose = ({ ancestor, mine, theirs }, same) => {
  if (mine === theirs) return Option.some("theirs")
  if (theirs === ancestor) return Option.some("mine")
  if (mine === ancestor) return Option.some("theirs")
  if (same(theirs, ancestor)) return Option.some("mine")
  return same(mine, ancestor) || same(mine, theirs) ? Option.some("theirs") : Option.none()
}

/** Without an ancestor nobody knows who changed what: equal versions only. */
export const chooseEqual: Choose = ({ mine, theirs }, same) =>
  mine === theirs || same(mine, theirs) ? Option.some("theirs") : Option.none()

export const mapVersions = <A, B>({ ancestor, mine, theirs }: Versions<A>, f: (version: A) => B): Versions<B> => ({
  ancestor: f(ancestor),
  mine: f(mine),
  theirs: f(theirs)
})

/** Whether two texts differ in line ends at most. */
export const sameLines = (left: string | undefined, right: string | undefined): boolean =>
  left === right || (left !== undefined && right !== undefined && withLf(left) === withLf(right))

const withLf = (text: string) => text.replaceAll("\r\n", "\n")

/**
 * The order of what is kept: theirs, unless only mine moved things; each addition of the other side stands behind what it
 * follows there.
 */
export const mergeOrder = (
  { ancestor, mine, theirs }: Versions<ReadonlyArray<string>>,
  kept: ReadonlySet<string>
): ReadonlyArray<string> => {
  const [inMine, inTheirs] = [new Set(mine), new Set(theirs)]
  const common = new Set(ancestor.filter((id) => inMine.has(id) && inTheirs.has(id)))
  const orderOf = (ids: ReadonlyArray<string>) => JSON.stringify(ids.filter((id) => common.has(id)))
  const mineMoved = orderOf(theirs) === orderOf(ancestor) && orderOf(mine) !== orderOf(ancestor)
  const [base, other] = mineMoved ? [mine, theirs] : [theirs, mine]
  const order = base.filter((id) => kept.has(id))
  const standing = new Set(order)
  const additions = new Map<string, Array<string>>()
  let anchor = ""
  for (const id of other) {
    if (standing.has(id)) anchor = id
    else if (kept.has(id)) additions.set(anchor, pushed(additions.get(anchor), id))
  }
  return ["", ...order].flatMap((id) => (id === "" ? (additions.get(id) ?? []) : [id, ...(additions.get(id) ?? [])]))
}

const pushed = (list: Array<string> = [], item: string): Array<string> => {
  list.push(item)
  return list
}
