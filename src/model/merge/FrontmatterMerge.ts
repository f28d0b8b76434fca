import { Array as Arr, Either, Option } from "effect"
import { parseFields } from "../frontmatter/Frontmatter.ts"
import { sameField } from "../frontmatter/FrontmatterDiff.ts"
import { editFields } from "../frontmatter/FrontmatterEdit.ts"
import type { FieldValue } from "../frontmatter/FrontmatterEntries.ts"
import type { Field, Fields } from "../frontmatter/FrontmatterFields.ts"
import { instantOf } from "../text/Instant.ts"
import { isStamp } from "../frontmatter/Stamps.ts"
import { compareCodePoints } from "../text/Text.ts"
import {
  type Choose,
  chooseEqual,
  mapVersions,
  mergeOrder,
  type Regions,
  type Render,
  sameLines,
  type Side,
  type Versions
} from "./ThreeWay.ts"

/**
 * Merges frontmatter blocks key by key, as their text stands: lines that nobody or one side touched stay byte for byte,
 * with the comments above them.
 *
 * - `created` merges to the earlier and `updated` to the later; the other stamps to the side that changed them, or the
 *   one updated later.
 * - `tags`, `sources` and `related` merge as sets: what either side added stays, what either side removed goes.
 * - Any other key that both sides changed differently is a conflict.
 *
 * The outcome is read again; if a field came out otherwise than meant (anchors can do that), the whole `page` conflicts.
 *
 * @returns The merged YAML text, or the regions: `frontmatter: <key>`, `page`.
 */
export const mergeFields = (
  versions: Versions<Fields>,
  choose: Choose,
  eol: string,
  render: Render
): Either.Either<string, Regions> => {
  const entries = mapVersions(versions, ({ fields }) => new Map(fields.map((field) => [field.key, field])))
  const keys = mapVersions(versions, ({ fields }) => fields.map(({ key }) => key))
  const later = laterSide(entries)
  const resolved = new Map<string, Merged>()
  const regions = new Set<string>()
  const merge = (key: string): void => {
    const field = mapVersions(entries, (fields) => fields.get(key))
    const merged = mergeField(key, field, choose, later, eol, render)
    const above = choose(
      mapVersions(field, (version) => version?.above),
      sameLines
    )
    if (Option.isNone(merged) || Option.isNone(above)) regions.add(isStamp(key) ? "page" : `frontmatter: ${key}`)
    else if (merged.value !== "absent") {
      const side = field[above.value] === undefined ? merged.value.side : above.value
      resolved.set(key, { ...merged.value, text: render(side, field[side]?.above ?? "") + merged.value.text })
    }
  }
  const all = [...new Set([...keys.ancestor, ...keys.mine, ...keys.theirs])]
  for (const key of all) merge(key)
  const tails = mapVersions(versions, ({ tail }) => tail)
  const tail = choose(tails, sameLines)
  if (Option.isNone(tail)) regions.add("page")
  const conflicts = [...regions].toSorted(compareCodePoints)
  if (Option.isNone(tail) || Arr.isNonEmptyArray(conflicts))
    return Either.left(Arr.isNonEmptyArray(conflicts) ? conflicts : ["page"])

  const numbers = new Map(all.map((key, number) => [key, number]))
  const textOf = (number: number) => resolved.get(all[number] ?? "")?.text
  const order = mergeOrder(
    mapVersions(keys, (side) => side.map((key) => numbers.get(key) ?? 0)),
    (number) => textOf(number) !== undefined
  )
  const text = order.map((number) => textOf(number) ?? "").join("") + render(tail.value, tails[tail.value])
  return readsBack(text, resolved) ? Either.right(text) : Either.left(["page"])
}

interface Merged {
  readonly side: Side
  readonly value: FieldValue
  readonly text: string
}

/** None is a conflict. */
type Outcome = Option.Option<Merged | "absent">

type FieldVersions = Versions<Field | undefined>

const setKeys: ReadonlySet<string> = new Set(["tags", "sources", "related"])

const mergeField = (
  key: string,
  field: FieldVersions,
  choose: Choose,
  later: Side,
  eol: string,
  render: Render
): Outcome => {
  const take = (side: Side): Merged | "absent" => {
    const version = field[side]
    return version === undefined ? "absent" : { side, value: version.value, text: render(side, version.text) }
  }
  if (key === "created" || key === "updated") return Option.some(take(stampSide(key, field, choose)))
  const side = chosen(field, choose)
  if (isStamp(key)) return Option.some(take(Option.getOrElse(side, () => later)))
  const sides: ReadonlyArray<Side> = ["theirs", "mine"]
  const candidates = Option.match(side, {
    onSome: (one) => [one, ...sides].filter((other) => other === one || sayTheSame(field.mine, field.theirs)).map(take),
    onNone: () => (choose !== chooseEqual && setKeys.has(key) ? mergeSet(key, field, take, eol) : [])
  })
  return Arr.findFirst(candidates, (one) => holdsComments(one === "absent" ? "" : one.text, field))
}

