import type { FieldValue } from "./FrontmatterEntries.ts"
import { sameInstant } from "../text/Instant.ts"
import { compareCodePoints } from "../text/Text.ts"

interface Change {
  readonly field: string
  readonly from?: FieldValue
  readonly to?: FieldValue
}

/** What changed between two frontmatter blocks; a list that would be empty is left out. */
export interface FrontmatterChanges {
  readonly changed?: ReadonlyArray<Change>
  readonly added?: ReadonlyArray<Change>
  readonly removed?: ReadonlyArray<Change>
}

type Fields = ReadonlyMap<string, FieldValue>

/**
 * Compares two frontmatter blocks key by key, in the order of the keys' names. Two lists are compared as sets, one entry
 * for each element that came or went; time stamps are compared by instant.
 */
export const diffFields = (from: Fields, to: Fields): FrontmatterChanges => {
  const changed: Array<Change> = []
  const added: Array<Change> = []
  const removed: Array<Change> = []
  for (const field of [...new Set([...from.keys(), ...to.keys()])].toSorted(compareCodePoints)) {
    const before = from.get(field)
    const after = to.get(field)
    if (after === undefined) removed.push(before === undefined ? { field } : { field, from: before })
    else if (before === undefined) added.push({ field, to: after })
    else if (typeof before !== "string" && typeof after !== "string") {
      for (const item of without(after, before)) added.push({ field, to: item })
      for (const item of without(before, after)) removed.push({ field, from: item })
    } else if (!sameField(before, after)) changed.push({ field, from: before, to: after })
  }
  return {
    ...(changed.length > 0 && { changed }),
    ...(added.length > 0 && { added }),
    ...(removed.length > 0 && { removed })
  }
}

/** Whether two values say the same: as text, as sets, or as instants. */
export const sameField = (left: FieldValue, right: FieldValue): boolean => {
  if (typeof left === "string" || typeof right === "string") {
    return left === right || (typeof left === "string" && typeof right === "string" && sameInstant(left, right))
  }
  return without(left, right).length === 0 && without(right, left).length === 0
}

const without = (items: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set(others)
  return [...new Set(items)].filter((item) => !known.has(item)).toSorted(compareCodePoints)
}
