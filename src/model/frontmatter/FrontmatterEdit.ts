import { Either } from "effect"
import { type Entries, type Entry, fieldsOf, type FieldValue, parseEntries } from "./FrontmatterEntries.ts"
import { yamlFlowList, yamlScalar, yamlStamp } from "./YamlScalar.ts"

/** One change to a frontmatter block. What already says the same is left as it is written. */
export type FieldEdit =
  | { readonly _tag: "Text"; readonly key: string; readonly text: string }
  | { readonly _tag: "Stamp"; readonly key: string; readonly text: string }
  /** An empty list takes the key away. */
  | { readonly _tag: "List"; readonly key: string; readonly items: ReadonlyArray<string> }
  | { readonly _tag: "Remove"; readonly key: string }
  /** A whole `key: value`, in YAML without indentation, as another block spells it. */
  | { readonly _tag: "Source"; readonly key: string; readonly value: FieldValue; readonly source: string }

/** Field order of a page file. Keys that are not ours follow. */
const order: ReadonlyArray<string> = [
  "schema",
  "slug",
  "type",
  "author",
  "agent",
  "created",
  "updated",
  "parent_sha",
  "sources",
  "related",
  "tags",
  "reasoning_summary"
]

/**
 * Changes a frontmatter block by splicing the changed values into its text, so that every other byte stays: comments,
 * order, quotes, indentation, line ends. A new key goes to its place in the field order.
 *
 * The outcome is read again and compared: Left, with the reason, if any field came out otherwise than meant (an anchor
 * on a replaced value can do that), so a wrong block is never written.
 */
export const editFields = (yaml: string, eol: string, edits: ReadonlyArray<FieldEdit>): Either.Either<string, string> =>
  Either.gen(function* () {
    const before = yield* parseEntries(yaml)
    let text = before.flow ? asBlock(yaml, before, eol) : yaml
    let fields = before.flow ? yield* parseEntries(text) : before
    for (const edit of edits) {
      const next = splice(text, fields, eol, edit)
      // Offsets hold for one splice only.
      if (next !== text) fields = yield* parseEntries(next)
      text = next
    }
    const wrong = difference(intended(before, edits), fieldsOf(fields))
    return wrong === undefined ? text : yield* Either.left(entangled(wrong))
  })

/** A `key: value` as YAML of its own without indentation, to be moved to another block. */
export const sourceOf = (yaml: string, { flow, indent }: Entries, entry: Entry): string => {
  if (flow) {
    const value = yaml.slice(entry.valueStart, entry.valueEnd).split(/\r?\n/)
    return `${yamlScalar(entry.key)}: ${value.map((line) => line.trim()).join(" ")}\n`
  }
  const lines = yaml.slice(entry.start, entry.end).split(/\r?\n/)
  const shifted = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join("\n")
  return shifted.endsWith("\n") ? shifted : `${shifted}\n`
}

const entangled = (key: string) =>
  `the edit would change the field '${key}' otherwise than meant (write the block without YAML anchors and aliases)`

const splice = (yaml: string, fields: Entries, eol: string, edit: FieldEdit): string => {
  const entry = fields.entries.find(({ key }) => key === edit.key)
  const wanted = valueAfter(edit)
  if (entry === undefined) return wanted === undefined ? yaml : insert(yaml, fields, eol, edit)
  if (wanted === undefined) return replace(yaml, entry.start, entry.end, "")
  if (sameValue(entry.value, wanted)) return yaml
  switch (edit._tag) {
    case "Text":
      return replaceValue(yaml, entry, eol, yamlScalar(edit.text))
    case "Stamp":
      return replaceValue(yaml, entry, eol, yamlStamp(edit.text))
    case "List":
      return entry.layout._tag === "Block"
        ? replaceItems(yaml, entry, entry.layout, eol, edit.items)
        : replaceValue(yaml, entry, eol, yamlFlowList(edit.items))
    default:
      return replace(yaml, entry.start, entry.end, linesOf(edit, fields.indent, eol))
  }
}

const replace = (text: string, start: number, end: number, by: string) => text.slice(0, start) + by + text.slice(end)

