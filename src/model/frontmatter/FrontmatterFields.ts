import { Either, Option } from "effect"
import { type Entries, type FieldValue, parseEntries } from "./FrontmatterEntries.ts"
import { isStamp } from "./Stamps.ts"

/** One key of a frontmatter block with the lines it takes. */
export interface Field {
  readonly key: string
  readonly value: FieldValue
  /** Whether the value is neither text nor a list. */
  readonly nested: boolean
  /** Comments and blank lines between the key before it and this one. */
  readonly above: string
  /** The lines of key and value. */
  readonly text: string
}

/** A frontmatter block as lines: all `above` and `text` in order, and `tail`, are the block byte for byte. */
export interface Fields {
  readonly fields: ReadonlyArray<Field>
  readonly tail: string
}

/** None: the block cannot be read, or its keys do not stand on lines of their own (`{a: 1, b: 2}`). */
export const readFields = (yaml: string): Option.Option<Fields> =>
  Option.filterMap(Either.getRight(parseEntries(yaml)), (entries) => cut(yaml, entries))

/** A block without the lines of its stamps, which tells whether anything else changed. */
export const withoutStamps = ({ fields, tail }: Fields): string =>
  fields.map(({ above, key, text }) => (isStamp(key) ? above : above + text)).join("") + tail

const cut = (yaml: string, { entries, flow }: Entries): Option.Option<Fields> => {
  const onOwnLines = entries.every(({ start }, index) => start >= (entries[index - 1]?.end ?? 0))
  if (flow || !onOwnLines) return Option.none()
  const fields = entries.map(({ end, key, layout, start, value }, index) => ({
    key,
    value,
    nested: layout._tag === "Nested",
    above: yaml.slice(entries[index - 1]?.end ?? 0, start),
    text: yaml.slice(start, end)
  }))
  return Option.some({ fields, tail: yaml.slice(entries.at(-1)?.end ?? 0) })
}
