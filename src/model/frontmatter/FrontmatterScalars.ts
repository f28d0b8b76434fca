import { isMap, isScalar, isSeq, parseDocument } from "yaml"

/** A scalar of a frontmatter block, and where it stands between its quotes, if it has any (UTF-16 code units). */
export interface PlacedScalar {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly quoted: boolean
}

/**
 * The scalars that some keys hold, alone or as the items of a list, in the order of the text. Block scalars, and what
 * stands behind an alias, are not among them.
 *
 * @param yaml A block that `parseFields` reads.
 */
export const scalarsOf = (yaml: string, keys: ReadonlyArray<string>): ReadonlyArray<PlacedScalar> => {
  const { contents } = parseDocument(yaml, {
    schema: "failsafe",
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: "error"
  })
  if (!isMap(contents)) return []
  return contents.items.flatMap(({ key, value }) => {
    if (!isScalar(key) || !keys.includes(String(key.value))) return []
    return (isSeq(value) ? value.items : [value]).flatMap((node) => {
      if (!isScalar(node) || typeof node.value !== "string" || !node.range) return []
      const [start, end] = node.range
      const quoted = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE"
      if (!quoted && node.type !== "PLAIN") return []
      return [{ text: node.value, quoted, start: start + (quoted ? 1 : 0), end: end - (quoted ? 1 : 0) }]
    })
  })
}