const replaceValue = (yaml: string, entry: Entry, eol: string, source: string): string => {
  const { keyEnd, layout, valueEnd, valueStart } = entry
  if (layout._tag === "Block" || layout._tag === "Nested") return replace(yaml, keyEnd, entry.end, `: ${source}${eol}`)
  // A block scalar's value reaches to the end of its last line.
  if (layout._tag === "Scalar" && layout.block) return replace(yaml, valueStart, entry.end, source + eol)
  const before = valueStart === valueEnd && yaml[valueStart - 1] === ":" ? " " : ""
  const after = valueStart === valueEnd && /[^\r\n]/.test(yaml[valueEnd] ?? "\n") ? " " : ""
  return replace(yaml, valueStart, valueEnd, before + source + after)
}

/** Items that stay keep their lines, with the comments on and above them. */
const replaceItems = (
  yaml: string,
  entry: Entry,
  { indent, itemEnds }: Extract<Entry["layout"], { readonly _tag: "Block" }>,
  eol: string,
  items: ReadonlyArray<string>
): string => {
  const start = entry.valueStart - indent.length
  const kept = new Map<string, Array<string>>()
  const old = typeof entry.value === "string" ? [] : entry.value
  for (const [index, item] of old.entries()) {
    const source = yaml.slice(itemEnds[index - 1] ?? start, itemEnds[index])
    kept.set(item, [...(kept.get(item) ?? []), source])
  }
  const lines = items.map((item) => kept.get(item)?.shift() ?? `${indent}- ${yamlScalar(item)}${eol}`)
  return replace(yaml, start, itemEnds.at(-1) ?? entry.end, lines.join(""))
}

const insert = (yaml: string, { entries, indent }: Entries, eol: string, edit: FieldEdit): string => {
  const at = place(entries, edit.key) ?? yaml.length
  return replace(yaml, at, at, linesOf(edit, indent, eol))
}

/** After the nearest key that the field order puts before this one, else before the nearest that follows. */
const place = (entries: ReadonlyArray<Entry>, key: string): number | undefined => {
  const rank = order.indexOf(key)
  if (rank === -1) return undefined
  const standing = (name: string) => entries.find((entry) => entry.key === name)
  const before = order
    .slice(0, rank)
    .toReversed()
    .map(standing)
    .find((entry) => entry !== undefined)
  return (
    before?.end ??
    order
      .slice(rank + 1)
      .map(standing)
      .find((entry) => entry !== undefined)?.start
  )
}

const linesOf = (edit: FieldEdit, indent: string, eol: string): string =>
  sourceLines(edit)
    .map((line) => (line === "" ? eol : indent + line + eol))
    .join("")

const sourceLines = (edit: FieldEdit): ReadonlyArray<string> => {
  switch (edit._tag) {
    case "Text":
      return [`${edit.key}: ${yamlScalar(edit.text)}`]
    case "Stamp":
      return [`${edit.key}: ${yamlStamp(edit.text)}`]
    case "List":
      return [`${edit.key}:`, ...edit.items.map((item) => `  - ${yamlScalar(item)}`)]
    case "Remove":
      return []
    case "Source":
      return edit.source.replace(/\n$/, "").split("\n")
  }
}

/** A block that is one `{...}` cannot take lines: the same fields as lines. */
const asBlock = (yaml: string, fields: Entries, eol: string): string =>
  fields.entries.map((entry) => sourceOf(yaml, fields, entry).replaceAll("\n", eol)).join("")

const valueAfter = (edit: FieldEdit): FieldValue | undefined => {
  switch (edit._tag) {
    case "Text":
    case "Stamp":
      return edit.text
    case "List":
      return edit.items.length === 0 ? undefined : edit.items
    case "Remove":
      return undefined
    case "Source":
      return edit.value
  }
}

const intended = (before: Entries, edits: ReadonlyArray<FieldEdit>): ReadonlyMap<string, FieldValue> => {
  const fields = new Map(fieldsOf(before))
  for (const edit of edits) {
    const value = valueAfter(edit)
    if (value === undefined) fields.delete(edit.key)
    else fields.set(edit.key, value)
  }
  return fields
}

/** The first key whose value differs, in either map. */
const difference = (
  left: ReadonlyMap<string, FieldValue>,
  right: ReadonlyMap<string, FieldValue>
): string | undefined => [...left.keys(), ...right.keys()].find((key) => !sameValue(left.get(key), right.get(key)))

/** A list of one says the same as its text alone. */
const sameValue = (left: FieldValue | undefined, right: FieldValue | undefined): boolean => {
  if (left === undefined || right === undefined) return left === right
  const [one, other] = [left, right].map((value) => (typeof value === "string" ? [value] : value))
  return one?.length === other?.length && one?.every((item, index) => item === other?.[index]) === true
}