const sayTheSame = (left: Field | undefined, right: Field | undefined): boolean =>
  left?.value === right?.value || (left !== undefined && right !== undefined && sameField(left.value, right.value))

/** Whether every comment that a side wrote on or within the lines of a key is in the outcome. */
const holdsComments = (text: string, { ancestor, mine, theirs }: FieldVersions): boolean => {
  const known = new Set([ancestor?.text, text].flatMap(commentsIn))
  return [mine?.text, theirs?.text].flatMap(commentsIn).every((comment) => known.has(comment))
}

const commentsIn = (text: string = ""): ReadonlyArray<string> =>
  text.split(/\r?\n/).flatMap((line) => /(?:^|[ \t])(#.*)/.exec(line)?.[1]?.trimEnd() ?? [])

/** By text; where that says "both", by value, so that a block which was only written anew counts as unchanged. */
const chosen = (field: FieldVersions, choose: Choose): Option.Option<Side> =>
  Option.orElse(
    choose(
      mapVersions(field, (version) => version?.text),
      sameLines
    ),
    () => choose(field, sayTheSame)
  )

/** The earlier `created`, the later `updated`. What is no time stamp loses to one that is. */
const stampSide = (key: "created" | "updated", field: FieldVersions, choose: Choose): Side => {
  const [mine, theirs] = [instant(field.mine), instant(field.theirs)]
  if (Option.isNone(mine) || Option.isNone(theirs)) {
    if (Option.isSome(mine) || Option.isSome(theirs)) return Option.isSome(mine) ? "mine" : "theirs"
    const missing = field.mine === undefined ? "theirs" : field.theirs === undefined ? "mine" : undefined
    return missing ?? Option.getOrElse(chosen(field, choose), (): Side => "theirs")
  }
  if (mine.value === theirs.value) return Option.getOrElse(chosen(field, choose), (): Side => "theirs")
  return mine.value < theirs.value === (key === "created") ? "mine" : "theirs"
}

const instant = (field: Field | undefined): Option.Option<bigint> =>
  field !== undefined && typeof field.value === "string" ? instantOf(field.value) : Option.none()

/** The side that was updated later; theirs where nobody knows. */
const laterSide = ({ mine, theirs }: Versions<ReadonlyMap<string, Field>>): Side => {
  const [left, right] = [instant(mine.get("updated")), instant(theirs.get("updated"))]
  return Option.isSome(left) && Option.isSome(right) && left.value > right.value ? "mine" : "theirs"
}

/** The merged list, written into their text or, where that loses a comment, into mine. */
const mergeSet = (
  key: string,
  field: FieldVersions,
  take: (side: Side) => Merged | "absent",
  eol: string
): ReadonlyArray<Merged | "absent"> => {
  if (Object.values(field).some((version: Field | undefined) => version?.nested === true)) return []
  const { ancestor, mine, theirs } = mapVersions(field, itemsOf)
  const [old, kept, standing] = [new Set(ancestor), new Set(mine), new Set(theirs)]
  const items = [
    ...theirs.filter((item) => kept.has(item) || !old.has(item)),
    ...new Set(mine.filter((item) => !old.has(item) && !standing.has(item)))
  ]
  const bases = [take("theirs"), take("mine")].filter((base) => base !== "absent")
  if (items.length === 0) return [...bases.filter(({ value }) => value.length === 0), "absent"]
  return bases.flatMap((base) =>
    Either.match(editFields(base.text, eol, [{ _tag: "List", key, items }]), {
      onLeft: () => [],
      onRight: (text) => [{ ...base, value: items, text }]
    })
  )
}

const itemsOf = (field: Field | undefined): ReadonlyArray<string> => {
  if (field === undefined || field.value === "") return []
  return typeof field.value === "string" ? [field.value] : field.value
}

const readsBack = (text: string, resolved: ReadonlyMap<string, Merged>): boolean =>
  Either.match(parseFields(text), {
    onLeft: () => false,
    onRight: (fields) =>
      fields.size === resolved.size && [...fields].every(([key, value]) => saysTheSame(value, resolved.get(key)?.value))
  })

/** A list of one says the same as its text alone. */
const saysTheSame = (left: FieldValue, right: FieldValue | undefined): boolean => {
  const [some, others] = [typeof left === "string" ? [left] : left, typeof right === "string" ? [right] : right]
  return some.length === others?.length && some.every((item, index) => item === others[index])
}
