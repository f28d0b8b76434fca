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
 * follows there. Things go by small numbers, which are the same for the same thing.
 */
export const mergeOrder = (
  { ancestor, mine, theirs }: Versions<ReadonlyArray<number>>,
  isKept: (id: number) => boolean
): ReadonlyArray<number> => {
  const [inMine, inTheirs] = [flags(mine), flags(theirs)]
  const common = ancestor.filter((id) => inMine[id] === 1 && inTheirs[id] === 1)
  const inAll = flags(common)
  const inOrder = (ids: ReadonlyArray<number>) => {
    let index = 0
    return ids.every((id) => inAll[id] !== 1 || id === common[index++])
  }
  const mineMoved = inOrder(theirs) && !inOrder(mine)
  const [base, other] = mineMoved ? [mine, theirs] : [theirs, mine]
  const order = base.filter(isKept)
  const standing = flags(order)
  const additions = new Map<number, Array<number>>()
  let anchor = nothing
  for (const id of other) {
    if (standing[id] === 1) anchor = id
    else if (isKept(id)) additions.set(anchor, pushed(additions.get(anchor), id))
  }
  if (additions.size === 0) return order
  return [...(additions.get(nothing) ?? []), ...order.flatMap((id) => [id, ...(additions.get(id) ?? [])])]
}

/** What stands before the first. */
const nothing = -1

/** By number, whether it is among some; an array of bytes, because one with gaps is slow. */
const flags = (ids: ReadonlyArray<number>): Uint8Array => {
  let greatest = -1
  for (const id of ids) greatest = Math.max(greatest, id)
  const flagged = new Uint8Array(greatest + 1)
  for (const id of ids) flagged[id] = 1
  return flagged
}

const pushed = (list: Array<number> = [], item: number): Array<number> => {
  list.push(item)
  return list
}
